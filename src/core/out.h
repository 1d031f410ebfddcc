/* SPDX-License-Identifier: GPL-2.0 */
/*
 * out.h - a growing byte buffer with fast writers, and its flush to a file descriptor.
 *
 * Rows and JSON lines are put together here, never by printf: a number costs tens of
 * instructions, not hundreds. It must not know what a record or a field is.
 */
#ifndef CORETAP_OUT_H
#define CORETAP_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct out {
	char *data; /* owned; [0, len) is not yet written */
	size_t len;
	size_t capacity;
	int fd;
	int error;     /* first -errno of a write or an allocation; later puts do nothing */
	bool per_line; /* a terminal: flush after each line */
	/* where the units that are not yet written end, in data */
	size_t *ends, unit_count, unit_room;
};

void out_init(struct out *o, int fd);
void out_free(struct out *o);
/* Writes everything, across partial writes and EINTR. Returns 0 or -errno (also kept in error). */
int out_flush(struct out *o);

/* The slow half of out_unit_end. */
void out_unit_grow(struct out *o);

/* A unit ends here, a record say: `unit_count` is how many are not yet written whole, which after an
 * error is how many are lost. A unit that was put after the error has left no bytes, and counts. */
static inline void out_unit_end(struct out *o)
{
	if (__builtin_expect(o->unit_count == o->unit_room, 0))
		out_unit_grow(o);
	else
		o->ends[o->unit_count++] = o->len;
}

/* The slow half of out_reserve: more memory, or NULL after an error. */
char *out_grow(struct out *o, size_t n);

/* Room for n more bytes behind data + len, or NULL after an error; who fills it adds to len. Any put
 * may scribble on the room behind len, so it is filled in order and at once. This
 * and the next three are inline so that short literals become plain moves. */
static inline char *out_reserve(struct out *o, size_t n)
{
	if (__builtin_expect(n >= o->capacity - o->len, 0))
		return out_grow(o, n);
	return o->data + o->len;
}

static inline void out_bytes(struct out *o, const void *p, size_t n)
{
	char *to = out_reserve(o, n);

	if (__builtin_expect(!to, 0))
		return;
	memcpy(to, p, n);
	o->len += n;
}

/* The same of at most 16 bytes, where 16 can be read: one store. */
static inline void out_short(struct out *o, const void *p, size_t n)
{
	char *to = out_reserve(o, 16);

	if (__builtin_expect(!to, 0))
		return;
	memcpy(to, p, 16);
	o->len += n;
}

static inline void out_str(struct out *o, const char *s)
{
	out_bytes(o, s, strlen(s));
}

static inline void out_char(struct out *o, char c)
{
	out_bytes(o, &c, 1);
}

/* Takes back what was put behind `len`; nothing after an error. */
void out_rewind(struct out *o, size_t len);
void out_repeat(struct out *o, char c, size_t n);
/* Up to 16 by one store, as rows have them between cells. */
static inline void out_blanks(struct out *o, size_t n)
{
	if (__builtin_expect(n > 16 || o->capacity - o->len <= 16, 0)) {
		out_repeat(o, ' ', n);
		return;
	}
	memset(o->data + o->len, ' ', 16);
	o->len += n;
}

void out_uint(struct out *o, uint64_t v);
/* With blanks, or zeros, in front to at least that width. */
void out_uint_right(struct out *o, uint64_t v, int width);
void out_uint_pad(struct out *o, uint64_t v, int digits);
void out_int(struct out *o, int64_t v);
void out_hex(struct out *o, uint64_t v);      /* no 0x */
void out_hex_pad(struct out *o, uint64_t v, int digits);
void out_octal(struct out *o, uint64_t v);
/* printf for what is rare (headers, summaries). */
void out_printf(struct out *o, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
