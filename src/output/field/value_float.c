/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_float.c - writes floating-point numbers by the fewest digits that are read as the same number, complex numbers
 * as 1.5-2i, and integers of 16 bytes.
 */
#include "output/field/value_float.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/value.h"

enum { TEXT_SIZE = 48, DIGITS_MAX = 40 };

/* ---- numbers ---- */

/* IEEE 754 binary16: 5 bits of exponent, 10 of fraction. */
static double half_value(uint16_t half)
{
	int exponent = half >> 10 & 31, fraction = half & 1023;
	double value = exponent == 31 ? (fraction ? NAN : INFINITY) :
		       exponent	      ? ldexp(1024 + fraction, exponent - 25) :
					ldexp(fraction, -24);

	return half >> 15 ? -value : value;
}

static bool size_is_known(size_t size, bool is_long)
{
	return is_long ? size == sizeof(long double) :
			 size == sizeof(float) || size == sizeof(double);
}

static long double number_load(const char *bytes, size_t size)
{
	long double wide = 0;
	uint16_t half;
	double d;
	float f;

	switch (size) {
	case sizeof(half): memcpy(&half, bytes, size); return half_value(half);
	case sizeof(f): memcpy(&f, bytes, size); return f;
	case sizeof(d): memcpy(&d, bytes, size); return d;
	default: memcpy(&wide, bytes, sizeof(wide)); return wide;
	}
}

static bool is_same(const char *text, long double number, size_t size)
{
	switch (size) {
	case sizeof(float): return strtof(text, NULL) == (float)number;
	case sizeof(double): return strtod(text, NULL) == (double)number;
	default: return strtold(text, NULL) == number;
	}
}

/* 2 bytes need 5 digits, and no other number of their kind has the same ones. */
static void number_text(char text[TEXT_SIZE], long double number, size_t size)
{
	int digits = size == 2 ? 5 : 6, most = size == 2 ? 5 : DIGITS_MAX;

	do
		snprintf(text, TEXT_SIZE, "%.*Lg", digits, number);
	while (digits++ < most && !is_same(text, number, size));
}

static void number_write(struct buf *o, const char *bytes, size_t size, bool json)
{
	long double number = number_load(bytes, size);
	char text[TEXT_SIZE];

	if (number != number)
		strcpy(text, "nan"); /* without its sign, which means nothing */
	else
		number_text(text, number, size);
	buf_str(o, json && !isfinite(number) ? "\"" : "");
	buf_str(o, text);
	buf_str(o, json && !isfinite(number) ? "\"" : "");
}

size_t text_float(struct buf *o, const struct field *f, const struct value *v,
		  enum timestamp_form form)
{
	size_t start = o->len;

	(void)form;
	number_write(o, (const char *)&v->u, f->size, false);
	return o->len - start;
}

void json_float(struct buf *o, const struct field *f, const struct value *v)
{
	number_write(o, (const char *)&v->u, f->size, true);
}

double float_weight(const struct field *f, const struct value *v)
{
	return (double)number_load((const char *)&v->u, f->size);
}

/* ---- wide values ---- */

static void integer_write(struct buf *o, const char *bytes, bool is_signed)
{
	char text[DIGITS_MAX], *at = text + sizeof(text);
	unsigned __int128 u;
	bool is_negative;

	memcpy(&u, bytes, sizeof(u));
	is_negative = is_signed && (__int128)u < 0;
	u = is_negative ? -u : u;
	do
		*--at = (char)('0' + (unsigned)(u % 10));
	while (u /= 10);
	if (is_negative)
		buf_char(o, '-');
	buf_bytes(o, at, (size_t)(text + sizeof(text) - at));
}

static void complex_write(struct buf *o, const char *bytes, size_t size, bool json)
{
	long double second = number_load(bytes + size, size);

	buf_str(o, json ? "\"" : "");
	number_write(o, bytes, size, false);
	buf_str(o, signbit(second) && second == second ? "" : "+");
	number_write(o, bytes + size, size, false);
	buf_str(o, json ? "i\"" : "i");
}

bool wide_write(struct buf *o, const struct btf_view *b, uint32_t id, const char *bytes, bool json)
{
	const struct btf_type *t = btf_view_stripped(b, id);
	const char *name = t ? btf_view_string(b, t->name_off) : "";
	/* 16 bytes may also be a _Float128, of which the processor may know nothing */
	bool is_complex = strstr(name, "omplex"), is_long = strstr(name, "long double");
	size_t size = t ? t->size : 0;

	if (!t)
		return false;
	if (btf_kind(t) == BTF_KIND_INT && size == sizeof(__int128))
		integer_write(o, bytes, BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_SIGNED);
	else if (btf_kind(t) != BTF_KIND_FLOAT || strstr(name, "ecimal"))
		return false;
	else if (is_complex && size_is_known(size / 2, is_long))
		complex_write(o, bytes, size / 2, json);
	else if (!is_complex && size_is_known(size, is_long))
		number_write(o, bytes, size, json);
	else
		return false;
	return true;
}
