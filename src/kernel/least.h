/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * least.h - drops the rights that a run no longer needs when all is attached.
 *
 * Drops capabilities, the way to gain new ones (no_new_privs) and, by a seccomp filter, system calls that are not
 * used. So an attacker who takes over this process through its input has little of root left.
 */
#ifndef CORETAP_KERNEL_LEAST_H
#define CORETAP_KERNEL_LEAST_H

#include <stdbool.h>

struct user_login;

/* What a run still does after all is attached. */
enum least_late {
	LATE_MAPS = 1 << 0, /* reads and writes maps: all runs */
	LATE_PROCESSES =
		1 << 1, /* reads /proc/PID of any process, and the files that it has mapped; watches
			       * processors that come online */
	LATE_PROBES = 1 << 2,	  /* attaches to functions of these files */
	LATE_CONTAINERS = 1 << 3, /* opens cgroups by their ids */
	LATE_FILES = 1 << 4,	  /* makes, renames and removes files */
	LATE_SAMPLES = 1 << 6,	  /* attaches to processors that come online */
	LATE_COMMAND = 1 << 5,	  /* ends a command, which may be another user's */
};

struct least {
	unsigned late;		     /* enum least_late */
	const struct user_login *as; /* becomes this user; NULL: stays what it is */
	bool (*probe_refused)(
		void); /* are functions of files refused with what is effective now? */
};

/* Returns 0, or -errno if it could not become the user. On kernels without seccomp the filter is skipped. A child
 * that was forked before keeps its rights. */
int least_rights(const struct least *l);

#endif
