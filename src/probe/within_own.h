/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * within_own.h - does a traced function belong to a set of --in itself?
 */
#ifndef CORETAP_PROBE_WITHIN_OWN_H
#define CORETAP_PROBE_WITHIN_OWN_H

#include <stddef.h>

struct argdump;
struct argdump_probe;
struct expr_within;

/* Sets the sets that the program of `p` asks for, and those to which its functions do not belong. */
void within_sets(const struct argdump *a, const struct argdump_probe *p,
		 struct expr_within *within);
/* Before `count` probes are attached by the order of the first, and after what marks is: sets its
 * `frames`. */
void within_match(const struct argdump *a, struct argdump_probe *first, size_t count);

#endif
