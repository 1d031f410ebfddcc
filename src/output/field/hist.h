/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hist.h - histograms: bounds of the buckets, bars, JSON, percentiles.
 *
 * Percentiles are estimated within their bucket. Where the least and the largest value are known,
 * the estimate is between them, and the value is exact if only one is left; so are the first and
 * the last of all values.
 *
 * This file does not know what was counted.
 */
#ifndef CORETAP_OUTPUT_FIELD_HIST_H
#define CORETAP_OUTPUT_FIELD_HIST_H

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
	bool is_fine;  /* by powers of two, in 8 steps each: 0 to 15 have a bucket each */
	int64_t high;  /* by steps: where the last bucket starts */
	bool is_time;  /* values are ns */
	bool has_ends; /* there are values, and … */
	__int128 least, most;
};

/* How the buckets of a field divide the values. */
struct hist_axis {
	int64_t low, high;
	uint64_t step;
	bool is_fine;
	uint8_t unit; /* enum field_unit */
	bool has_ends; /* after the buckets: the largest value, and the complement of the least … */
	bool is_signed; /* … both with the sign bit inverted */
};
/* By powers of two, in ns. */
extern const struct hist_axis hist_ns;
/* Buckets by powers of two for any 64-bit value: below 0, 0, then one for each number of bits. */
enum { HIST_BUCKETS = 66, HIST_ENDS = 2 };

struct field;
struct value;
/* The histogram of a loaded FIELD_HIST. */
struct hist hist_of(const struct field *f, const struct value *v);

/* Where bucket i ends, itself excluded; false: it has no end. */
bool hist_end(const struct hist *h, size_t i, __int128 *end);
/* The sum of all buckets. */
uint64_t hist_total(const struct hist *h);
/* [64, 128), as the lines have it. */
void hist_write_label(struct buf *o, const struct hist *h, size_t i);
/* 64, its lower end; ... if it has none. */
void hist_write_low(struct buf *o, const struct hist *h, size_t i);
/* Writes a line for each bucket from the first to the last non-empty one. */
void hist_write(struct buf *o, const struct hist *h);
/* [[low,high,count],…] of the non-empty buckets, high excluded; null instead of a missing bound. */
void hist_write_json(struct buf *o, const struct hist *h);
/* The value that at least `percent` of 100 values do not exceed. */
struct hist_percentile {
	__int128 value;
	bool exact; /* else a bucket's values are assumed to be spread evenly */
};
/* False: there are no values, or the result is in a bucket without a bound. */
bool hist_percentile(const struct hist *h, unsigned percent, struct hist_percentile *p);
/* In the unit of the buckets' labels: 64K, ~80.1K, ~12.3us. */
void hist_percentile_write(struct buf *o, const struct hist *h, const struct hist_percentile *p);
/* As a plain number. */
void hist_percentile_write_json(struct buf *o, const struct hist_percentile *p);

#endif
