/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_points.h - programs in bpftrace's language before a real verifier, without a probe: the world they are compiled
 * for, the points they are at, loading.
 */
#ifndef CORETAP_SCRIPT_POINTS_H
#define CORETAP_SCRIPT_POINTS_H

#include "program/program_load.h"
#include "script/script.h"

/* How functions are probed. */
struct way {
	const char *name;
	bool by_kprobe, untyped;
};
enum { WAYS = 4 };
extern const struct way ways[WAYS];

/* This kernel's types. Returns 0, or -errno. */
int points_open(void);
void points_close(void);

/*
 * Compiles the program by that way, and loads it at all its points. Returns 0; -EACCES: the kernel refused one of them
 * (points_log); or what script_compile returns, with *error. `ran` is called with each loaded program, unless it is NULL.
 */
int points_load(struct script *s, const struct way *way, struct script_error *error,
		void (*ran)(const struct script *s, int fd, const struct program_maps *maps));
/* True if it was refused only for its length: bt reports that with a remedy. */
bool points_too_long(void);
/* The verifier's last error. */
extern int points_errno;
char *points_log(void);
const char *points_log_end(void); /* its last lines */

#endif
