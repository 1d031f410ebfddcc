/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sample.h - one record with a field of each type, for the tests of the sinks.
 */
#ifndef CORETAP_SAMPLE_H
#define CORETAP_SAMPLE_H

#include "unit.h"

#include "output/rows/sink.h"
#include "event.h"

struct sample {
	struct event_header head;
	uint64_t u64;
	int64_t s64;
	int32_t ret;
	uint32_t u32;
	uint16_t mode;
	uint8_t u8, status;
	char name[12];
	struct event_str str;
	struct event_words words;
	char tail[256];
};

#define SAMPLE_MIN offsetof(struct sample, tail)

/* Appends bytes to the tail, and points `str` at them. */
static inline void sample_put(struct sample *r, struct event_str *str, const void *bytes,
			      size_t len, unsigned status, unsigned left_out)
{
	size_t at = r->head.tid; /* the tests' own use of tid: how much of the tail is taken */

	memcpy(r->tail + at, bytes, len);
	r->head.tid += (unsigned)len;
	*str = (struct event_str){ .off = (unsigned)(SAMPLE_MIN + at),
				   .len = (unsigned)len,
				   .left_out = left_out,
				   .status = status };
}

/* With the literal's own NUL bytes, but not with the last one that C adds. */
#define SAMPLE_PUT(record, member, literal, status, left_out)                                      \
	sample_put(record, member, literal, sizeof(literal) - 1, status, left_out)

/* A schema of these fields; ended by a name of NULL. */
static inline struct schema sample_schema(const struct field *fields)
{
	struct schema s = { .fields = fields, .record_min = SAMPLE_MIN };

	while (fields[s.count].name)
		s.count++;
	return s;
}

/* A record's line, from a block of heap that ends where the record does: ASAN sees over-reads. */
static inline int sample_line(struct buf *o, const struct schema *s, bool json,
			      const struct sample *r, size_t size)
{
	struct sink sink = { .schema = s, .out = o, .json = json, .applet = "sample" };
	void *exact = malloc(size ? size : 1);
	size_t before = o->len;
	int err;

	memcpy(exact, r, size);
	err = sink_record(&sink, exact, size);
	assert_int_equal(sink.rows, !err);
	if (err)
		assert_int_equal(o->len, before); /* nothing of a refused record */
	free(exact);
	sink_free(&sink);
	return err;
}

#endif
