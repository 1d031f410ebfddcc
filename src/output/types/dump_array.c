/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump_array.c - arrays in a dumped struct: texts, numbers, and everything else.
 */
#include <string.h>

#include "output/field/btf_field.h"
#include "output/field/value_text.h"
#include "output/types/dump_priv.h"
#include "util/escape.h"

enum {
	ELEMENTS_MAX = 64, /* of an array, shown in text */
	ZEROS_MAX = 4,	   /* at the end of an array, shown in text */
};

/* Characters are text if they are printable up to their NUL, behind which may be leftovers. */
static bool is_text(const struct show *s, size_t at, size_t size)
{
	size_t len = strnlen(s->bytes + at, size);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s->bytes[at + i] < ' ' || s->bytes[at + i] == 0x7f)
			return false;
	return len || show_is_zero(s, at, size);
}

bool show_is_text(const struct show *s, uint32_t id, size_t at, size_t size, const char *name)
{
	if (btf_field_is_char(s->f->btf, id))
		return is_text(s, at, size);
	return btf_field_is_text(s->f->btf, id) && chars_are_text(s->bytes + at, size, name);
}

static void put_text(struct show *s, size_t at, size_t size)
{
	size_t len = strnlen(s->bytes + at, size);

	if (s->json)
		escape_put_json(s->o, s->bytes + at, len);
	else
		escape_put_quoted(s->o, s->bytes + at, len);
}

/* The number of elements up to the last non-zero one; a few trailing zeros are shown, too. */
static size_t elements_shown(const struct show *s, size_t at, size_t count, size_t size)
{
	size_t shown = count;

	if (s->json || s->f->flags & FIELD_ZEROS)
		return count;
	while (shown > 1 && show_is_zero(s, at + (shown - 1) * size, size))
		shown--;
	return count - shown > ZEROS_MAX ? shown : count;
}

/* {1, 2, 0…}; {1, 2, …(+70)} */
static void put_numbers(struct show *s, uint32_t id, size_t at, size_t count, size_t size)
{
	size_t shown = elements_shown(s, at, count, size), i;
	struct field f;
	struct value v;

	buf_char(s->o, s->json ? '[' : '{');
	for (i = 0; i < shown && (s->json || i < ELEMENTS_MAX) && s->budget-- > 0; i++) {
		if (i)
			buf_str(s->o, s->json ? "," : ", ");
		if (show_load(s, id, at + i * size, NULL, &f, &v))
			show_single(s, id, &f, &v, "");
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

/* Writes structs and arrays; in text, those that are zero are left out and the others are
 * numbered. */
static void put_elements(struct show *s, uint32_t id, size_t at, size_t count, size_t size)
{
	size_t start = s->o->len;

	show_open(s, s->json ? '[' : '{');
	for (size_t i = 0; i < count && s->budget-- > 0; i++) {
		if (!s->json && !show_is_wanted(s, at + i * size, size))
			continue;
		show_begin_item(s);
		if (!s->json) {
			buf_char(s->o, '[');
			buf_uint(s->o, i);
			buf_str(s->o, "] = ");
		}
		show_any(s, id, at + i * size, "");
		show_end_item(s);
	}
	show_close(s, s->json ? ']' : '}');
	show_join(s, start);
}

void show_array(struct show *s, const struct btf_type *t, size_t at, size_t all, const char *name)
{
	uint32_t id = btf_array(t)->type;
	size_t count = btf_array(t)->nelems, size = count ? all / count : 0;
	enum field_type type;
	unsigned bytes;

	if (show_is_text(s, id, at, all, name))
		put_text(s, at, all);
	else if (btf_field_type(s->f->btf, id, &type, &bytes))
		put_numbers(s, id, at, count, size);
	else
		put_elements(s, id, at, count, size);
}
