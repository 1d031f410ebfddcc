/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.h - the command that coretap starts, traced from its first instruction.
 */
#ifndef CORETAP_RUN_COMMAND_H
#define CORETAP_RUN_COMMAND_H

#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

struct option_list;
struct user_login;

/* A command that waits until command_release, so that even its first instruction is traced. */
struct command {
	pid_t pid;
	/* a byte written to it starts the command; closing it makes the command exit unstarted */
	int go_fd;
	int status_fd;	     /* delivers errno if exec fails */
	bool ended, stopped; /* stopped: SIGTERM was sent */
	int status;	     /* as from wait(2), once it has ended */
};
struct command_setup {
	const struct rlimit *files;	   /* its RLIMIT_NOFILE, whatever ours is by now */
	const struct user_login *as;	   /* the user who runs it; NULL: ours */
	const char *argv0;		   /* instead of the program's; NULL: none */
	const struct option_list *environ; /* NAME=VALUE is set, NAME is removed; NULL: none */
	bool aside;			   /* its stdout goes to stderr */
};
int command_start(struct command *c, char **argv, const struct command_setup *setup);
/* Lets the command run. Returns 0, or -errno if its exec fails. */
int command_release(struct command *c);
/* True if the command has ended. Fills status. */
bool command_ended(struct command *c);
/* Sends SIGTERM to a running command, not to its children, and waits at most `ms`. Returns true if it has ended. */
bool command_stop(struct command *c, int ms);
/* Returns its exit status as a shell would: 128 + n after signal n. */
int command_exit_code(const struct command *c);
/* Returns a shell's exit status for an error of command_release: 127 if the command does not exist, else 126. */
int command_error_code(int err);
/* Ends a command that is still waiting. A running one is left alone. */
void command_close(struct command *c);

#endif
