/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timestamp.h - writes CLOCK_MONOTONIC times in the forms for people and for JSON.
 */
#ifndef CORETAP_OUTPUT_FIELD_TIMESTAMP_H
#define CORETAP_OUTPUT_FIELD_TIMESTAMP_H

#include <stdint.h>

#include "output/field/wall.h"
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

/* Reads the offsets of the wall clock, for times from now on. Call it at the start of a run, and when the clock may
 * have been set. */
void timestamp_clock_read(void);
/* Returns the columns that times of this form need, at most. */
int timestamp_width(enum timestamp_form form);
/* Writes a CLOCK_MONOTONIC time in that form. Forms with wall clock time use the offset at that time. */
void timestamp_write(struct buf *o, uint64_t mono_ns, enum timestamp_form form);
/* The same in a format of strftime(3), in local time, with %f for microseconds; writes at most 127 bytes. */
void timestamp_write_as(struct buf *o, uint64_t mono_ns, const char *format);
/* Converts to real time, in ns since 1970. */
uint64_t timestamp_wall(uint64_t mono_ns);
/* The same for a time of another clock. */
uint64_t timestamp_wall_of(enum wall_clock clock, uint64_t ns);
/* Returns the newest offset from that clock to real time. */
uint64_t timestamp_offset(enum wall_clock clock);

#endif
