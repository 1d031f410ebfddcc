/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_printf.c - formats printf() and similar calls with their arguments.
 *
 * Conversions are those of printf(3) without fractions, %r, %rh, %rx for bytes, and %gr for flags of allocations. The
 * length modifier sets the size of a number; the default is int. %s prints any value as print() does. As in bpftrace,
 * a precision has no effect, and the flag 0 fills with zeros whatever the value is, on the side of the blanks: "000-5".
 * Invalid conversions are printed as text.
 */
#include <errno.h>
#include <stdio.h>

#include "front/bt/show_parts.h"

/* A conversion. */
struct spec {
	const char *end; /* after the conversion */
	char signs[3];	 /* of + # */
	bool is_left;
	char fill; /* a blank or 0 */
	int width; /* 0: none */
	char length[4];
	char letter; /* d i u o x X c s p r %, and others that take a value */
	char detail; /* r: h or x. g: r */
};

/* ---- arguments ---- */

/* A literal number has the size of its type. */
static void literal_fill(struct bt_argument *a, const struct script_expr *e)
{
	uint64_t v = (uint64_t)e->value;

	if (a->type.kind == SCRIPT_STRING || a->type.kind == SCRIPT_ARRAY) {
		a->image = e->bytes;
		if (a->type.kind == SCRIPT_STRING)
			a->type.size = e->length + 1;
		return;
	}
	switch (a->type.size) {
	case 1: memcpy(a->room, &(uint8_t){ (uint8_t)v }, 1); break;
	case 2: memcpy(a->room, &(uint16_t){ (uint16_t)v }, 2); break;
	case 4: memcpy(a->room, &(uint32_t){ (uint32_t)v }, 4); break;
	default: memcpy(a->room, &v, 8); break;
	}
	a->image = a->room;
}

bool bt_argument_get(const struct script_action *a, size_t i, const void *record, size_t size,
		     struct bt_argument *argument)
{
	const struct script_arg *from = &a->args[i];

	argument->type = from->type;
	argument->is_literal = from->is_literal;
	if (from->is_literal) {
		literal_fill(argument, from->expr);
		return true;
	}
	argument->image = (const char *)record + from->offset;
	return from->offset <= size && from->type.size <= size - from->offset;
}

int64_t bt_action_number(const struct script_action *a, size_t i, const void *record, size_t size,
			 int64_t otherwise)
{
	struct bt_argument v;

	if (i >= a->arg_count || !bt_argument_get(a, i, record, size, &v))
		return otherwise;
	return (int64_t)bt_number_read(v.image, v.type.size, v.type.is_signed);
}

/* ---- the format ---- */

static const char *number_parse(const char *p, int *n)
{
	if (*p == '*')
		return p + 1; /* uses no argument, as in bpftrace */
	for (*n = 0; *p >= '0' && *p <= '9'; p++)
		if (*n < 100000)
			*n = *n * 10 + (*p - '0');
	return p;
}

/* Parses a conversion at a %. Returns false if it is text. */
static bool spec_parse(const char *p, struct spec *s)
{
	int precision;
	size_t n = 0, room;

	*s = (struct spec){ .fill = ' ' };
	for (p++; *p && strchr("-+ #0", *p); p++) { /* a blank has no effect, as in bpftrace */
		s->is_left |= *p == '-';
		if (*p == '0')
			s->fill = '0';
		if ((*p == '+' || *p == '#') && !strchr(s->signs, *p))
			s->signs[n++] = *p;
	}
	p = number_parse(p, &s->width);
	if (*p == '.')
		p = number_parse(p + 1, &precision);
	room = strspn(p, "hlLjzt");
	memcpy(s->length, p, room < sizeof(s->length) ? room : sizeof(s->length) - 1);
	p += room;
	s->letter = *p;
	if (!*p || !strchr("diouxXeEfFgGaAcspn%r", *p))
		return false;
	p++;
	if ((s->letter == 'r' && (*p == 'h' || *p == 'x')) || (s->letter == 'g' && *p == 'r'))
		s->detail = *p++;
	s->end = p;
	return true;
}

/* ---- numbers ---- */

/* Converts to the C type that the length modifier names. */
static int64_t signed_cast(const char *length, uint64_t v)
{
	if (*length != 'h')
		return *length ? (int64_t)v : (int32_t)v;
	return !strcmp(length, "hh") ? (int8_t)v : !strcmp(length, "h") ? (int16_t)v : (int64_t)v;
}

static uint64_t unsigned_cast(const char *length, uint64_t v)
{
	if (*length != 'h')
		return *length ? v : (uint32_t)v;
	return !strcmp(length, "hh") ? (uint8_t)v : !strcmp(length, "h") ? (uint16_t)v : v;
}

static bool number_of(const struct bt_argument *a, uint64_t *v)
{
	const struct script_type *t = &a->type;

	if (!script_is_scalar(t) && !(script_is_number_of_map(t) && t->size))
		return false;
	*v = script_is_scalar(t) ?
		     bt_number_read(a->image, t->size, t->kind == SCRIPT_INT && t->is_signed) :
		     bt_merged_number(t, a->image);
	return true;
}

/* Pads the text written since `begin` to the width. */
static void pad(struct buf *o, const struct spec *s, size_t begin)
{
	size_t len = o->len - begin;

	if (o->error || (size_t)s->width <= len)
		return;
	if (s->is_left)
		buf_repeat(o, s->fill, (size_t)s->width - len);
	else
		buf_indent(o, begin, (size_t)s->width - len, s->fill);
}

/* Handles most conversions. Returns false for any other. */
static bool plain_write(struct buf *o, const struct spec *s, uint64_t v)
{
	if (s->signs[0])
		return false;
	switch (s->letter) {
	case 'd':
	case 'i': buf_int(o, signed_cast(s->length, v)); return true;
	case 'u': buf_uint(o, unsigned_cast(s->length, v)); return true;
	case 'x': buf_hex(o, unsigned_cast(s->length, v)); return true;
	case 'o': buf_octal(o, unsigned_cast(s->length, v)); return true;
	default: return false;
	}
}

static void number_write(struct buf *o, const struct spec *s, uint64_t v)
{
	bool is_signed = s->letter == 'd' || s->letter == 'i';
	size_t begin = o->len;
	char format[8];

	if (!plain_write(o, s, v)) {
		snprintf(format, sizeof(format), "%%%sll%c", s->signs, s->letter);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		buf_printf(o, format,
			   is_signed ? (unsigned long long)signed_cast(s->length, v) :
				       (unsigned long long)unsigned_cast(s->length, v));
#pragma GCC diagnostic pop
	}
	pad(o, s, begin);
}

static void pointer_write(struct buf *o, const struct spec *s, uint64_t v)
{
	size_t begin = o->len;

	if (v)
		buf_str(o, "0x");
	buf_hex(o, v);
	pad(o, s, begin);
}

static bool is_numeric(char letter)
{
	return letter && strchr("diouxXcp", letter);
}

/* ---- values ---- */

/* bpftrace pads only what such a value begins with; 0: the whole value. */
static int head_of(const struct script_type *t)
{
	if (t->kind == SCRIPT_TUPLE)
		return t->count && t->parts[0].name ? 2 : 1; /* { .a = 1 }, (1, 2) */
	return t->kind == SCRIPT_RECORD ? 2 : t->kind == SCRIPT_ARRAY ? 1 : 0;
}

static void text_write(const struct bt_form *f, struct buf *o, const struct spec *s,
		       const struct bt_argument *a)
{
	size_t len, begin = o->len;
	int head = head_of(&a->type);

	if (s->letter == 'r' && a->type.kind == SCRIPT_BUFFER) {
		const unsigned char *bytes = bt_buffer_bytes(&a->type, a->image, &len);

		bt_show_bytes(o, bytes, len, !s->detail, s->detail != 'h');
	} else {
		bt_show_value(f, o, &a->type, a->image);
	}
	if (!head)
		pad(o, s, begin);
	else if (s->width > head && !o->error)
		buf_indent(o, begin + (s->is_left ? head : 0), s->width - head, s->fill);
}

/* A bool is not printed as a number, as in bpftrace. */
static void gfp_write(const struct bt_form *f, struct buf *o, const struct spec *s,
		      const struct bt_argument *a)
{
	size_t begin = o->len;
	uint64_t v = 0;

	if (a->type.kind != SCRIPT_BOOL && number_of(a, &v)) {
		bt_show_gfp(o, v);
		pad(o, s, begin);
	} else {
		buf_str(o, "!{invalid GFP flags conversion: ");
		bt_show_value(f, o, &a->type, a->image);
		buf_char(o, '}');
	}
}

static void argument_write(struct bt_form f, struct buf *o, const struct spec *s,
			   const struct bt_argument *a)
{
	size_t begin = o->len;
	uint64_t v = 0;

	f.raw |= a->is_literal;
	if (s->letter == 'g' && s->detail) {
		gfp_write(&f, o, s, a);
	} else if (!is_numeric(s->letter)) {
		text_write(&f, o, s, a);
	} else if (!number_of(a, &v)) {
		buf_str(o, "!{invalid integer conversion: ");
		bt_show_value(&f, o, &a->type, a->image);
		buf_char(o, '}');
	} else if (s->letter == 'c') {
		buf_char(o, (char)v);
		pad(o, s, begin);
	} else if (s->letter == 'p') {
		pointer_write(o, s, v);
	} else {
		number_write(o, s, v);
	}
}

int bt_format_write(const struct bt_show *s, struct buf *o, const struct script_action *a,
		    const void *record, size_t size)
{
	struct bt_form f = bt_form_of(s, false);
	struct bt_argument argument;
	const char *p = a->text ?: "";
	struct spec spec;
	size_t i = 0;

	while (*p) {
		size_t run = strcspn(p, "%");

		buf_bytes(o, p, run);
		p += run;
		if (!*p)
			break;
		if (!spec_parse(p, &spec) || (spec.letter != '%' && i == a->arg_count)) {
			buf_char(o, *p++);
			continue;
		}
		p = spec.end;
		if (spec.letter == '%') {
			buf_char(o, '%');
			continue;
		}
		if (!bt_argument_get(a, i++, record, size, &argument))
			return -EBADMSG;
		argument_write(f, o, &spec, &argument);
	}
	return 0;
}
