/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_file.h - the file of a program or library whose probes are asked for: as a path, by its name, or as
 * the processes of -p see it.
 */
#ifndef CORETAP_PROBE_PROVIDERS_USER_FILE_H
#define CORETAP_PROBE_PROVIDERS_USER_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct session;

struct user_file {
	char path[4096];
	uint64_t size; /* bytes */
	int pid;       /* whose file it is; 0: ours */
	int fd;	       /* the owner of the path could replace the file */
	char self[32]; /* the path through which it is opened: /proc/self/fd/N */
	bool is_32;    /* a 32-bit program's */
};

/* True if the file exists. */
bool user_file_exists(const struct session *s, const char *name);
/* Opens it. Returns an exit code, after printing any error; the caller closes f->fd after EXIT_FINE. */
int user_file_open(const struct session *s, const char *name, struct user_file *f);
/* The same without a word: 0, or an error of symbols/user/elf_file.h. */
int user_file_try(const struct session *s, const char *name, struct user_file *f);
/* If a library was asked for by its name: says which file that was, and whose calls it has not. For runs that saw nothing. */
void user_file_unseen_report(void);
/* Says that its symbols or notes cannot be read. Returns the exit code. */
int user_file_unread_report(const struct user_file *f, int err);

/*
 * Of a library that was asked for by its name, the copies that a command runs instead: those of another root
 * or mount namespace.
 */

/* Watches what the processes of a command map, if a library was asked for by its name (user_file_named). Call it before
 * anything is attached. */
void user_other_watch(struct session *s);
/* Once the tracing is over: names another copy, whose calls are missing. False: none was mapped, or nothing is watched. */
bool user_other_report(void);

#endif
