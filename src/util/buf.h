/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buf.h - a growing byte buffer with fast writers, flushed to a file descriptor.
 *
 * Rows and JSON lines are assembled here, never by printf: a number costs tens of instructions, not
 * hundreds. This file knows nothing about records or fields.
 */
#ifndef CORETAP_UTIL_BUF_H
#define CORETAP_UTIL_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct buf {
	char *data; /* owned; [0, len) is not yet written */
	size_t len;
	size_t capacity;
	int fd;
	uint64_t written; /* bytes written so far */
	int error;	  /* first -errno of a write or an allocation; later appends do nothing */
	bool per_line;	  /* for a terminal: flush after each line */
	bool is_colored;
	unsigned columns;   /* of the terminal that shows the lines; 0: they may be of any length */
	uint64_t shortened; /* texts of which that terminal shows only a part */
	bool by_lines; /* for a pipe: each write is whole lines, so no reader sees half a line */
	bool defers; /* a flush writes what the pipe or socket accepts now; the rest waits for the next flush */
	bool can_wait; /* what a flush could not write may be written by a later one (OUT_LATER) */
	/* for each unit that is not yet fully written, the offset in data of its end */
	size_t *ends, unit_count, unit_room;
};

/* Called when a signal interrupts a blocked write: decides how to go on. NULL: always OUT_GO_ON. */
enum buf_verdict {
	OUT_GO_ON,
	OUT_LATER,   /* leave the rest in the buffer if can_wait is set; else as OUT_GIVE_UP */
	OUT_GIVE_UP, /* fail with -ETIMEDOUT */
};
extern enum buf_verdict (*buf_blocked)(void);

void buf_init(struct buf *o, int fd);
void buf_free(struct buf *o);
/* Writes everything, across partial writes and EINTR, or as much as buf_blocked or `defers` allows. Returns 0 or
 * -errno (also stored in `error`). */
int buf_flush(struct buf *o);

/* Records the first error and makes later appends do nothing. Returns the first error. */
int buf_fail(struct buf *o, int err);

/* The slow half of buf_unit_end. */
void buf_unit_grow(struct buf *o);

/* Marks the end of a unit, for example a record. `unit_count` is the number of units not yet written completely;
 * after an error, that is how many are lost. A unit appended after an error is counted although its bytes are
 * dropped. */
static inline void buf_unit_end(struct buf *o)
{
	if (__builtin_expect(o->unit_count == o->unit_room, 0))
		buf_unit_grow(o);
	else
		o->ends[o->unit_count++] = o->len;
}

/* The slow half of buf_reserve: grows the buffer. Returns NULL after an error. */
char *buf_grow(struct buf *o, size_t n);

/* Returns room for n more bytes after data + len, or NULL after an error. The caller adds to len what it filled. Any
 * append may overwrite the room after len, so fill it in order and at once. This and the next three are inline so
 * that short literals become plain moves. */
static inline char *buf_reserve(struct buf *o, size_t n)
{
	if (__builtin_expect(n >= o->capacity - o->len, 0))
		return buf_grow(o, n);
	return o->data + o->len;
}

static inline void buf_bytes(struct buf *o, const void *p, size_t n)
{
	char *to = buf_reserve(o, n);

	if (__builtin_expect(!to, 0))
		return;
	memcpy(to, p, n);
	o->len += n;
}

/* Appends at most 16 bytes by one store. 16 bytes must be readable at p. */
static inline void buf_short(struct buf *o, const void *p, size_t n)
{
	char *to = buf_reserve(o, 16);

	if (__builtin_expect(!to, 0))
		return;
	memcpy(to, p, 16);
	o->len += n;
}

static inline void buf_str(struct buf *o, const char *s)
{
	buf_bytes(o, s, strlen(s));
}

static inline void buf_char(struct buf *o, char c)
{
	buf_bytes(o, &c, 1);
}

/* Drops everything after offset `len`; does nothing after an error. */
void buf_rewind(struct buf *o, size_t len);
void buf_repeat(struct buf *o, char c, size_t n);
/* Inserts `fill` n times at offset `at`. */
void buf_indent(struct buf *o, size_t at, size_t n, char fill);
/* Appends up to 16 blanks by one store, as needed between the cells of rows. */
static inline void buf_blanks(struct buf *o, size_t n)
{
	if (__builtin_expect(n > 16 || o->capacity - o->len <= 16, 0)) {
		buf_repeat(o, ' ', n);
		return;
	}
	memset(o->data + o->len, ' ', 16);
	o->len += n;
}

void buf_uint(struct buf *o, uint64_t v);
/* Appends a number padded on the left with blanks, or zeros, to at least that width. */
void buf_uint_right(struct buf *o, uint64_t v, int width);
void buf_uint_pad(struct buf *o, uint64_t v, int digits);
void buf_int(struct buf *o, int64_t v);
void buf_hex(struct buf *o, uint64_t v); /* without 0x */
void buf_hex_pad(struct buf *o, uint64_t v, int digits);
void buf_octal(struct buf *o, uint64_t v);
/* As printf; for rare text (headers, summaries). */
void buf_printf(struct buf *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* ---- numbers in JSON ---- */

/* Numbers are always written with all digits. Readers that store numbers as doubles round those beyond 2^53, unless
 * they get them as strings (--json-strings). */
extern bool buf_json_strings;

/* Returns the quote to write before and after a number of that magnitude: "\"" or "". */
const char *buf_json_quote(uint64_t magnitude);
void buf_json_uint(struct buf *o, uint64_t u);
void buf_json_int(struct buf *o, int64_t i);

#endif
