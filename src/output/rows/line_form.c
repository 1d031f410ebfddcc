/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line_form.c - how a value of a line is written.
 */
#include "output/rows/line_form.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "event.h"
#include "output/field/field_load.h"
#include "output/field/value_number.h"
#include "output/field/value_text.h"

enum { WIDTH_MAX = 200, NUMBER_MAX = 256 };

/* ---- reading ---- */

/* A number of at most WIDTH_MAX; *at is moved behind it. -1: it is larger. */
static int number_read(const char **at, const char *end)
{
	int number = 0;

	for (; *at < end && isdigit((unsigned char)**at); ++*at) {
		number = number * 10 + **at - '0';
		if (number > WIDTH_MAX)
			return -1;
	}
	return number;
}

/* -16, 8 */
static bool width_read(struct line_form *f, const char *at, const char *end)
{
	bool is_left = at < end && *at == '-';

	at += is_left;
	f->width = number_read(&at, end);
	if (at != end || f->width <= 0)
		return false;
	f->width = is_left ? -f->width : f->width;
	return true;
}

static bool text_read(struct line_form *f, const char *start, const char *end)
{
	size_t len = end - start;

	if (len >= sizeof(f->text))
		return false;
	memcpy(f->text, start, len);
	f->text[len] = '\0';
	return true;
}

/* h, hh, l, ll, z, j, t */
static void modifier_read(struct line_form *f, const char **at, const char *end)
{
	size_t h = 0;

	for (; *at < end && strchr("hlzjt", **at); ++*at)
		h += **at == 'h';
	f->modifier = h > 1 ? 'H' : h ? 'h' : '\0';
}

/* What printf is given: 64 bits, by "ll". */
static bool conversion_read(struct line_form *f, const char *start, const char *end)
{
	const char *at = start + 1, *numbers;
	char flags[8] = "";
	size_t count = 0;

	for (; at < end && strchr("-+ #0", *at); at++)
		if (count < sizeof(flags) - 1)
			flags[count++] = *at;
	numbers = at;
	f->width = number_read(&at, end);
	f->precision = -1;
	if (at < end && *at == '.') {
		at++;
		f->precision = number_read(&at, end);
		if (f->precision < 0)
			return false;
	}
	if (f->width < 0)
		return false;
	snprintf(f->text, sizeof(f->text), "%%%s%.*s", flags, (int)(at - numbers), numbers);
	modifier_read(f, &at, end);
	if (at + 1 != end || !strchr("diuxXocs", *at))
		return false;
	f->letter = *at;
	f->kind = *at == 's' ? LINE_STRING : LINE_NUMBER;
	if (*at == 's' || *at == 'c')
		f->width = strchr(flags, '-') ? -f->width : f->width;
	else
		snprintf(f->text + strlen(f->text), 4, "ll%c", *at);
	return true;
}

bool line_form_read(struct line_form *f, const char *start, const char *end)
{
	*f = (struct line_form){ .kind = LINE_PLAIN, .precision = -1 };
	if (start < end && *start == '%')
		return conversion_read(f, start, end);
	if (start < end && (*start == '+' || *start == '@')) {
		f->kind = *start == '+' ? LINE_AFTER : LINE_TIME;
		return text_read(f, start + 1, end);
	}
	return width_read(f, start, end);
}

bool line_form_fits(const struct line_form *f, const struct field *field)
{
	field_load_fn *load = field_kind(field)->load;

	return (f->kind != LINE_NUMBER && f->kind != LINE_TIME) ||
	       (!field->count && (load == load_unsigned || load == load_signed));
}

/* ---- writing ---- */

static void blanks_put(struct buf *o, size_t start, size_t columns, int width)
{
	size_t wanted = abs(width);

	if (columns < wanted && width > 0)
		buf_indent(o, start, wanted - columns);
	else if (columns < wanted)
		buf_blanks(o, wanted - columns);
}

static uint64_t narrowed(const struct line_form *f, uint64_t u)
{
	bool is_signed = f->letter == 'd' || f->letter == 'i';

	if (f->modifier == 'H')
		return is_signed ? (uint64_t)(int8_t)u : (uint8_t)u;
	if (f->modifier == 'h')
		return is_signed ? (uint64_t)(int16_t)u : (uint16_t)u;
	return u;
}

static void number_put(struct buf *o, const struct line_form *f, const struct field *field,
		       const struct value *v)
{
	uint64_t u = field->type == FIELD_PORT ? big_endian(field, v) : v->u;
	size_t start = o->len;
	char text[NUMBER_MAX], c = (char)u;

	if (f->letter == 'c') {
		blanks_put(o, start, escape_put(o, &c, 1), f->width);
		return;
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), f->text,
		 (long long)narrowed(f, u)); /* conversion_read made it */
#pragma GCC diagnostic pop
	buf_str(o, text);
}

/* Cuts what was written from `start` on, one column each. Returns the width. */
static size_t string_cut(struct buf *o, size_t start, size_t columns, int precision)
{
	if (precision < 0 || columns <= (size_t)precision)
		return columns;
	for (size_t at = start, seen = 0; at < o->len; at++) {
		bool is_first = ((unsigned char)o->data[at] & 0xc0) != 0x80; /* of a character */

		if (is_first && seen++ == (size_t)precision)
			o->len = at;
	}
	return precision;
}

int line_form_put(struct buf *o, const struct line_form *f, const struct field *field,
		  const void *record, size_t size, enum timestamp_form form)
{
	size_t start = o->len, columns;
	struct value v;

	if (field_kind(field)->flags & KIND_BELOW)
		return 0;
	if (field_load(field, record, size, &v))
		return -EBADMSG;
	if (f->kind == LINE_AFTER && !v.bytes && v.status != EVENT_FAULT)
		return 0;
	if (f->kind == LINE_AFTER)
		buf_str(o, f->text);
	if (f->kind == LINE_NUMBER && !value_is_unreadable(&v)) {
		number_put(o, f, field, &v);
		return 0;
	}
	if (f->kind == LINE_TIME && !value_is_unreadable(&v)) {
		timestamp_put_as(o, v.u, f->text);
		return 0;
	}
	columns = value_text_put(o, field, &v, form);
	if (f->kind == LINE_STRING)
		columns = string_cut(o, start, columns, f->precision);
	blanks_put(o, start, columns, f->width);
	return 0;
}
