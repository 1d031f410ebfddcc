/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * least.h - drops the rights that a run no longer needs once everything is attached.
 *
 * Drops capabilities, the ways to gain new ones (no_new_privs) and, with a seccomp filter, unused system calls. An
 * attacker who takes over the process through its input then has little of root's power.
 */
#ifndef CORETAP_KERNEL_LEAST_H
#define CORETAP_KERNEL_LEAST_H

#include <stdbool.h>

struct user_login;

/* The jobs of a run after everything is attached. */
enum least_late {
	LATE_MAPS = 1 << 0, /* reads and writes maps: every run */
	LATE_PROCESSES =
		/* reads /proc/PID of any process and the files that it has mapped; watches processors that come
		 * online */
	1 << 1,
	LATE_PROBES = 1 << 2,	  /* attaches to functions of files that processes map later */
	LATE_CONTAINERS = 1 << 3, /* opens cgroups by their ids */
	LATE_FILES = 1 << 4,	  /* creates, renames and removes files */
	LATE_SAMPLES = 1 << 6,	  /* attaches to processors that come online */
	LATE_COMMAND = 1 << 5,	  /* terminates a command, which may run as another user */
	LATE_PROGRAMS = 1 << 7,	  /* lists the BPF programs of the kernel, and their links */
};

struct least {
	unsigned late;		     /* a mask of enum least_late */
	const struct user_login *as; /* the user to become; NULL: keep the current one */
	bool (*probe_refused)(
		void); /* returns true if uprobes are refused with the effective capabilities */
};

/* Returns 0, or -errno if it could not become the user. Skips the filter on kernels without seccomp. Children forked
 * before the call keep their rights. */
int least_rights(const struct least *l);

#endif
