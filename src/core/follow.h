/* SPDX-License-Identifier: GPL-2.0 */
/*
 * follow.h - which processes are traced when it is a family: -p PID -f, and -- COMMAND.
 */
#ifndef CORETAP_FOLLOW_H
#define CORETAP_FOLLOW_H

#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct follow;

/* Keeps map followed_fd (hash u32 tgid → u8) equal to `pid` and its descendants; misses are
 * counted in losses_fd. Returns 0 or -errno. */
int follow_open(struct follow **out, uint32_t pid, int followed_fd, int losses_fd);
void follow_close(struct follow *f);

/* A command that waits to be let go, so that its first instruction is seen. */
struct command {
	pid_t pid;
	int go_fd;     /* written: it runs; closed: it ends without having run */
	int status_fd; /* its errno when exec failed */
	int status;    /* as wait(2) tells, once ended */
};
/* `files`: how many it may open, whatever we allowed ourselves since (RLIMIT_NOFILE). */
int command_start(struct command *c, char **argv, const struct rlimit *files);
/* Lets it run. Returns 0, or -errno of its exec. */
int command_go(struct command *c);
/* Has it ended? Fills status. */
int command_ended(struct command *c);
/* Its exit status as a shell gives it: 128 + n after signal n. */
int command_exit_code(const struct command *c);
/* Ends one that was not let go; leaves a running one alone. */
void command_close(struct command *c);

#endif
