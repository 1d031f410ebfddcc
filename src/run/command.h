/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.h - the command that coretap itself starts: it waits until everything is attached.
 */
#ifndef CORETAP_RUN_COMMAND_H
#define CORETAP_RUN_COMMAND_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct user_login;

/* A command that is held until command_release, so that even its first instruction is seen. */
struct command {
	pid_t pid;
	int go_fd;	     /* written: it runs; closed: it exits without having run */
	int status_fd;	     /* delivers errno if exec fails */
	bool ended, stopped; /* stopped: SIGTERM was sent */
	int status;	     /* as from wait(2), once ended */
};
struct command_setup {
	const struct rlimit *files;  /* its RLIMIT_NOFILE, whatever ours is by now */
	const struct user_login *as; /* who runs it; NULL: we do */
	bool aside;		     /* its stdout goes to stderr */
};
int command_start(struct command *c, char **argv, const struct command_setup *setup);
/* Lets it run. Returns 0, or -errno if its exec fails. */
int command_release(struct command *c);
/* Has it ended? Fills status. */
bool command_ended(struct command *c);
/* Sends SIGTERM to a running one, not to its children, and waits at most `ms`. Has it ended? */
bool command_stop(struct command *c, int ms);
/* Its exit status as in a shell: 128 + n after signal n. */
int command_exit_code(const struct command *c);
/* The same, as in a shell, for an error of command_release: 127 if there is no such command, else 126. */
int command_error_code(int err);
/* Ends a command that is still held; leaves a running one alone. */
void command_close(struct command *c);

#endif
