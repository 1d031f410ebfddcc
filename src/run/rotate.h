/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rotate.h - --rotate: the output's file begins anew at a size, and the files before it are kept under
 * other names.
 */
#ifndef CORETAP_RUN_ROTATE_H
#define CORETAP_RUN_ROTATE_H

#include <stdint.h>

#include "kernel/place.h"

struct options;
struct session;

struct rotate {
	uint64_t size;	/* of a file, in bytes; 0: no rotation */
	uint64_t files; /* kept besides FILE */
	uint64_t begin; /* buf.written when this file began */
	uint64_t count; /* of files that were ended */
	uint64_t *rows; /* owned: how many records there were before each of the last files + 1 */
	struct file_place
		place; /* owned, from rotate_open on: the folder of FILE, in which files are renamed */
};

/* Before the first record: removes the files of an earlier run. Returns an exit status after printing
 * any error. */
int rotate_open(struct session *s);
/* Checks that files can be created next to FILE. Returns an exit status after printing any error. */
int rotate_check(const struct session *s);
/* Reports which records were in files that were removed. */
void rotate_report(const struct session *s);

#endif
