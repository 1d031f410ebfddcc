/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * given.h - private to options.c and settings.c: what options have said that needs the others to mean something.
 */
#ifndef CORETAP_APPLETS_SYSSNOOP_GIVEN_H
#define CORETAP_APPLETS_SYSSNOOP_GIVEN_H

#include "cli/options.h"

struct given {
	struct option_list what, environment; /* of -e and the like, -E */
	struct event_ids pids;		      /* -p: threads, or with -f their processes */
	int method;			      /* --attach KIND */
	int follows, hex;		      /* -f, -x */
	bool only_success, only_failed, splits, no_abbrev;
	const char *user;
	uint32_t limit; /* --syscall-limit */
	uint64_t stack_bytes;
};
extern struct given given;

#endif
