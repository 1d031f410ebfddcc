/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hist_rows.h - the histograms of a report's rows, each with a name, for functions that draw them.
 */
#ifndef CORETAP_OUTPUT_PICTURES_HIST_ROWS_H
#define CORETAP_OUTPUT_PICTURES_HIST_ROWS_H

#include "output/field/hist.h"
#include "output/rows/report.h"

struct hist_row {
	const char *name;  /* "hist(count)  comm=cat": the same in each report */
	const char *about; /* "n=5  12 calls  p50 …" */
	struct hist hist;
};
/* Called for each row, which is valid during the call. Returns 0, or -errno to end the walk. */
typedef int hist_row_fn(void *ctx, const struct hist_row *row);
int hist_rows_each(struct report *r, hist_row_fn *take, void *ctx);

/* The buckets from the first to the last non-empty one, as [first, end); both are 0 if all are empty. */
struct hist_range {
	size_t first, end;
};
struct hist_range hist_range_of(const struct hist *h);

#endif
