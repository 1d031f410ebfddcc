// SPDX-License-Identifier: GPL-2.0
/*
 * show_array.c - arrays in a struct that is shown whole: texts, numbers, and all else.
 */
#include <string.h>

#include "core/btf_value.h"
#include "core/show_put.h"
#include "core/text.h"

enum {
	ELEMENTS_MAX = 64, /* of an array, in text */
	ZEROS_MAX = 4,	   /* at an array's end, in text */
};

/* A text: printable up to its NUL. Behind that may be what was there before. */
bool show_is_text(const struct show *s, size_t at, size_t size)
{
	size_t len = strnlen(s->bytes + at, size);

	for (size_t i = 0; i < len; i++)
		if ((unsigned char)s->bytes[at + i] < ' ' || s->bytes[at + i] == 0x7f)
			return false;
	return len || show_is_zero(s, at, size);
}

static void put_text(struct show *s, size_t at, size_t size)
{
	size_t len = strnlen(s->bytes + at, size);

	if (s->json)
		text_put_json(s->o, s->bytes + at, len);
	else
		text_put_quoted(s->o, s->bytes + at, len);
}

/* Elements up to the last that is not zero; a few more zeros are shown as they are. */
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

	out_char(s->o, s->json ? '[' : '{');
	for (i = 0; i < shown && (s->json || i < ELEMENTS_MAX) && s->budget-- > 0; i++) {
		if (i)
			out_str(s->o, s->json ? "," : ", ");
		if (show_load(s, id, at + i * size, NULL, &f, &v))
			show_single(s, id, &f, &v, "");
	}
	if (i < shown) {
		out_str(s->o, ", …(+");
		out_uint(s->o, count - i);
		out_char(s->o, ')');
	} else if (shown < count) {
		out_str(s->o, ", 0…");
	}
	out_char(s->o, s->json ? ']' : '}');
}

/* Structs and arrays; in text those that are zero are left out and the others numbered. */
static void put_elements(struct show *s, uint32_t id, size_t at, size_t count, size_t size)
{
	show_open(s, s->json ? '[' : '{');
	for (size_t i = 0; i < count && s->budget-- > 0; i++) {
		if (!s->json && !show_is_wanted(s, at + i * size, size))
			continue;
		show_begin_item(s);
		if (!s->json) {
			out_char(s->o, '[');
			out_uint(s->o, i);
			out_str(s->o, "] = ");
		}
		show_any(s, id, at + i * size, "");
		show_end_item(s);
	}
	show_close(s, s->json ? ']' : '}');
}

void show_array(struct show *s, const struct btf_type *t, size_t at, size_t all)
{
	uint32_t id = btf_array(t)->type;
	size_t count = btf_array(t)->nelems, size = count ? all / count : 0;
	enum field_type type;
	unsigned bytes;

	if (btf_value_is_char(s->f->btf, id) && show_is_text(s, at, all))
		put_text(s, at, all);
	else if (btf_value_type(s->f->btf, id, &type, &bytes))
		put_numbers(s, id, at, count, size);
	else
		put_elements(s, id, at, count, size);
}
