/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample.h - what a program samples: a perf event that overflows after so many nanoseconds or events,
 * opened for one processor.
 */
#ifndef CORETAP_ATTACH_SAMPLE_H
#define CORETAP_ATTACH_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

struct attach_sample {
	uint32_t type;	 /* PERF_TYPE_… */
	uint64_t config; /* PERF_COUNT_… */
	uint64_t period; /* between two samples: events, or ns of a clock … */
	bool per_second; /* … or how many samples in a second */
	bool once;	 /* on one processor, instead of on each */
};

/* The event's fd, or -errno; it does not run yet. */
int sample_open(const struct attach_sample *sample, int cpu);

#endif
