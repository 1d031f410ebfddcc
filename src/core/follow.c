/* SPDX-License-Identifier: GPL-2.0 */
/*
 * follow.c - the family of processes that is traced: a set kept by BPF, and the command that
 * coretap itself starts.
 */
#include "core/follow.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/session.h"
#include "follow.skel.h"

/* ---- the set: loaded as an applet is, beside the one that traces ---- */

struct follow {
	struct session session;
};

static const struct hook hooks[] = {
	{ .name = "fork", .functions = "sched_process_fork", .tracepoint = "follow_fork" },
	{ .name = "exit", .functions = "sched_process_exit", .tracepoint = "follow_exit" },
	{ 0 },
};

static int skeleton_open(struct session *s)
{
	struct follow_bpf *skel = SESSION_OPEN(s, follow);
	int err;

	if (!skel)
		return -errno;
	err = bpf_map__reuse_fd(skel->maps.followed, s->followed_fd);
	return err ?: bpf_map__reuse_fd(skel->maps.losses, s->losses_fd);
}

static const struct applet follow_applet = {
	.name = "follow",
	.hooks = hooks,
	.open = skeleton_open,
};

int follow_open(struct follow **out, uint32_t pid, int followed_fd, int losses_fd)
{
	struct follow *f = malloc(sizeof(*f));
	struct session *s = f ? &f->session : NULL;
	uint8_t one = 1;
	int err;

	if (!f)
		return -ENOMEM;
	*s = (struct session)SESSION_INIT(&follow_applet);
	s->options.buffer = getpagesize(); /* a ring that nothing goes into */
	s->options.follow = true;
	s->followed_fd = followed_fd;
	s->losses_fd = losses_fd;
	err = session_load(s, PROBE_RUNG_ANY);
	if (!err)
		err = bpf_map_update_elem(followed_fd, &pid, &one, BPF_ANY);
	if (!err)
		err = probe_plan_attach(&s->plan, s->object);
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
	session_unload(&f->session);
	probe_plan_free(&f->session.plan);
	free(f);
}

/* ---- the command ---- */

/* The child: wait for a byte, then become the command. */
static void command_run(int go_fd, int status_fd, char **argv, const struct rlimit *files)
{
	char byte;
	int err;

	if (read(go_fd, &byte, 1) != 1)
		_exit(0);
	signal(SIGPIPE, SIG_DFL);
	setrlimit(RLIMIT_NOFILE, files);
	execvp(argv[0], argv);
	err = errno;
	if (write(status_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(err == ENOENT ? 127 : 126);
}

int command_start(struct command *c, char **argv, const struct rlimit *files)
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
		command_run(go[0], status[1], argv, files);
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
