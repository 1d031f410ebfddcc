/* SPDX-License-Identifier: GPL-2.0-only */
/* clock.h - clocks in nanoseconds. now_ns reads the clock that limits, intervals and BPF programs use. */
#ifndef CORETAP_UTIL_CLOCK_H
#define CORETAP_UTIL_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { NS_PER_SEC = 1000000000 };

static inline uint64_t clock_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * (uint64_t)NS_PER_SEC + t.tv_nsec;
}

static inline uint64_t now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

#endif
