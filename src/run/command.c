/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.c - the command that a session starts: a child that waits for a byte before it calls exec.
 */
#include "run/command.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli/options.h"
#include "kernel/privileges.h"
#include "util/log.h"
#include "util/passwd.h"

/* Returns the environment with the changes; the program is searched for in the path of the present one. */
static char **environ_changed(const struct option_list *changes)
{
	char **now = environ, **changed;
	size_t n = 0;

	if (!changes || !changes->count)
		return environ;
	while (now[n])
		n++;
	environ = calloc(n + 1, sizeof(*environ));
	if (!environ)
		_exit(EXIT_FAILED);
	memcpy(environ, now, n * sizeof(*environ));
	for (size_t i = 0; i < changes->count; i++) {
		const char *text = changes->items[i].text;

		if (strchr(text, '='))
			putenv((char *)text);
		else
			unsetenv(text);
	}
	changed = environ;
	environ = now;
	return changed;
}

/* Runs in the child: waits for a byte, then calls exec. What is traced begins with that: all else is done before. */
static void command_run(int go_fd, int status_fd, char **argv, const struct command_setup *setup)
{
	const char *program = argv[0];
	char **environment, byte;
	int err;

	if (setup->aside)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	setrlimit(RLIMIT_NOFILE, setup->files);
	privileges_memlock_restore();
	err = setup->as ? user_become(setup->as) : 0;
	environment = environ_changed(setup->environ);
	argv[0] = (char *)(setup->argv0 ?: program);
	if (read(go_fd, &byte, 1) != 1)
		_exit(0);
	if (!err) {
		execvpe(program, argv, environment);
		err = errno;
	}
	if (write(status_fd, &err, sizeof(err)) < 0)
		_exit(126);
	_exit(command_error_code(-err));
}

int command_error_code(int err)
{
	return err == -ENOENT ? 127 : 126;
}

int command_start(struct command *c, char **argv, const struct command_setup *setup)
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
		close(go[1]); /* the child would wait for its own copy */
		command_run(go[0], status[1], argv, setup);
	}
	close(go[0]);
	close(status[1]);
	return c->pid < 0 ? -errno : 0;
}

int command_release(struct command *c)
{
	int err = 0;

	if (write(c->go_fd, "", 1) != 1)
		return -errno;
	close(c->go_fd);
	c->go_fd = -1;
	/* end of file: exec succeeded and closed the other end */
	if (read(c->status_fd, &err, sizeof(err)) != sizeof(err))
		return 0;
	return -err;
}

bool command_ended(struct command *c)
{
	if (c->pid && !c->ended)
		c->ended = waitpid(c->pid, &c->status, WNOHANG) == c->pid;
	return c->ended;
}

bool command_stop(struct command *c, int ms)
{
	const struct timespec look = { .tv_nsec = 10000000 };

	c->stopped = !kill(c->pid, SIGTERM);
	for (; !command_ended(c) && ms > 0; ms -= 10)
		nanosleep(&look, NULL);
	return c->ended;
}

int command_exit_code(const struct command *c)
{
	return WIFSIGNALED(c->status) ? 128 + WTERMSIG(c->status) : WEXITSTATUS(c->status);
}

void command_close(struct command *c)
{
	if (c->go_fd >= 0) {
		close(c->go_fd);
		waitpid(c->pid, NULL, 0);
	}
	close(c->status_fd);
	c->pid = 0;
}
