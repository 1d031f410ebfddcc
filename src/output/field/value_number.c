/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_number.c - writes numbers, and the names that they stand for, as text.
 */
#include "output/field/value_number.h"

#include <endian.h>
#include <string.h>

#include "output/field/timestamp.h"
#include "output/field/trace_ctx.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "util/errname.h"
#include "util/escape.h"
#include "util/passwd.h"

static void write_flags(struct buf *o, const struct field *f, const struct value *v)
{
	const struct field_name *n;
	uint64_t named = 0;
	size_t start = o->len;

	while ((n = value_flag_next(f, v, &named))) {
		if (o->len != start)
			buf_char(o, '|');
		escape_write(o, n->name, strlen(n->name));
	}
	if (o->len == start && !v->u)
		buf_char(o, '0');
	if (!(v->u & ~named))
		return;
	buf_str(o, o->len != start ? "|0x" : "0x");
	buf_hex(o, v->u & ~named);
}

static void write_enum(struct buf *o, const struct field *f, const struct value *v)
{
	const char *name = value_enum_name(f, v);

	if (name)
		escape_write(o, name, strlen(name));
	else if (f->names && v->u == UINT64_MAX) /* no such number: -1 of any width */
		buf_str(o, "-1");
	else
		buf_uint(o, v->u);
}

static void write_errno(struct buf *o, const struct value *v)
{
	const char *name = errname(value_errno(v));

	if (name)
		buf_str(o, name);
	else
		buf_uint(o, value_errno(v));
}

static void write_result(struct buf *o, const struct value *v)
{
	const char *name = errname(value_errno(v));

	if (!name) {
		buf_int(o, (int64_t)v->u);
		return;
	}
	buf_char(o, '-');
	buf_str(o, name);
}

/* Writes three significant digits, rounded: 999ns, 1.23us, 12.3us, 123us, … 123s; 12345s. */
void duration_write(struct buf *o, uint64_t ns)
{
	static const char units[][3] = { "ns", "us", "ms", "s" };
	uint64_t scale = 1, limit = 1000, digits; /* at this value the number has four digits */
	unsigned power = 0, point;
	char *to;

	while (power < 9 && ns >= limit) {
		limit = power++ ? limit * 10 : 9995;
		scale *= 10;
	}
	digits = ns / scale;
	digits += ns - digits * scale >= (scale + 1) / 2;
	point = power % 3;
	to = buf_reserve(o, 4);
	if (!power || digits > 999) {
		buf_uint(o, digits);
	} else if (to) {
		to[point] = '.'; /* the point may replace the first digit */
		to[0] = (char)('0' + digits / 100);
		to[1 + (point == 1)] = (char)('0' + digits / 10 % 10);
		to[2 + (point > 0)] = (char)('0' + digits % 10);
		o->len += 3 + (point > 0);
	}
	buf_bytes(o, units[(power + 2) / 3], power > 6 ? 1 : 2);
}

/* Treat an overflow as infinite. */
static void write_span(struct buf *o, const struct value *v, uint64_t unit)
{
	bool negative = (int64_t)v->u < 0;
	uint64_t ns;

	if (negative)
		buf_char(o, '-');
	if (__builtin_mul_overflow(negative ? -v->u : v->u, unit, &ns))
		ns = UINT64_MAX;
	duration_write(o, ns);
}

void hundredths_write(struct buf *o, int64_t hundredths)
{
	uint64_t u = hundredths < 0 ? -(uint64_t)hundredths : (uint64_t)hundredths;

	if (hundredths < 0)
		buf_char(o, '-');
	buf_uint(o, u / 100);
	buf_char(o, '.');
	buf_char(o, (char)('0' + u / 10 % 10));
	buf_char(o, (char)('0' + u % 10));
}

/* the kernel's MINORBITS, include/linux/kdev_t.h */
static void write_device(struct buf *o, uint64_t dev)
{
	buf_uint(o, dev >> 20);
	buf_char(o, ':');
	buf_uint(o, dev & ((1 << 20) - 1));
}

static void write_user(struct buf *o, uint64_t uid)
{
	const char *name = user_name((uint32_t)uid);

	if (name)
		escape_write(o, name, strlen(name));
	else
		buf_uint(o, uid);
}

static void write_char(struct buf *o, char c)
{
	buf_char(o, '\'');
	escape_write_part(o, &c, 1, ESCAPE_SHELL);
	buf_char(o, '\'');
}

static void write_hex(struct buf *o, uint64_t u)
{
	buf_bytes(o, "0x", 2);
	buf_hex(o, u);
}

/* Writes -ENOENT if the value is an error. */
static bool write_error(struct buf *o, const struct field *f, const struct value *v)
{
	bool negative;
	const char *name = value_error_name(f, v, &negative);

	if (!name)
		return false;
	if (negative)
		buf_char(o, '-');
	buf_str(o, name);
	return true;
}

static void write_octal(struct buf *o, uint64_t u)
{
	buf_char(o, '0');
	if (u)
		buf_octal(o, u);
}

size_t time_write(struct buf *o, uint64_t ns, enum timestamp_form form)
{
	size_t start = o->len;

	if (ns)
		timestamp_write(o, ns, form);
	else
		buf_char(o, '-');
	return o->len - start;
}

/* Uses blktrace's letters (blk_fill_rwbs): the operation in the low 8 bits, and REQ_… */
static void write_rwbs(struct buf *o, uint64_t flags)
{
	static const char *const ops[] = { [0] = "R", [1] = "W", [2] = "F", [3] = "D", [5] = "DE" };
	static const struct {
		uint32_t bit;
		char letter;
	} letters[] = { { 1 << 17, 'F' }, { 1 << 19, 'A' }, { 1 << 11, 'S' }, { 1 << 12, 'M' } };
	unsigned op = flags & 0xff;

	if (flags & 1 << 18)
		buf_char(o, 'F');
	buf_str(o, op < sizeof(ops) / sizeof(ops[0]) && ops[op] ? ops[op] : "N");
	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (flags & letters[i].bit)
			buf_char(o, letters[i].letter);
}

TEXT_ASCII(uint, buf_uint(o, v->u))
TEXT_ASCII(int, buf_int(o, (int64_t)v->u))
TEXT_ASCII(hex, write_hex(o, v->u))
TEXT_ASCII(octal, write_octal(o, v->u))
TEXT_ASCII(bool, buf_str(o, v->u ? "true" : "false"))
TEXT_ASCII(char, write_char(o, (char)v->u))
TEXT_ASCII(enum, write_enum(o, f, v))
TEXT_ASCII(flags, write_flags(o, f, v))
TEXT_ASCII(fd, buf_int(o, value_errno(v) ? -1 : (int64_t)v->u))
TEXT_ASCII(errno, write_errno(o, v))
TEXT_ASCII(result, write_result(o, v))
TEXT_ASCII(duration, duration_write(o, v->u))
TEXT_ASCII(span_ns, write_span(o, v, 1))
TEXT_ASCII(span_us, write_span(o, v, 1000))
TEXT_ASCII(span_ms, write_span(o, v, 1000000))
TEXT_ASCII(hundredths, hundredths_write(o, (int64_t)v->u))
TEXT_ASCII(device, write_device(o, v->u))
TEXT_ASCII(user, write_user(o, v->u))
TEXT_ASCII(time, time_write(o, v->u, form))
TEXT_ASCII(rwbs, write_rwbs(o, v->u))
TEXT_ASCII(port, buf_uint(o, big_endian(f, v)))
TEXT_ASCII(trace_ctx, trace_ctx_write(o, v->u))

TEXT_ASCII(pointer, {
	if (!write_error(o, f, v))
		write_hex(o, v->u);
})

TEXT_ASCII(error, {
	if (!write_error(o, f, v))
		buf_int(o, (int64_t)v->u);
})
