/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * buf.c - the byte buffer that every line of output is written to.
 *
 * Writers reserve room and fill it in place. The capacity doubles, so an append usually costs one comparison. After
 * an error the capacity is set to len, so that every later append uses the slow path, which sees the error and does
 * nothing. This file knows nothing about records or fields.
 */
#include "util/buf.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BUF_FIRST_CAPACITY 4096
enum { ATOMIC = 4096 }; /* PIPE_BUF: a write to a pipe of up to this many bytes is atomic */

enum buf_verdict (*buf_blocked)(void);

#define BUF_UINT_DIGITS 20 /* digits of 18446744073709551615 */

void buf_init(struct buf *o, int fd)
{
	*o = (struct buf){ .fd = fd };
}

void buf_free(struct buf *o)
{
	free(o->ends);
	free(o->data);
	*o = (struct buf){ .fd = -1 };
}

int buf_fail(struct buf *o, int err)
{
	if (!o->error)
		o->error = err;
	o->capacity = o->len;
	return o->error;
}

char *buf_grow(struct buf *o, size_t n)
{
	size_t capacity = o->capacity ? o->capacity * 2 : BUF_FIRST_CAPACITY;
	char *data;

	if (o->error)
		return NULL;
	if (n > SIZE_MAX / 4 || o->len > SIZE_MAX / 4) {
		buf_fail(o, -ENOMEM);
		return NULL;
	}
	if (capacity < o->len + n)
		capacity = o->len + n;
	data = realloc(o->data, capacity);
	if (!data) {
		buf_fail(o, -ENOMEM);
		return NULL;
	}
	o->data = data;
	o->capacity = capacity;
	return data + o->len;
}

void buf_rewind(struct buf *o, size_t len)
{
	if (!o->error && len < o->len)
		o->len = len;
}

/* Called after a short or failed write. Returns 0 to try again, 1 to leave the rest for later, or -errno. */
static int buf_wait(const struct buf *o, int err)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };
	enum buf_verdict verdict;

	if (err == EAGAIN &&
	    poll(&p, 1, -1) < 0) /* a non-blocking descriptor: wait until it is ready */
		err = errno;
	if (err != EINTR)
		return err == EAGAIN ? 0 : -err;
	verdict = buf_blocked ? buf_blocked() : OUT_GO_ON;
	if (verdict == OUT_GO_ON)
		return 0;
	return verdict == OUT_LATER && o->can_wait ? 1 : -ETIMEDOUT;
}

/* Returns how many bytes of [done, len) to write at once. */
static size_t buf_part(const struct buf *o, size_t done)
{
	size_t left = o->len - done;
	const char *from = o->data + done, *end;

	if (!o->by_lines || left <= ATOMIC)
		return left;
	end = memrchr(from, '\n', ATOMIC);
	if (!end && o->defers)
		return ATOMIC;
	end = end ?: memchr(from + ATOMIC, '\n', left - ATOMIC);
	return end ? (size_t)(end + 1 - from) : left;
}

/* A pipe or socket that is ready accepts ATOMIC bytes at once. A broken one is also ready: the write fails. */
static bool is_ready(const struct buf *o)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };

	return !o->defers || poll(&p, 1, 0);
}

void buf_unit_grow(struct buf *o)
{
	size_t room = o->unit_room ? 2 * o->unit_room : 256;
	size_t *ends = realloc(o->ends, room * sizeof(*ends));

	if (!ends) {
		buf_fail(o, -ENOMEM);
		return;
	}
	o->ends = ends;
	o->unit_room = room;
	ends[o->unit_count++] = o->len;
}

/* Drops the units within the first `done` bytes, which are written, and moves the ends of the others. */
static void units_written(struct buf *o, size_t done)
{
	size_t whole = 0;

	if (done == o->len) {
		o->unit_count = 0;
		return;
	}
	while (whole < o->unit_count && o->ends[whole] <= done)
		whole++;
	o->unit_count -= whole;
	for (size_t i = 0; i < o->unit_count; i++)
		o->ends[i] = o->ends[i + whole] - done;
}

int buf_flush(struct buf *o)
{
	size_t done = 0;
	int err = o->error;

	while (!err && done < o->len && is_ready(o)) {
		size_t part = buf_part(o, done);
		ssize_t n = write(o->fd, o->data + done, part);

		if (n > 0)
			done += n;
		if (n != (ssize_t)part)
			err = n ? buf_wait(o, n > 0 ? EINTR : errno) : -EIO;
	}
	if (done) {
		units_written(o, done);
		memmove(o->data, o->data + done, o->len - done);
	}
	o->len -= done;
	o->written += done;
	return err < 0 ? buf_fail(o, err) : 0;
}

void buf_repeat(struct buf *o, char c, size_t n)
{
	char *to = buf_reserve(o, n);

	if (!to)
		return;
	memset(to, c, n);
	o->len += n;
}

void buf_indent(struct buf *o, size_t at, size_t n, char fill)
{
	if (!buf_reserve(o, n + 32))
		return;
	if (n <= 16 && o->len - at <= 16) { /* the usual case: no calls */
		char text[16];

		memcpy(text, o->data + at, 16);
		memset(o->data + at, fill, 16);
		memcpy(o->data + at + n, text, 16);
		o->len += n;
		return;
	}
	memmove(o->data + at + n, o->data + at, o->len - at);
	memset(o->data + at, fill, n);
	o->len += n;
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
				  "25262728293031323334353637383940414243444546474849"
				  "50515253545556575859606162636465666768697071727374"
				  "75767778798081828384858687888990919293949596979899";

/* Writes the last four digits of a number below 10000, with leading zeros. */
static __always_inline void write_four(char *to, uint32_t v)
{
	uint32_t high = v / 100;

	memcpy(to, digit_pairs + high * 2UL, 2);
	memcpy(to + 2, digit_pairs + (v - high * 100) * 2UL, 2);
}

/* Writes the digits of v so that they end before `end`: four per division, in 32 bits as soon as
 * the rest fits. */
static __always_inline void write_digits(char *end, uint64_t v)
{
	uint32_t rest;

	for (; v > UINT32_MAX; v /= 10000)
		write_four(end -= 4, (uint32_t)(v % 10000));
	for (rest = (uint32_t)v; rest >= 10000; rest /= 10000)
		write_four(end -= 4, rest % 10000);
	if (rest >= 100) {
		memcpy(end -= 2, digit_pairs + rest % 100 * 2UL, 2);
		rest /= 100;
	}
	if (rest >= 10)
		memcpy(end - 2, digit_pairs + rest * 2UL, 2);
	else
		end[-1] = (char)('0' + rest);
}

/* 1233 / 4096 is just above log10(2): the number of bits gives the number of digits, or one too
 * many. */
static __always_inline unsigned count_digits(uint64_t v)
{
	static const uint64_t powers[] = {
		0,
		10ULL,
		100ULL,
		1000ULL,
		10000ULL,
		100000ULL,
		1000000ULL,
		10000000ULL,
		100000000ULL,
		1000000000ULL,
		10000000000ULL,
		100000000000ULL,
		1000000000000ULL,
		10000000000000ULL,
		100000000000000ULL,
		1000000000000000ULL,
		10000000000000000ULL,
		100000000000000000ULL,
		1000000000000000000ULL,
		10000000000000000000ULL,
	};
	unsigned bits = 64 - __builtin_clzll(v | 1), n = bits * 1233 >> 12;

	return n + (v >= powers[n]);
}

#define FILL_STORE 32 /* filled at once, without calling memset; the digits overwrite the rest */

static void uint_slow(struct buf *o, uint64_t v, unsigned width, char fill);

/* Writes every decimal number. The rare cases are tail calls, so that the common path saves no registers: saving them
 * was a third of its cost. */
static __always_inline void write_uint(struct buf *o, uint64_t v, unsigned width, char fill)
{
	unsigned digits = count_digits(v), columns = digits < width ? width : digits;
	char *to = o->data + o->len;

	if (__builtin_expect(o->capacity - o->len <= columns + FILL_STORE ||
				     columns - digits > FILL_STORE,
			     0)) {
		uint_slow(o, v, width, fill);
		return;
	}
	o->len += columns;
	if (digits < width)
		memset(to, fill, FILL_STORE);
	write_digits(to + columns, v);
}

/* Handles too little room, or more fill than one store covers. */
static __attribute__((noinline)) void uint_slow(struct buf *o, uint64_t v, unsigned width,
						char fill)
{
	unsigned digits = count_digits(v);

	if (digits < width)
		buf_repeat(o, fill, width - digits);
	if (buf_reserve(o, BUF_UINT_DIGITS + FILL_STORE))
		write_uint(o, v, 0, fill);
}

void buf_uint(struct buf *o, uint64_t v)
{
	write_uint(o, v, 0, ' ');
}

void buf_uint_right(struct buf *o, uint64_t v, int width)
{
	write_uint(o, v, width > 0 ? (unsigned)width : 0, ' ');
}

void buf_uint_pad(struct buf *o, uint64_t v, int digits)
{
	write_uint(o, v, digits > 0 ? (unsigned)digits : 0, '0');
}

void buf_int(struct buf *o, int64_t v)
{
	if (v < 0)
		buf_char(o, '-');
	write_uint(o, v < 0 ? -(uint64_t)v : (uint64_t)v, 0, ' ');
}

/* Writes digits of `bits` bits each, at least `digits` of them. */
static void write_power_of_two(struct buf *o, uint64_t v, int bits, int digits)
{
	int used = 64 - __builtin_clzll(v | 1);
	int n = (used + bits - 1) / bits;
	char *to;

	n = n < digits ? digits : n;
	to = buf_reserve(o, n);
	if (!to)
		return;
	o->len += n;
	while (n--) {
		to[n] = "0123456789abcdef"[v & ((1U << bits) - 1)];
		v >>= bits;
	}
}

void buf_hex(struct buf *o, uint64_t v)
{
	write_power_of_two(o, v, 4, 1);
}

void buf_hex_pad(struct buf *o, uint64_t v, int digits)
{
	write_power_of_two(o, v, 4, digits);
}

void buf_octal(struct buf *o, uint64_t v)
{
	write_power_of_two(o, v, 3, 1);
}

void buf_printf(struct buf *o, const char *fmt, ...)
{
	va_list args;
	char *to;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	to = n < 0 ? NULL : buf_reserve(o, (size_t)n + 1);
	if (!to)
		return;
	va_start(args, fmt);
	vsnprintf(to, (size_t)n + 1, fmt, args);
	va_end(args);
	o->len += n;
}

/* ---- numbers in JSON ---- */

#define EXACT_MAX (1ull << 53) /* a double holds every integer up to this exactly */

bool buf_json_strings;

const char *buf_json_quote(uint64_t magnitude)
{
	return buf_json_strings && magnitude > EXACT_MAX ? "\"" : "";
}

void buf_json_uint(struct buf *o, uint64_t u)
{
	bool quoted = *buf_json_quote(u);

	if (quoted)
		buf_char(o, '"');
	buf_uint(o, u);
	if (quoted)
		buf_char(o, '"');
}

void buf_json_int(struct buf *o, int64_t i)
{
	bool quoted = *buf_json_quote(i < 0 ? -(uint64_t)i : (uint64_t)i);

	if (quoted)
		buf_char(o, '"');
	buf_int(o, i);
	if (quoted)
		buf_char(o, '"');
}
