/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_file.h - the file of a program or library to probe: given as a path, by its name, or as the processes of -p
 * see it.
 */
#ifndef CORETAP_PROBE_PROVIDERS_USER_FILE_H
#define CORETAP_PROBE_PROVIDERS_USER_FILE_H

#include <stdbool.h>
#include <stdint.h>

struct session;

struct user_file {
	char path[4096];
	uint64_t size; /* bytes */
	int pid;       /* the process that sees it; 0: we do */
	int fd;	       /* open, because the owner of the path could replace the file */
	char self[32]; /* a path to the open file: /proc/self/fd/N */
	bool is_32;    /* the file is of a 32-bit program */
};

/* True if the file exists. */
bool user_file_exists(const struct session *s, const char *name);
/* Opens it. Returns an exit code, after printing any error; the caller closes f->fd after EXIT_FINE. */
int user_file_open(const struct session *s, const char *name, struct user_file *f);
/* The same without messages. Returns 0, or an error of symbols/user/elf_file.h. */
int user_file_try(const struct session *s, const char *name, struct user_file *f);
/* For runs that saw nothing: if a library was found by its name, reports which file that was, and whose calls are
 * missing. */
void user_file_unseen_report(void);
/* Reports that the file's symbols or notes cannot be read. Returns the exit code. */
int user_file_unread_report(const struct user_file *f, int err);

/* Returns the name of a library that was found by its name in our own root, and the open file; NULL: none. */
const char *user_file_named(const char **path, int *fd);
/* True if `name` is the library at the end of the path: libc, libc.so, libc.so.6. */
bool user_file_is_library(const char *path, const char *name);

/* ---- user_other.c ---- */

/*
 * For a library that was found by its name: detects copies that a command runs instead, in another root or mount
 * namespace.
 */

/* Watches what the processes of a command map, if a library was found by its name (user_file_named). Call it before
 * anything is attached. */
void user_other_watch(struct session *s);
/* Call it after the tracing: reports another copy, whose calls are missing. Returns false if none was mapped, or
 * nothing is watched. */
bool user_other_report(void);

#endif
