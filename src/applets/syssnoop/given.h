/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * given.h - private to options.c and settings.c: options whose meaning depends on other options.
 */
#ifndef CORETAP_APPLETS_SYSSNOOP_GIVEN_H
#define CORETAP_APPLETS_SYSSNOOP_GIVEN_H

#include "cli/options.h"

struct given {
	struct option_list what, environment; /* of -e and related options, -E */
	struct event_ids pids;		      /* -p: threads, or with -f their processes */
	int method;			      /* --attach KIND */
	int follows, hex;		      /* -f, -x */
	bool only_success, only_failed, splits, no_abbrev, translates;
	const char *user;
	uint32_t limit; /* --syscall-limit */
	uint64_t stack_bytes;
};
extern struct given given;

#endif
