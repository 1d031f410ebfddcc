/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_names.h - names of measures, as columns and in JSON.
 */
#ifndef CORETAP_COUNT_AGGREGATE_NAMES_H
#define CORETAP_COUNT_AGGREGATE_NAMES_H

#include "count/show.h"
#include "expr/expr.h"

/* The most percentiles of a result; a list of them, in thousandths of a percent, ends with 0. */
enum { PERCENTS_MAX = 12 };
const uint32_t *result_percents(const struct expr_result *r);

/* Returns avg(count), or the user's name for it; for a percentile, p50(count) or NAME_p50. The caller frees it. NULL:
 * out of memory. */
char *measure_title(const struct expr_result *r, unsigned percent);
/* Returns "avg" if it is the only one of its kind, else "avg(count)"; or the user's name for it. For a percentile (0:
 * none) "p50", or "hist_p50" if there are both kinds of histogram. Ends with the unit: "avg_ns". The caller frees it.
 * NULL: out of memory. */
char *measure_key(const struct expr_table *t, const struct expr_result *r, unsigned percent);

/* Checks that no two measures have the same name in a JSON row. Returns 0, or -EINVAL after printing an error. */
int aggregate_names_check(const struct expr_table *t);
/* The same for the columns of --show. */
int aggregate_names_check_shown(const struct show *s);

#endif
