/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hist.h - histograms: bounds of the buckets, bars, JSON, percentiles.
 *
 * This file does not know what was counted.
 */
#ifndef CORETAP_OUTPUT_HIST_H
#define CORETAP_OUTPUT_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

/* By powers of two: bucket 0 holds values below 0, bucket 1 holds 0, bucket 2 + n starts at 2^n. By
 * steps: bucket 0 holds values below low, then there is one for each step, and the last holds the
 * rest. */
struct hist {
	const uint64_t *buckets;
	size_t count; /* of buckets */
	int64_t low;
	uint64_t step; /* 0: by powers of two */
	int64_t high;  /* by steps: where the last bucket starts */
	bool is_time;  /* values are ns */
};

/* How the buckets of a field divide the values. */
struct hist_axis {
	int64_t low, high;
	uint64_t step;
	uint8_t unit; /* enum field_unit */
};
/* By powers of two, in ns. */
extern const struct hist_axis hist_ns;
/* Buckets by powers of two for any 64-bit value: below 0, 0, then one for each number of bits. */
enum { HIST_BUCKETS = 66 };

struct field;
struct value;
/* The histogram of a loaded FIELD_HIST. */
struct hist hist_of(const struct field *f, const struct value *v);

/* The sum of all buckets. */
uint64_t hist_total(const struct hist *h);
/* Writes a line for each bucket from the first to the last non-empty one. */
void hist_put(struct buf *o, const struct hist *h);
/* [[low,high,count],…] of the non-empty buckets, high excluded; null instead of a missing bound. */
void hist_put_json(struct buf *o, const struct hist *h);
/* The value below which `percent` of 100 values are, assuming that a bucket's values are spread
 * evenly. False: there are no values, or the result is in a bucket without a bound. */
bool hist_percentile(const struct hist *h, unsigned percent, double *value);

#endif
