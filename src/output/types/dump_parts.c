/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_parts.c - writes the parts of a dumped value that contain no others: numbers, texts, arrays of numbers,
 * braces.
 */
#include <string.h>

#include "output/field/btf_field.h"
#include "output/field/flag_names.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_float.h"
#include "output/field/value_json.h"
#include "output/field/value_text.h"
#include "output/types/dump_priv.h"
#include "util/escape.h"

enum {
	DECLARATION_MAX = 128,
	LINE_MAX = 76,	   /* columns of a nested struct that is written on one line */
	ELEMENTS_MAX = 64, /* elements of an array to show in text */
	ZEROS_MAX = 4,	   /* zeros to show at the end of an array in text */
};

/* ---- single values ---- */

/* True for values that developers write in hexadecimal; in text also for any that may be a kernel address. */
static bool is_hex(const struct dump *s, const char *name, uint64_t u)
{
	return (!s->json && (int64_t)u < 0) || strstr(name, "flags") || strstr(name, "mask") ||
	       strstr(name, "mode");
}

/* Chooses the form of a number by its type or by the name of its member. */
static void field_choose(const struct dump *s, uint32_t id, struct field *f, const struct value *v,
			 const char *name)
{
	const struct btf_view *b = s->f->btf;

	if (f->type == FIELD_PTR && v->u && !value_errno(v) &&
	    btf_field_names_code(b, btf_view_stripped(b, id)->type))
		f->type = FIELD_SYM;
	else if (f->type == FIELD_UINT && !strcmp(btf_view_name(b, id), "umode_t"))
		f->type = FIELD_OCT;
	else if (f->type == FIELD_UINT && !strcmp(name, "f_flags"))
		*f = (struct field){ .type = FIELD_FLAGS, .size = f->size, .names = flags_open };
	else if (f->type == FIELD_UINT && s->f->names && !strcmp(btf_view_name(b, id), "gfp_t"))
		*f = (struct field){ .type = FIELD_FLAGS, .size = f->size, .names = s->f->names };
	else if (f->type == FIELD_UINT && is_hex(s, name, v->u))
		f->type = FIELD_HEX;
}

bool dump_load(const struct dump *s, uint32_t id, size_t at, const struct btf_found *bits,
	       struct field *f, struct value *v)
{
	return btf_field_field(s->f->btf, id, at, bits, f) && !field_load(f, s->bytes, s->size, v);
}

void dump_single(struct dump *s, uint32_t id, struct field *f, const struct value *v,
		 const char *name)
{
	struct field_name names[2] = { { 0 } };

	if (f->type == FIELD_ENUM) {
		btf_field_name(s->f->btf, id, f, v, names);
		f->names = names;
	} else {
		field_choose(s, id, f, v, name);
	}
	if (s->json)
		json_write_value(s->o, f, v);
	else
		value_text_write(s->o, f, v, TIMESTAMP_NONE);
}

/* For values that do not fit a register. */
void dump_raw(struct dump *s, uint32_t id, size_t at, size_t size)
{
	struct field f = { .type = FIELD_BYTES, .offset = at, .size = size };
	struct value v;

	if (field_load(&f, s->bytes, s->size, &v) ||
	    wide_write(s->o, s->f->btf, id, s->bytes + at, s->json))
		return;
	if (s->json)
		json_write_value(s->o, &f, &v);
	else
		value_text_write(s->o, &f, &v, TIMESTAMP_NONE);
}

/* ---- braces ---- */

static void write_line(struct dump *s)
{
	buf_char(s->o, '\n');
	buf_repeat(s->o, '\t', s->depth);
}

void dump_open(struct dump *s, char brace)
{
	buf_char(s->o, brace);
	s->some = false;
	s->depth++;
}

void dump_close(struct dump *s, char brace)
{
	s->depth--;
	if (s->some && !s->json)
		write_line(s);
	buf_char(s->o, brace);
	s->some = true;
}

/* Replaces each line break and its indentation by a blank, or by nothing after an opening brace. Removes a comma
 * before a closing brace. Returns the length. */
static size_t joined(const char *from, size_t len, char *to)
{
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		if (from[i] != '\n') {
			to[n++] = from[i];
			continue;
		}
		while (i + 1 < len && from[i + 1] == '\t')
			i++;
		if (i + 1 < len && from[i + 1] == '}')
			n -= n && to[n - 1] == ',';
		else if (n && to[n - 1] != '{')
			to[n++] = ' ';
	}
	return n;
}

void dump_join(struct dump *s, size_t start)
{
	size_t len = s->o->len - start;
	char line[2 * LINE_MAX];

	if (s->json || !s->depth || start > s->o->len || len > sizeof(line))
		return;
	len = joined(s->o->data + start, len, line);
	if (len > LINE_MAX)
		return;
	memcpy(s->o->data + start, line, len);
	s->o->len = start + len;
}

void dump_begin_item(struct dump *s)
{
	if (!s->json)
		write_line(s);
	else if (s->some)
		buf_char(s->o, ',');
}

void dump_end_item(struct dump *s)
{
	if (!s->json)
		buf_char(s->o, ',');
	s->some = true;
}

void dump_begin_member(struct dump *s, const char *name)
{
	dump_begin_item(s);
	if (s->json) {
		escape_write_json(s->o, name, strlen(name));
		buf_char(s->o, ':');
	} else {
		escape_write(s->o, name, strlen(name));
		buf_str(s->o, " = ");
	}
}

/* ---- zeros ---- */

bool dump_is_zero(const struct dump *s, size_t at, size_t size)
{
	while (size && !s->bytes[at])
		at++, size--;
	return !size;
}

bool dump_is_wanted(const struct dump *s, size_t at, size_t size)
{
	return at <= s->size && size && size <= s->size - at &&
	       (s->json || s->f->flags & FIELD_ZEROS || !dump_is_zero(s, at, size));
}

void dump_declare(struct dump *s)
{
	char text[DECLARATION_MAX];

	buf_char(s->o, '(');
	btf_view_declare(s->f->btf, s->f->btf_id, "", text, sizeof(text));
	escape_write(s->o, text, strlen(text));
	buf_char(s->o, ')');
}

/* ---- texts and arrays of numbers ---- */

/* Characters are text if they are printable up to their NUL; anything may follow it. */
static bool is_text(const struct dump *s, size_t at, size_t size)
{
	size_t len = strnlen(s->bytes + at, size);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s->bytes[at + i] < ' ' || s->bytes[at + i] == 0x7f)
			return false;
	return len || dump_is_zero(s, at, size);
}

bool dump_is_text(const struct dump *s, uint32_t id, size_t at, size_t size, const char *name)
{
	if (btf_field_is_char(s->f->btf, id))
		return is_text(s, at, size);
	return btf_field_is_text(s->f->btf, id) && chars_are_text(s->bytes + at, size, name);
}

void dump_text(struct dump *s, size_t at, size_t size)
{
	size_t len = strnlen(s->bytes + at, size);

	if (s->json)
		escape_write_json(s->o, s->bytes + at, len);
	else
		escape_write_quoted(s->o, s->bytes + at, len);
}

/* Returns the number of elements up to the last non-zero one; includes a few trailing zeros. */
static size_t elements_shown(const struct dump *s, size_t at, size_t count, size_t size)
{
	size_t shown = count;

	if (s->json || s->f->flags & FIELD_ZEROS)
		return count;
	while (shown > 1 && dump_is_zero(s, at + (shown - 1) * size, size))
		shown--;
	return count - shown > ZEROS_MAX ? shown : count;
}

/* Writes {1, 2, 0…} or {1, 2, …(+70)}. */
void dump_numbers(struct dump *s, uint32_t id, size_t at, size_t count, size_t size)
{
	size_t shown = elements_shown(s, at, count, size), i;
	struct field f;
	struct value v;

	buf_char(s->o, s->json ? '[' : '{');
	for (i = 0; i < shown && (s->json || i < ELEMENTS_MAX) && s->budget-- > 0; i++) {
		if (i)
			buf_str(s->o, s->json ? "," : ", ");
		if (dump_load(s, id, at + i * size, NULL, &f, &v))
			dump_single(s, id, &f, &v, "");
	}
	if (i < shown) {
		buf_str(s->o, ", …(+");
		buf_uint(s->o, count - i);
		buf_char(s->o, ')');
	} else if (shown < count) {
		buf_str(s->o, ", 0…");
	}
	buf_char(s->o, s->json ? ']' : '}');
}
