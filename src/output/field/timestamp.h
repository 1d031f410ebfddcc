/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timestamp.h - CLOCK_MONOTONIC times in the forms for people and for JSON.
 */
#ifndef CORETAP_OUTPUT_FIELD_TIMESTAMP_H
#define CORETAP_OUTPUT_FIELD_TIMESTAMP_H

#include <stdint.h>

#include "util/buf.h"

enum timestamp_form {
	TIMESTAMP_NONE,
	TIMESTAMP_CLOCK, /* local time of day with microseconds: 00:34:10.123456 */
	TIMESTAMP_ISO,	 /* local time, RFC 3339 with microseconds */
	TIMESTAMP_REL,	 /* seconds since the first record */
	TIMESTAMP_MONO,	 /* seconds of CLOCK_MONOTONIC */
	TIMESTAMP_UNIX,	 /* seconds since 1970 */
	TIMESTAMP_UTC,	 /* RFC 3339 in UTC: JSON's "time" */
};

/* Reads how far the wall clock is ahead; records from now on use that. For the beginning of a run, and when the clock may
 * have been set. */
void timestamp_clock_read(void);
/* Writes a CLOCK_MONOTONIC time in that form; calendar times and unix use what the clock was ahead by then. */
void timestamp_write(struct buf *o, uint64_t mono_ns, enum timestamp_form form);
/* The same in the local time's form of strftime(3), with %f for microseconds; at most 127 bytes of it. */
void timestamp_write_as(struct buf *o, uint64_t mono_ns, const char *format);

#endif
