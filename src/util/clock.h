/* SPDX-License-Identifier: GPL-2.0-only */
/* clock.h - the clock of limits, intervals and BPF programs: CLOCK_MONOTONIC, in nanoseconds. */
#ifndef CORETAP_UTIL_CLOCK_H
#define CORETAP_UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

#endif
