/* SPDX-License-Identifier: GPL-2.0 */
/*
 * follow.c - the family of processes that is traced: a set kept by BPF, and the command that
 * coretap itself starts.
 */
#include "core/follow.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "event.h"
#include "follow.skel.h"

struct follow {
	struct follow_bpf *skel;
};

int follow_open(struct follow **out, uint32_t pid, int followed_fd, int losses_fd)
{
	struct follow *f = calloc(1, sizeof(*f));
	uint8_t one = 1;
	int err = -ENOMEM;

	if (!f)
		return err;
	f->skel = follow_bpf__open();
	err = f->skel ? 0 : -errno;
	if (!err)
		err = bpf_map__reuse_fd(f->skel->maps.followed, followed_fd);
	if (!err)
		err = bpf_map__reuse_fd(f->skel->maps.losses, losses_fd);
	if (!err)
		err = follow_bpf__load(f->skel);
	if (!err)
		err = bpf_map_update_elem(followed_fd, &pid, &one, BPF_ANY);
	if (!err)
		err = follow_bpf__attach(f->skel);
	if (err) {
		follow_close(f);
		return err;
	}
	*out = f;
	return 0;
}

void follow_close(struct follow *f)
{
	if (!f)
		return;
	if (f->skel)
		free((void *)f->skel->skeleton->data); /* unpacked for it */
	follow_bpf__destroy(f->skel);
	free(f);
}

/* The child: wait for a byte, then become the command. */
static void command_run(int go_fd, int status_fd, char **argv)
{
	char byte;
	int err;

	if (read(go_fd, &byte, 1) != 1)
		_exit(0);
	signal(SIGPIPE, SIG_DFL);
	execvp(argv[0], argv);
	err = errno;
	if (write(status_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

int command_start(struct command *c, char **argv)
{
	int go[2], status[2];

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(status, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return -errno;
	}
	*c = (struct command){ .pid = fork(), .go_fd = go[1], .status_fd = status[0] };
	if (c->pid == 0) {
		close(go[1]); /* or it would wait for itself */
		command_run(go[0], status[1], argv);
	}
	close(go[0]);
	close(status[1]);
	return c->pid < 0 ? -errno : 0;
}

int command_go(struct command *c)
{
	int err = 0;

	if (write(c->go_fd, "", 1) != 1)
		return -errno;
	close(c->go_fd);
	c->go_fd = -1;
	/* end of file: exec closed the other end, so it worked */
	if (read(c->status_fd, &err, sizeof(err)) != sizeof(err))
		return 0;
	return -err;
}

int command_ended(struct command *c)
{
	return waitpid(c->pid, &c->status, WNOHANG) == c->pid;
}

int command_exit_code(const struct command *c)
{
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status) : WEXITSTATUS(c->status);
}

void command_close(struct command *c)
{
	if (c->pid <= 0)
		return;
	if (c->go_fd >= 0) {
		close(c->go_fd);
		waitpid(c->pid, NULL, 0);
	}
	close(c->status_fd);
	c->pid = 0;
}
