/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chars.c - bytes that are text, or else numbers. It does not know where they come from.
 */
#include "output/field/chars.h"

#include <linux/types.h>

#include "output/field/value_json.h"
#include "output/field/value_text.h"
#include "util/escape.h"
#include "event.h"

enum { CHANCE_MAX = 3 }; /* printable bytes before a NUL that may be chance: 52:54:00 is "RT" */

static bool is_zero(const char *bytes, size_t size)
{
	while (size && !*bytes)
		bytes++, size--;
	return !size;
}

bool chars_are_text(const char *bytes, size_t size, const char *name)
{
	size_t len = text_length(bytes, size);

	if (!len || !escape_is_printable(bytes, len))
		return false;
	return len > CHANCE_MAX || is_zero(bytes + len, size - len) || strstr(name, "name");
}

static struct field as_numbers(const struct field *f)
{
	struct field numbers = *f;

	numbers.type = FIELD_UINT;
	numbers.count = f->size;
	return numbers;
}

size_t text_chars(struct buf *o, const struct field *f, const struct value *v,
		  enum timestamp_form form)
{
	struct field numbers = as_numbers(f);
	struct value text = *v;

	if (!chars_are_text(v->bytes, v->len, f->name))
		return value_text_put(o, &numbers, v, form);
	text.len = text_length(v->bytes, v->len);
	text.status = text.len == v->len ? v->status : EVENT_OK;
	return text_string(o, f, &text, form);
}

void json_chars(struct buf *o, const struct field *f, const struct value *v)
{
	struct field numbers = as_numbers(f);

	if (chars_are_text(v->bytes, v->len, f->name))
		escape_put_json(o, v->bytes, text_length(v->bytes, v->len));
	else
		json_put_value(o, &numbers, v);
}
