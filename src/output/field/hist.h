/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hist.h - histograms: bounds of the buckets, bars, JSON, percentiles.
 *
 * Percentiles are estimated within their bucket. If the smallest and largest value are known, estimates are limited
 * to them, and are exact if only one value is possible; the 0th and 100th percentile are then exact.
 *
 * This file does not know what was counted.
 */
#ifndef CORETAP_OUTPUT_FIELD_HIST_H
#define CORETAP_OUTPUT_FIELD_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

/* By powers of two: bucket 0 holds values below 0, bucket 1 holds 0, bucket 2 + n starts at 2^n. By steps: bucket 0
 * holds values below low, then there is one for each step, and the last holds the rest. */
struct hist {
	const uint64_t *buckets;
	size_t count; /* of buckets */
	int64_t low;
	uint64_t step; /* width of a bucket; 0: by powers of two */
	/* by powers of two, each divided into 8 steps; 0 to 15 have a bucket each */
	bool is_fine;
	int64_t high;  /* by steps: where the last bucket starts */
	bool is_time;  /* values are ns */
	bool has_ends; /* `min` and `max` are known */
	__int128 least, most;
};

/* How the buckets of a field divide the values. */
struct hist_axis {
	int64_t low, high;
	uint64_t step;
	bool is_fine;
	uint8_t unit; /* enum field_unit */
	/* after the buckets: the largest value, and the complement of the smallest */
	bool has_ends;
	bool is_signed; /* both have the sign bit inverted */
};
/* By powers of two, in ns. */
extern const struct hist_axis hist_ns;
/* Number of buckets by powers of two for any 64-bit value: below 0, 0, then one for each number of bits. */
enum { HIST_BUCKETS = 66, HIST_ENDS = 2 };

struct field;
struct value;
/* Returns the histogram of a loaded FIELD_HIST. */
struct hist hist_of(const struct field *f, const struct value *v);

/* Sets *end to the end of bucket i, itself excluded. Returns false if the bucket has no end. */
bool hist_end(const struct hist *h, size_t i, __int128 *end);
/* Returns the sum of all buckets. */
uint64_t hist_total(const struct hist *h);
/* Writes the range of a bucket as its line shows it: [64, 128). */
void hist_write_label(struct buf *o, const struct hist *h, size_t i);
/* Writes the lower end of a bucket: 64, or "..." if it has none. */
void hist_write_low(struct buf *o, const struct hist *h, size_t i);
/* Writes a line for each bucket from the first to the last non-empty one. */
void hist_write(struct buf *o, const struct hist *h);
/* Writes the non-empty buckets as [[low,high,count],…], high excluded; null for a missing bound. */
void hist_write_json(struct buf *o, const struct hist *h);
/* The value that at least `percent` of 100,000 values do not exceed. */
struct hist_percentile {
	__int128 value;
	bool exact; /* false: estimated, assuming that a bucket's values are spread evenly */
};
/* Returns false if there are no values, or the result is in a bucket without a bound. */
bool hist_percentile(const struct hist *h, uint32_t percent, struct hist_percentile *p);
/* Writes it in the unit of the buckets' labels: 64K, ~80.1K, ~12.3us. */
void hist_percentile_write(struct buf *o, const struct hist *h, const struct hist_percentile *p);
/* Writes it as a plain number. */
void hist_percentile_write_json(struct buf *o, const struct hist_percentile *p);

#endif
