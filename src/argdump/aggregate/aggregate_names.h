/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_names.h - names of measures, as columns and in JSON.
 */
#ifndef CORETAP_ARGDUMP_AGGREGATE_AGGREGATE_NAMES_H
#define CORETAP_ARGDUMP_AGGREGATE_AGGREGATE_NAMES_H

#include "expr/expr.h"

/* Shown for each histogram. */
enum { PERCENTILES = 3 };
extern const unsigned percentiles[PERCENTILES];

/* avg(count), or the user's name for it. The caller frees it. NULL: no memory. */
char *measure_title(const struct expr_result *r);
/* "avg" if it is the only one of its kind, else "avg(count)"; or the user's name for it. For a
 * percentile (0: none) "p50", or "hist_p50" if there are both kinds of histogram. With the unit:
 * "avg_ns". The caller frees it. NULL: no memory. */
char *measure_key(const struct expr_table *t, const struct expr_result *r, unsigned percent);

/* Checks that each measure has its own name in a JSON row. Returns 0, or -EINVAL after printing
 * which one has not. */
int aggregate_names_check(const struct expr_table *t);

#endif
