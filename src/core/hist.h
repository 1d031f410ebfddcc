/* SPDX-License-Identifier: GPL-2.0 */
/*
 * hist.h - histograms: what a bucket holds, bars, JSON, percentiles.
 *
 * It must not know who counted.
 */
#ifndef CORETAP_HIST_H
#define CORETAP_HIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/out.h"

/* By powers of two: bucket 0 is below 0, 1 is 0, 2 + n is from 2^n on. By steps: bucket 0 is below
 * low, then one for each step, the last is above. */
struct hist {
	const uint64_t *buckets;
	size_t count; /* of buckets */
	int64_t low;
	uint64_t step; /* 0: by powers of two */
	int64_t high;  /* by steps: where the last bucket begins */
};

/* The calls in all buckets. */
uint64_t hist_total(const struct hist *h);
/* A line for each bucket between the first and the last that is not empty. */
void hist_put(struct out *o, const struct hist *h);
/* [[low,high,count],…] of buckets that are not empty, high not included; null where a bucket has no
 * end. */
void hist_put_json(struct out *o, const struct hist *h);
/* Below which value that many of 100 values lie: as if a bucket's values were spread evenly in it.
 * False: there are none, or it lies in a bucket without an end. */
bool hist_percentile(const struct hist *h, unsigned percent, double *value);

#endif
