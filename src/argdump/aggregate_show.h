/* SPDX-License-Identifier: GPL-2.0 */
/*
 * aggregate_show.h - what the two forms of a report share. Not for others.
 */
#ifndef CORETAP_AGGREGATE_SHOW_H
#define CORETAP_AGGREGATE_SHOW_H

#include "argdump/aggregate.h"
#include "core/hist.h"

/* "avg", by enum expr_measure_kind. */
extern const char *const measure_names[];

static inline bool result_is_hist(const struct expr_result *r)
{
	return r->kind == EXPR_HIST || r->kind == EXPR_LHIST;
}
struct hist result_hist(const struct aggregate *a, const struct expr_result *r,
			const uint64_t *words);
/* What is no histogram, as text or as JSON. */
void result_put(struct out *o, const struct expr_result *r, const uint64_t *words, bool json);
/* Values of the entry that could not be read. */
uint64_t unread_count(const struct aggregate *a, const uint64_t *words);

/* The forms: 0 or -errno. `now` is CLOCK_MONOTONIC ns. */
int aggregate_put_table(const struct aggregate *a, const struct aggregate_rows *rows, struct out *o);
int aggregate_put_json(const struct aggregate *a, const struct aggregate_rows *rows, struct out *o,
		       uint64_t now);

#endif
