/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timestamp.c - writes CLOCK_MONOTONIC nanoseconds as a readable time.
 *
 * BPF programs timestamp records with CLOCK_MONOTONIC, which never jumps, so the order of rows does not depend on the
 * wall clock. Wall clock time is computed by adding the offset that was valid at the time of the record (wall.h).
 * This file knows nothing about records.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "output/field/timestamp.h"
#include "util/clock.h"

enum { NS_PER_USEC = 1000 };

static struct wall_spans spans;

void timestamp_clock_read(void)
{
	struct wall_reading r;

	wall_clocks_get(&r);
	wall_spans_add(&spans, &r);
}

static uint64_t offset_at(enum wall_clock clock, uint64_t ns)
{
	if (!spans.count)
		timestamp_clock_read();
	return wall_spans_offset(&spans, clock, ns);
}

uint64_t timestamp_wall_of(enum wall_clock clock, uint64_t ns)
{
	return ns + offset_at(clock, ns);
}

uint64_t timestamp_offset(enum wall_clock clock)
{
	return offset_at(clock, UINT64_MAX);
}

uint64_t timestamp_wall(uint64_t mono_ns)
{
	return timestamp_wall_of(WALL_MONOTONIC, mono_ns);
}

static void write_seconds(struct buf *o, uint64_t ns)
{
	buf_uint(o, ns / NS_PER_SEC);
	buf_char(o, '.');
	buf_uint_pad(o, ns % NS_PER_SEC / NS_PER_USEC, 6);
}

/* Records of several CPUs may be slightly out of order: one before the first has a negative time. */
static void write_relative(struct buf *o, uint64_t mono_ns)
{
	static bool begun;
	static uint64_t first;

	if (!begun)
		first = mono_ns;
	begun = true;
	if (mono_ns < first)
		buf_char(o, '-');
	write_seconds(o, mono_ns < first ? first - mono_ns : mono_ns - first);
}

#define DAY_LEN 11 /* of "2026-11-21T" */
/* of "2026-11-21T00:34:10.": 64 bits of ns end in 2554, so the year has 4 digits */
#define DATE_LEN 20

/* A calendar time up to the seconds, which most rows of the same second reuse. */
struct calendar {
	bool filled;
	uint64_t second;
	char date[48]; /* DATE_LEN bytes */
	char zone[16]; /* "+01:00" or "Z" */
	size_t zone_len;
};

static void calendar_fill(struct calendar *c, uint64_t second, bool utc)
{
	time_t t = (time_t)second;
	struct tm tm;
	long zone;

	if (utc)
		gmtime_r(&t, &tm);
	else
		localtime_r(&t, &tm);
	strftime(c->date, sizeof(c->date), "%Y-%m-%dT%H:%M:%S.", &tm);
	zone = labs(tm.tm_gmtoff) / 60;
	if (utc)
		strcpy(c->zone, "Z");
	else
		snprintf(c->zone, sizeof(c->zone), "%c%02ld:%02ld", tm.tm_gmtoff < 0 ? '-' : '+',
			 zone / 60 % 24, zone % 60);
	c->zone_len = strlen(c->zone);
	c->second = second;
	c->filled = true;
}

static const struct calendar *calendar_of(uint64_t ns, bool utc)
{
	static struct calendar calendars[2];
	struct calendar *c = &calendars[utc];

	if (!c->filled || c->second != ns / NS_PER_SEC)
		calendar_fill(c, ns / NS_PER_SEC, utc);
	return c;
}

static void write_calendar(struct buf *o, uint64_t ns, bool utc)
{
	const struct calendar *c = calendar_of(ns, utc);

	buf_bytes(o, c->date, DATE_LEN);
	buf_uint_pad(o, ns % NS_PER_SEC / NS_PER_USEC, 6);
	buf_bytes(o, c->zone, c->zone_len);
}

static void write_clock(struct buf *o, uint64_t ns)
{
	buf_bytes(o, calendar_of(ns, false)->date + DAY_LEN, DATE_LEN - DAY_LEN);
	buf_uint_pad(o, ns % NS_PER_SEC / NS_PER_USEC, 6);
}

int timestamp_width(enum timestamp_form form)
{
	static const int widths[] = {
		[TIMESTAMP_CLOCK] = 15, /* 00:34:10.123456 */
		[TIMESTAMP_ISO] = 32,	/* 2026-11-21T00:34:10.123456+01:00 */
		[TIMESTAMP_REL] = 12,	[TIMESTAMP_MONO] = 14,
		[TIMESTAMP_UNIX] = 17, /* 1795221250.123456 */
		[TIMESTAMP_UTC] = 27,
	};

	return widths[form];
}

void timestamp_write(struct buf *o, uint64_t mono_ns, enum timestamp_form form)
{
	switch (form) {
	case TIMESTAMP_REL: write_relative(o, mono_ns); break;
	case TIMESTAMP_MONO: write_seconds(o, mono_ns); break;
	case TIMESTAMP_UNIX: write_seconds(o, timestamp_wall(mono_ns)); break;
	case TIMESTAMP_CLOCK: write_clock(o, timestamp_wall(mono_ns)); break;
	case TIMESTAMP_UTC: write_calendar(o, timestamp_wall(mono_ns), true); break;
	case TIMESTAMP_ISO:
	case TIMESTAMP_NONE: write_calendar(o, timestamp_wall(mono_ns), false); break;
	}
}

/* Expands %f, which strftime does not know. */
static void microseconds_set(char *to, size_t size, const char *format, uint64_t wall)
{
	size_t len = 0;

	for (; *format && len + 8 < size; format++) {
		bool is_percent = *format == '%' && format[1];

		if (is_percent && format[1] == 'f') {
			len += snprintf(to + len, size - len, "%06u",
					(unsigned)(wall % NS_PER_SEC / NS_PER_USEC));
			format++;
			continue;
		}
		to[len++] = *format;
		if (is_percent)
			to[len++] = *++format;
	}
	to[len] = '\0';
}

void timestamp_write_as(struct buf *o, uint64_t mono_ns, const char *format)
{
	uint64_t wall = timestamp_wall(mono_ns);
	time_t second = (time_t)(wall / NS_PER_SEC);
	char form[128], text[128];
	struct tm tm;

	microseconds_set(form, sizeof(form), format, wall);
	localtime_r(&second, &tm);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	buf_bytes(o, text, strftime(text, sizeof(text), form, &tm));
#pragma GCC diagnostic pop
}
