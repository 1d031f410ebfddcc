// SPDX-License-Identifier: GPL-2.0
/*
 * out.c - the byte buffer under every line of output.
 *
 * Writers reserve room and fill it in place; the capacity doubles, so a put costs a comparison in
 * the common case. After an error the capacity is closed down to len: every later put then takes
 * the slow path, which sees the error and does nothing. It must not know of records or fields.
 */
#include "core/out.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define OUT_FIRST_CAPACITY 4096
#define OUT_UINT_DIGITS 20 /* 18446744073709551615 */

void out_init(struct out *o, int fd)
{
	*o = (struct out){ .fd = fd };
}

void out_free(struct out *o)
{
	free(o->ends);
	free(o->data);
	*o = (struct out){ .fd = -1 };
}

/* Remembers the first error and lets no more bytes in. */
static int out_fail(struct out *o, int err)
{
	if (!o->error)
		o->error = err;
	o->capacity = o->len;
	return o->error;
}

char *out_grow(struct out *o, size_t n)
{
	size_t capacity = o->capacity ? o->capacity * 2 : OUT_FIRST_CAPACITY;
	char *data;

	if (o->error)
		return NULL;
	if (n > SIZE_MAX / 4 || o->len > SIZE_MAX / 4) {
		out_fail(o, -ENOMEM);
		return NULL;
	}
	if (capacity < o->len + n)
		capacity = o->len + n;
	data = realloc(o->data, capacity);
	if (!data) {
		out_fail(o, -ENOMEM);
		return NULL;
	}
	o->data = data;
	o->capacity = capacity;
	return data + o->len;
}

void out_rewind(struct out *o, size_t len)
{
	if (!o->error && len < o->len)
		o->len = len;
}

/* Waits for a non-blocking descriptor; everything else that write(2) says is final. */
static int out_wait(int fd, int err)
{
	struct pollfd p = { .fd = fd, .events = POLLOUT };

	if (err == EINTR)
		return 0;
	if (err != EAGAIN)
		return -err;
	return poll(&p, 1, -1) < 0 && errno != EINTR ? -errno : 0;
}

void out_unit_grow(struct out *o)
{
	size_t room = o->unit_room ? 2 * o->unit_room : 256;
	size_t *ends = realloc(o->ends, room * sizeof(*ends));

	if (!ends) {
		out_fail(o, -ENOMEM);
		return;
	}
	o->ends = ends;
	o->unit_room = room;
	ends[o->unit_count++] = o->len;
}

/* The first `done` bytes are written. Those behind them move up. */
static void units_written(struct out *o, size_t done)
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

int out_flush(struct out *o)
{
	size_t done = 0;
	int err = o->error;

	while (!err && done < o->len) {
		ssize_t n = write(o->fd, o->data + done, o->len - done);

		if (n > 0)
			done += n;
		else
			err = n ? out_wait(o->fd, errno) : -EIO;
	}
	if (done) {
		units_written(o, done);
		memmove(o->data, o->data + done, o->len - done);
	}
	o->len -= done;
	return err ? out_fail(o, err) : 0;
}

void out_repeat(struct out *o, char c, size_t n)
{
	char *to = out_reserve(o, n);

	if (!to)
		return;
	memset(to, c, n);
	o->len += n;
}

static const char digit_pairs[] = "00010203040506070809101112131415161718192021222324"
				  "25262728293031323334353637383940414243444546474849"
				  "50515253545556575859606162636465666768697071727374"
				  "75767778798081828384858687888990919293949596979899";

/* The last four digits of a number below 10000 that has them all, zeros included. */
static __always_inline void put_four(char *to, uint32_t v)
{
	uint32_t high = v / 100;

	memcpy(to, digit_pairs + high * 2UL, 2);
	memcpy(to + 2, digit_pairs + (v - high * 100) * 2UL, 2);
}

/* The digits of v, ending before `end`: four for one division, in 32 bits as soon as the rest fits. */
static __always_inline void put_digits(char *end, uint64_t v)
{
	uint32_t rest;

	for (; v > UINT32_MAX; v /= 10000)
		put_four(end -= 4, (uint32_t)(v % 10000));
	for (rest = (uint32_t)v; rest >= 10000; rest /= 10000)
		put_four(end -= 4, rest % 10000);
	if (rest >= 100) {
		memcpy(end -= 2, digit_pairs + rest % 100 * 2UL, 2);
		rest /= 100;
	}
	if (rest >= 10)
		memcpy(end - 2, digit_pairs + rest * 2UL, 2);
	else
		end[-1] = (char)('0' + rest);
}

/* 1233 / 4096 is just above log10(2): the bits tell the digits, or one too many. */
static __always_inline unsigned count_digits(uint64_t v)
{
	static const uint64_t powers[] = {
		0, 10ULL, 100ULL, 1000ULL, 10000ULL, 100000ULL, 1000000ULL, 10000000ULL,
		100000000ULL, 1000000000ULL, 10000000000ULL, 100000000000ULL, 1000000000000ULL,
		10000000000000ULL, 100000000000000ULL, 1000000000000000ULL,
		10000000000000000ULL, 100000000000000000ULL, 1000000000000000000ULL,
		10000000000000000000ULL,
	};
	unsigned bits = 64 - __builtin_clzll(v | 1), n = bits * 1233 >> 12;

	return n + (v >= powers[n]);
}

#define FILL_STORE 32 /* filled at once, without a call of memset; the digits go over the rest */

static void uint_slow(struct out *o, uint64_t v, unsigned width, char fill);

/* Every decimal number ends here. What is rare is a call in last place, so the common path saves no
 * registers: that was a third of its cost. */
static __always_inline void put_uint(struct out *o, uint64_t v, unsigned width, char fill)
{
	unsigned digits = count_digits(v), columns = digits < width ? width : digits;
	char *to = o->data + o->len;

	if (__builtin_expect(o->capacity - o->len <= columns + FILL_STORE ||
			     columns - digits > FILL_STORE, 0)) {
		uint_slow(o, v, width, fill);
		return;
	}
	o->len += columns;
	if (digits < width)
		memset(to, fill, FILL_STORE);
	put_digits(to + columns, v);
}

/* Not enough room, or more fill than one store gives. */
static __attribute__((noinline)) void uint_slow(struct out *o, uint64_t v, unsigned width,
						char fill)
{
	unsigned digits = count_digits(v);

	if (digits < width)
		out_repeat(o, fill, width - digits);
	if (out_reserve(o, OUT_UINT_DIGITS + FILL_STORE))
		put_uint(o, v, 0, fill);
}

void out_uint(struct out *o, uint64_t v)
{
	put_uint(o, v, 0, ' ');
}

void out_uint_right(struct out *o, uint64_t v, int width)
{
	put_uint(o, v, width > 0 ? (unsigned)width : 0, ' ');
}

void out_uint_pad(struct out *o, uint64_t v, int digits)
{
	put_uint(o, v, digits > 0 ? (unsigned)digits : 0, '0');
}

void out_int(struct out *o, int64_t v)
{
	if (v < 0)
		out_char(o, '-');
	put_uint(o, v < 0 ? -(uint64_t)v : (uint64_t)v, 0, ' ');
}

/* Digits of `bits` bits each, at least `digits` of them. */
static void put_power_of_two(struct out *o, uint64_t v, int bits, int digits)
{
	int used = 64 - __builtin_clzll(v | 1);
	int n = (used + bits - 1) / bits;
	char *to;

	n = n < digits ? digits : n;
	to = out_reserve(o, n);
	if (!to)
		return;
	o->len += n;
	while (n--) {
		to[n] = "0123456789abcdef"[v & ((1U << bits) - 1)];
		v >>= bits;
	}
}

void out_hex(struct out *o, uint64_t v)
{
	put_power_of_two(o, v, 4, 1);
}

void out_hex_pad(struct out *o, uint64_t v, int digits)
{
	put_power_of_two(o, v, 4, digits);
}

void out_octal(struct out *o, uint64_t v)
{
	put_power_of_two(o, v, 3, 1);
}

void out_printf(struct out *o, const char *fmt, ...)
{
	va_list args;
	char *to;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	to = n < 0 ? NULL : out_reserve(o, (size_t)n + 1);
	if (!to)
		return;
	va_start(args, fmt);
	vsnprintf(to, (size_t)n + 1, fmt, args);
	va_end(args);
	o->len += n;
}
