/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * within_own.h - finds out if a traced function itself belongs to a set of --in.
 */
#ifndef CORETAP_PROBE_WITHIN_OWN_H
#define CORETAP_PROBE_WITHIN_OWN_H

#include <stddef.h>

struct argdump;
struct argdump_probe;
struct expr_within;

/* Sets the sets that the program of `p` checks, and those to which its functions do not belong. */
void within_sets(const struct argdump *a, const struct argdump_probe *p,
		 struct expr_within *within);
/* Called before `count` probes are attached in the order of the first, and after the probes that mark calls: sets its
 * `frames`. */
void within_match(const struct argdump *a, struct argdump_probe *first, size_t count);

#endif
