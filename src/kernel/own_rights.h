/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * own_rights.h - opens files that the user names with the user's own rights.
 *
 * A binary with file capabilities may read what its user may not: for the processes that are traced. A file whose
 * name is typed, or stands in a folder of the user's choice, is none of these: without this its text would be quoted
 * in an error, or it would be replaced. Root's own rights are all.
 */
#ifndef CORETAP_KERNEL_OWN_RIGHTS_H
#define CORETAP_KERNEL_OWN_RIGHTS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The effective capabilities to go back to; 0: nothing was given up. */
struct own_rights {
	uint64_t before;
};

/* From here to the end this thread has no capability over files that its user has not. They nest: what is given up once is given up till the outer end. */
struct own_rights own_rights_begin(void);
/* Keeps errno. */
void own_rights_end(struct own_rights r);

/* As open(2), with O_CLOEXEC: a descriptor, or -errno. */
int own_open(const char *path, int flags);
/* As fopen(3) for reading, close-on-exec; NULL with errno. */
FILE *own_fopen(const char *path);
/* As realpath(3), to memory of PATH_MAX bytes: false with errno. */
bool own_realpath(const char *path, char *to);
/* 0 if the user may read it, else -errno. */
int own_can_read(const char *path);

#endif
