/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample.h - what a program samples: a perf event that overflows after so many nanoseconds or events,
 * opened for one processor.
 */
#ifndef CORETAP_ATTACH_SAMPLE_H
#define CORETAP_ATTACH_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attach_sample {
	uint32_t type;	 /* PERF_TYPE_… */
	uint64_t config; /* PERF_COUNT_… */
	uint64_t period; /* between two samples: events, or ns of a clock … */
	bool per_second; /* … or how many samples in a second */
	bool once;	 /* on one processor, instead of on each */
};

enum { SAMPLE_CPUS_MAX = 8192 };

/* The event's fd, or -errno; it does not run yet. */
int sample_open(const struct attach_sample *sample, int cpu);
/* The numbers of the processors that are running, at most `room`. Returns how many, or -errno. */
int sample_cpus(int *cpus, size_t room);
/* The same from "0-3,5": exported for its test. */
int sample_cpus_read(const char *text, int *cpus, size_t room);

#endif
