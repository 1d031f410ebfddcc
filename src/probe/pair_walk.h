/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair_walk.h - all that began and has not ended, out of the maps of a pair.
 */
#ifndef CORETAP_PROBE_PAIR_WALK_H
#define CORETAP_PROBE_PAIR_WALK_H

#include "program/program_load.h"

/* Returns 0, or -errno to stop. */
typedef int pair_fn(void *ctx, const void *kept);

/* Calls `each` with what is kept (expr_kept_size). Returns 0 or -errno. */
int pair_walk(const struct program_maps *maps, const struct expr_program *p, pair_fn *each,
	      void *ctx);

#endif
