/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rotate.h - --rotate: begins the output's file anew at a size, and keeps the files before it under other names.
 */
#ifndef CORETAP_RUN_ROTATE_H
#define CORETAP_RUN_ROTATE_H

#include <stdint.h>

#include "kernel/place.h"

struct options;
struct session;

struct rotate {
	uint64_t size;	/* of a file, in bytes; 0: no rotation */
	uint64_t files; /* how many to keep besides FILE */
	uint64_t begin; /* buf.written when this file began */
	uint64_t count; /* how many files were completed */
	uint64_t *rows; /* owned: the number of records before each of the last files + 1 */
	/* owned: the folder of FILE, in which files are renamed; valid after rotate_open */
	struct file_place place;
};

/* Call before the first record: removes the files of an earlier run. Returns an exit status after printing any
 * error. */
int rotate_open(struct session *s);
/* Checks that files can be created next to FILE. Returns an exit status after printing any error. */
int rotate_check(const struct session *s);
/* Reports which records were in files that have been removed. */
void rotate_report(const struct session *s);

#endif
