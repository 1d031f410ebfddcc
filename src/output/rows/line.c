/* SPDX-License-Identifier: GPL-2.0-only */
/* line.c - writes a record as a text with values in it. */
#include "output/rows/line.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_number.h"
#include "output/field/value_text.h"
#include "event.h"

enum line_form_kind {
	LINE_PLAIN,  /* as a column shows it */
	LINE_NUMBER, /* %d, …: a number of 64 bits unless a modifier says otherwise */
	LINE_STRING, /* %s: cut to the precision */
	LINE_AFTER,  /* a string after other text; empty if there is no value */
	LINE_TIME,   /* a time of CLOCK_MONOTONIC ns, formatted by strftime */
};

struct line_form {
	enum line_form_kind kind;
	/* columns; negative: left-aligned; for LINE_PLAIN and LINE_STRING */
	int width;
	int precision;	       /* for LINE_STRING; -1: none */
	char text[48];	       /* the format of printf or strftime, or the TEXT */
	char letter, modifier; /* for LINE_NUMBER; modifier 'H' means hh */
};

/* ---- the form of a value ---- */

enum { WIDTH_MAX = 200, NUMBER_MAX = 256 };

/* ---- parsing ---- */

/* Parses a number of at most WIDTH_MAX, and moves *at past it. Returns -1 if it is larger. */
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

/* Parses -16, 8. */
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

/* Parses h, hh, l, ll, z, j, t. */
static void modifier_read(struct line_form *f, const char **at, const char *end)
{
	size_t h = 0;

	for (; *at < end && strchr("hlzjt", **at); ++*at)
		h += **at == 'h';
	f->modifier = h > 1 ? 'H' : h ? 'h' : '\0';
}

/* Builds the conversion for printf: 64 bits, with "ll". */
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

/* Parses bytes [start, end). Returns false if they are no form. */
static bool line_form_read(struct line_form *f, const char *start, const char *end)
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

/* True if the field can be printed with this conversion. */
static bool line_form_fits(const struct line_form *f, const struct field *field)
{
	field_load_fn *load = field_kind(field)->load;

	return (f->kind != LINE_NUMBER && f->kind != LINE_TIME) ||
	       (!field->count && (load == load_unsigned || load == load_signed));
}

/* ---- writing ---- */

static void blanks_write(struct buf *o, size_t start, size_t columns, int width)
{
	size_t wanted = abs(width);

	if (columns < wanted && width > 0)
		buf_indent(o, start, wanted - columns, ' ');
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

static void number_write(struct buf *o, const struct line_form *f, const struct field *field,
			 const struct value *v)
{
	uint64_t u = field->type == FIELD_PORT ? big_endian(field, v) : v->u;
	size_t start = o->len;
	char text[NUMBER_MAX], c = (char)u;

	if (f->letter == 'c') {
		blanks_write(o, start, escape_write(o, &c, 1), f->width);
		return;
	}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(text, sizeof(text), f->text,
		 (long long)narrowed(f, u)); /* conversion_read built the format */
#pragma GCC diagnostic pop
	buf_str(o, text);
}

/* Cuts the text from `start` on; each character counts as one column. Returns the width. */
static size_t string_cut(struct buf *o, size_t start, size_t columns, int precision)
{
	if (precision < 0 || columns <= (size_t)precision)
		return columns;
	for (size_t at = start, seen = 0; at < o->len; at++) {
		/* first byte of a character */
		bool is_first = ((unsigned char)o->data[at] & 0xc0) != 0x80;

		if (is_first && seen++ == (size_t)precision)
			o->len = at;
	}
	return precision;
}

/* Writes a field of a record of `size` bytes. Returns 0 or -EBADMSG. */
static int line_form_write(struct buf *o, const struct line_form *f, const struct field *field,
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
		number_write(o, f, field, &v);
		return 0;
	}
	if (f->kind == LINE_TIME && !value_is_unreadable(&v)) {
		timestamp_write_as(o, v.u, f->text);
		return 0;
	}
	columns = value_text_write(o, field, &v, form);
	if (f->kind == LINE_STRING)
		columns = string_cut(o, start, columns, f->precision);
	blanks_write(o, start, columns, f->width);
	return 0;
}

/* ---- the record ---- */

/* Some bytes of the text, then a value. */
struct part {
	size_t start, len;  /* in line.bytes */
	struct field field; /* name NULL: no value follows */
	struct line_form form;
};

struct line {
	char *bytes;
	bool goes_on; /* ends without a newline */
	size_t count;
	struct part parts[];
};

struct reading {
	struct line *line;
	const struct schema *schema;
	const char *text, *at;
	size_t used; /* bytes used of line.bytes */
	struct line_error *error;
};

static bool wrong(struct reading *r, const char *start, const char *end, bool is_name)
{
	*r->error = (struct line_error){ start - r->text, end - r->text, is_name, false };
	return false;
}

static bool wrong_kind(struct reading *r, const char *start, const char *end)
{
	*r->error = (struct line_error){ start - r->text, end - r->text, false, true };
	return false;
}

/* Parses the text after the colon. */
static bool form_read(struct reading *r, struct part *p, const char *colon, const char *close)
{
	if (!line_form_read(&p->form, colon + 1, close))
		return wrong(r, colon, close, false);
	return line_form_fits(&p->form, &p->field) || wrong_kind(r, colon, close);
}

/* Parses {NAME} or {NAME:FORM}. */
static bool value_read(struct reading *r, struct part *p)
{
	const char *name = r->at + 1, *close = strchr(name, '}'), *end;
	const struct field *f;
	bool is_header = *name == '$';

	if (!close)
		return wrong(r, r->at, r->at + strlen(r->at), false);
	end = memchr(name, ':', close - name) ?: close;
	r->at = close + 1;
	f = schema_find(r->schema, name + is_header, end - name - is_header, is_header);
	if (!f)
		return wrong(r, name, end, true);
	p->field = *f;
	p->field.flags &= ~(FIELD_PAIR | FIELD_CALLER | FIELD_REMARK); /* removes the quotes */
	p->field.width = 0;
	return end == close || form_read(r, p, end, close);
}

static void byte_add(struct reading *r, struct part *p, char c)
{
	r->line->bytes[r->used++] = c;
	p->len++;
}

/* Parses text up to the end of the next value. */
static bool part_read(struct reading *r)
{
	struct part *p = &r->line->parts[r->line->count++];

	p->start = r->used;
	for (; *r->at; r->at++) {
		char c = r->at[0], next = r->at[1];

		if (c == '{' && next != '{')
			return value_read(r, p);
		if (c == '\\' && next == 'c' && !r->at[2]) {
			r->line->goes_on = true;
			r->at += 2;
			return true;
		}
		if (c == '{' || (c == '\\' && strchr("nt\\", next) && next))
			r->at++;
		byte_add(r, p, c != '\\' ? c : next == 'n' ? '\n' : next == 't' ? '\t' : '\\');
	}
	return true;
}

struct line *line_build(const char *text, const struct schema *schema, struct line_error *error)
{
	size_t most = 1;
	struct reading r = { .schema = schema, .text = text, .at = text, .error = error };

	for (const char *at = text; *at; at++)
		most += *at == '{';
	*error = (struct line_error){ 0 };
	r.line = calloc(1, sizeof(*r.line) + most * sizeof(r.line->parts[0]));
	if (r.line)
		r.line->bytes = malloc(strlen(text) + 1);
	if (!r.line || !r.line->bytes) {
		line_free(r.line);
		return NULL;
	}
	do {
		if (part_read(&r))
			continue;
		line_free(r.line);
		return NULL;
	} while (*r.at);
	return r.line;
}

void line_free(struct line *line)
{
	if (line)
		free(line->bytes);
	free(line);
}

int line_write(struct buf *o, const struct line *line, const void *record, size_t size,
	       enum timestamp_form form)
{
	for (size_t i = 0; i < line->count; i++) {
		const struct part *p = &line->parts[i];

		buf_bytes(o, line->bytes + p->start, p->len);
		if (p->field.name && line_form_write(o, &p->form, &p->field, record, size, form))
			return -EBADMSG;
	}
	if (!line->goes_on)
		buf_char(o, '\n');
	return 0;
}
