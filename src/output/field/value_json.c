/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_json.c - writes a value as JSON: a small function for each kind of field.
 *
 * Integers keep all 64 bits (util/buf.h). Text is escaped. This file knows nothing about records.
 */
#include "output/field/value_json.h"

#include <endian.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/field_kind.h"
#include "output/field/hist.h"
#include "output/field/stack.h"
#include "output/field/timestamp.h"
#include "output/field/trace_ctx.h"
#include "output/field/value.h"
#include "output/field/value_addr.h"
#include "output/field/value_number.h"
#include "output/field/value_text.h"
#include "util/errname.h"
#include "util/escape.h"
#include "util/passwd.h"
#include "util/buf.h"
#include "event.h"

static void write_name(struct buf *o, const char *name)
{
	escape_write_json(o, name, strlen(name));
}

static void write_octal(struct buf *o, uint64_t u)
{
	buf_str(o, "\"0");
	if (u)
		buf_octal(o, u);
	buf_char(o, '"');
}

static void write_hex(struct buf *o, uint64_t u)
{
	buf_str(o, "\"0x");
	buf_hex(o, u);
	buf_char(o, '"');
}

void json_write_time(struct buf *o, uint64_t ns)
{
	buf_char(o, '"');
	timestamp_write(o, ns, TIMESTAMP_UTC);
	buf_char(o, '"');
}

void json_enum(struct buf *o, const struct field *f, const struct value *v)
{
	const char *name = value_enum_name(f, v);

	if (name)
		write_name(o, name);
	else if (f->names && v->u == UINT64_MAX) /* no such number: -1 of any width */
		buf_str(o, "-1");
	else
		buf_json_uint(o, v->u);
}

/* Writes null if there is no error. An error without a name is a string with its number. */
void json_errno(struct buf *o, const struct field *f, const struct value *v)
{
	int err = value_errno(v);
	const char *name = errname(err);

	(void)f;
	if (name) {
		write_name(o, name);
	} else if (!err) {
		buf_str(o, "null");
	} else {
		buf_char(o, '"');
		buf_uint(o, err);
		buf_char(o, '"');
	}
}

void json_flags(struct buf *o, const struct field *f, const struct value *v)
{
	const struct field_name *n;
	const char *before = "[";
	uint64_t named = 0;

	for (; (n = value_flag_next(f, v, &named)); before = ",") {
		buf_str(o, before);
		write_name(o, n->name);
	}
	if (v->u & ~named || *before == '[')
		buf_str(o, before);
	if (v->u & ~named)
		write_hex(o, v->u & ~named);
	buf_char(o, ']');
}

/* If the path was cut, or the mount is unknown, writes the known components without a leading slash, which would be
 * wrong. */
void json_path(struct buf *o, const struct field *f, const struct value *value)
{
	struct value v = *value;
	bool slash = v.status != EVENT_CUT && !(f->flags & FIELD_INNER && v.len);
	const char *name;
	size_t len = 0;

	buf_str(o, v.status == EVENT_OUTSIDE ? "\"(unreachable)" : "\"");
	if (v.status == EVENT_ANONYMOUS) {
		path_write_anonymous(o, &v, ESCAPE_JSON, &len);
		v.len = 0;
	} else if (slash && !v.len) {
		buf_char(o, '/');
	}
	for (; value_pop_last(&v, &name, &len); slash = true) {
		if (slash)
			buf_char(o, '/');
		escape_write_part(o, name, len, ESCAPE_JSON);
	}
	buf_char(o, '"');
}

void json_argv(struct buf *o, const struct field *f, const struct value *value)
{
	struct value v = *value;
	const char *word, *before = "[";
	size_t len, i = 0;

	(void)f;
	for (; value_pop_first(&v, &word, &len); before = ",", i++) {
		buf_str(o, before);
		if (value_word_unreadable(&v, i))
			buf_str(o, "null");
		else
			escape_write_json(o, word, len);
	}
	buf_str(o, *before == '[' ? "[]" : "]");
}

/* Writes "-ENOENT" if the value is an error. */
static bool write_error_name(struct buf *o, const struct field *f, const struct value *v)
{
	bool negative;
	const char *name = value_error_name(f, v, &negative);

	if (!name)
		return false;
	buf_str(o, negative ? "\"-" : "\"");
	buf_str(o, name);
	buf_char(o, '"');
	return true;
}

#define JSON(name_, put_)                                                                          \
	void json_##name_(struct buf *o, const struct field *f, const struct value *v)             \
	{                                                                                          \
		(void)f;                                                                           \
		put_;                                                                              \
	}

JSON(uint, buf_json_uint(o, v->u))
JSON(int, buf_json_int(o, (int64_t)v->u))
JSON(hundredths, hundredths_write(o, (int64_t)v->u))
JSON(fd, buf_json_int(o, value_errno(v) ? -1 : (int64_t)v->u))
JSON(octal, write_octal(o, v->u))
JSON(bool, buf_str(o, v->u ? "true" : "false"))
JSON(char, escape_write_json(o, &(char){ (char)v->u }, 1))
JSON(port, buf_json_uint(o, big_endian(f, v)))
JSON(string, escape_write_json(o, v->bytes, v->len))
JSON(user, {
	const char *name = user_name((uint32_t)v->u);

	buf_char(o, '"');
	if (name)
		escape_write_part(o, name, strlen(name), ESCAPE_JSON);
	else
		buf_uint(o, v->u);
	buf_char(o, '"');
})
JSON(trace_ctx, trace_ctx_write_json(o, v->u))

JSON(pointer, {
	if (!write_error_name(o, f, v))
		write_hex(o, v->u);
})

JSON(error, {
	if (!write_error_name(o, f, v))
		buf_json_int(o, (int64_t)v->u);
})

JSON(time, {
	if (v->u)
		json_write_time(o, v->u);
	else
		buf_str(o, "null");
})

JSON(hist, {
	struct hist h = hist_of(f, v);

	hist_write_json(o, &h);
})

JSON(percentile, {
	struct hist h = hist_of(f, v);
	struct hist_percentile p;

	if (hist_percentile(&h, f->percent, &p))
		hist_percentile_write_json(o, &p);
	else
		buf_str(o, "null");
})

/* Writes the same text as in a cell, which needs no escaping. A cut is reported elsewhere. */
JSON(quoted, {
	struct value whole = *v;

	whole.status = EVENT_OK;
	buf_char(o, '"');
	field_kind(f)->text(o, f, &whole, TIMESTAMP_NONE);
	buf_char(o, '"');
})

JSON(sockaddr, {
	buf_char(o, '"');
	sockaddr_write(o, v->bytes, v->len, ESCAPE_JSON);
	buf_char(o, '"');
})

/* ---- any value ---- */

static void write_array(struct buf *o, const struct field *f, const struct value *v)
{
	struct field ef;
	struct value ev;

	buf_char(o, '[');
	for (unsigned i = 0; i < f->count && !value_element(f, v, i, &ef, &ev); i++) {
		if (i)
			buf_char(o, ',');
		json_write_value(o, &ef, &ev);
	}
	buf_char(o, ']');
}

void json_write_value(struct buf *o, const struct field *f, const struct value *v)
{
	if (f->count)
		write_array(o, f, v);
	else
		field_kind(f)->json(o, f, v);
}

void json_write_value_or_null(struct buf *o, const struct field *f, const struct value *v)
{
	if (value_is_unreadable(v) || v->status == EVENT_NONE || v->status == EVENT_NIL)
		buf_str(o, "null");
	else
		json_write_value(o, f, v);
}

void json_write_error(struct buf *o, const struct field *f, const struct value *v)
{
	const char *link = value_link(f, v);

	buf_str(o, v->status == EVENT_NULL ? "\"NULL" : "\"fault");
	if (link) {
		buf_str(o, ": ");
		escape_write_part(o, link, strlen(link), ESCAPE_JSON);
	}
	buf_char(o, '"');
}

void json_chars(struct buf *o, const struct field *f, const struct value *v)
{
	struct field numbers = chars_as_numbers(f);

	if (chars_are_text(v->bytes, v->len, f->name))
		escape_write_json(o, v->bytes, text_length(v->bytes, v->len));
	else
		json_write_value(o, &numbers, v);
}
