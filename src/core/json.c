// SPDX-License-Identifier: GPL-2.0
/*
 * json.c - a record as one JSON object on one line.
 *
 * {"type":…,"ts_ns":…,"time":…, the fields in order, "errors":{…},"cut":{…}}. Integers keep all
 * their 64 bits, so a reader must not squeeze them through a double. Text goes through the
 * escaper. It must not know of columns or of files.
 */
#include <errno.h>
#include <endian.h>
#include <string.h>
#include <linux/types.h>

#include "core/context.h"
#include "core/diff.h"
#include "core/form.h"
#include "core/schema.h"
#include "core/show.h"
#include "core/stack.h"
#include "core/text.h"
#include "event.h"

static void put_name(struct out *o, const char *name)
{
	text_put_json(o, name, strlen(name));
}

/* ---- values ---- */

static void put_octal(struct out *o, uint64_t u)
{
	out_str(o, "\"0");
	if (u)
		out_octal(o, u);
	out_char(o, '"');
}

static void put_hex(struct out *o, uint64_t u)
{
	out_str(o, "\"0x");
	out_hex(o, u);
	out_char(o, '"');
}

static void put_time(struct out *o, uint64_t ns)
{
	out_char(o, '"');
	timestamp_put(o, ns, TIMESTAMP_UTC);
	out_char(o, '"');
}

static void put_enum(struct out *o, const struct field *f, const struct value *v)
{
	const char *name = value_enum_name(f, v);

	if (name)
		put_name(o, name);
	else
		out_uint(o, v->u);
}

/* null: no error. An error without a name is still a string, its number. */
static void put_errno(struct out *o, const struct value *v)
{
	int err = value_errno(v);
	const char *name = errno_name(err);

	if (name) {
		put_name(o, name);
	} else if (!err) {
		out_str(o, "null");
	} else {
		out_char(o, '"');
		out_uint(o, err);
		out_char(o, '"');
	}
}

static void put_flags(struct out *o, const struct field *f, const struct value *v)
{
	const struct field_name *n;
	const char *before = "[";
	uint64_t named = 0;

	for (; (n = value_flag_next(f, v, &named)); before = ",") {
		out_str(o, before);
		put_name(o, n->name);
	}
	if (v->u & ~named || *before == '[')
		out_str(o, before);
	if (v->u & ~named)
		put_hex(o, v->u & ~named);
	out_char(o, ']');
}

/* Cut: the components that there are, and no leading slash, for it would be a lie. */
static void put_path(struct out *o, struct value v)
{
	bool slash = v.status != EVENT_CUT;
	const char *name;
	size_t len;

	out_str(o, v.status == EVENT_OUTSIDE ? "\"(unreachable)" : "\"");
	if (slash && !v.len)
		out_char(o, '/');
	for (; value_take_last(&v, &name, &len); slash = true) {
		if (slash)
			out_char(o, '/');
		text_put_part(o, name, len, TEXT_JSON);
	}
	out_char(o, '"');
}

static void put_argv(struct out *o, struct value v)
{
	const char *word, *before = "[";
	size_t len, i = 0;

	for (; value_take_first(&v, &word, &len); before = ",", i++) {
		out_str(o, before);
		if (value_word_unreadable(&v, i))
			out_str(o, "null");
		else
			text_put_json(o, word, len);
	}
	out_str(o, *before == '[' ? "[]" : "]");
}

/* "-ENOENT", where it is an error. */
static bool put_error_name(struct out *o, const struct field *f, const struct value *v)
{
	bool negative;
	const char *name = value_error_name(f, v, &negative);

	if (!name)
		return false;
	out_str(o, negative ? "\"-" : "\"");
	out_str(o, name);
	out_char(o, '"');
	return true;
}

static void put_pointer(struct out *o, const struct field *f, const struct value *v)
{
	if (!put_error_name(o, f, v))
		put_hex(o, v->u);
}

static void put_form(struct out *o, const struct field *f, const struct value *v)
{
	out_char(o, '"');
	form_put(o, f, v, TEXT_JSON);
	out_char(o, '"');
}

static void put_array(struct out *o, const struct field *f, const struct value *v)
{
	struct field ef;
	struct value ev;

	out_char(o, '[');
	for (unsigned i = 0; i < f->count && !value_element(f, v, i, &ef, &ev); i++) {
		if (i)
			out_char(o, ',');
		json_put_value(o, &ef, &ev);
	}
	out_char(o, ']');
}

void json_put_value(struct out *o, const struct field *f, const struct value *v)
{
	if (f->count) {
		put_array(o, f, v);
		return;
	}
	switch (f->type) {
	case FIELD_UINT:
	case FIELD_HEX:
	case FIELD_NS: out_uint(o, v->u); break;
	case FIELD_INT:
	case FIELD_RET: out_int(o, (int64_t)v->u); break;
	case FIELD_FD: out_int(o, value_errno(v) ? -1 : (int64_t)v->u); break;
	case FIELD_OCT: put_octal(o, v->u); break;
	case FIELD_BOOL: out_str(o, v->u ? "true" : "false"); break;
	case FIELD_CHAR: text_put_json(o, &(char){ (char)v->u }, 1); break;
	case FIELD_PTR: put_pointer(o, f, v); break;
	case FIELD_ENUM: put_enum(o, f, v); break;
	case FIELD_FLAGS: put_flags(o, f, v); break;
	case FIELD_ERRNO: put_errno(o, v); break;
	case FIELD_CSTR:
	case FIELD_STR: text_put_json(o, v->bytes, v->len); break;
	case FIELD_PATH: put_path(o, *v); break;
	case FIELD_ARGV: put_argv(o, *v); break;
	case FIELD_TIME: put_time(o, v->u); break;
	case FIELD_STRUCT: show_put(o, f, v, true); break;
	case FIELD_DIFF: diff_put(o, f, v, true); break;
	case FIELD_PORT: out_uint(o, be16toh((uint16_t)v->u)); break;
	case FIELD_CONTEXT: context_put_json(o, v->u); break;
	case FIELD_ERROR:
		if (!put_error_name(o, f, v))
			out_int(o, (int64_t)v->u);
		break;
	case FIELD_KERNEL_STACK:
	case FIELD_USER_STACK: stack_put_json(o, f, v); break;
	default: put_form(o, f, v); break;
	}
}

static bool is_unreadable(const struct value *v)
{
	return v->status == EVENT_FAULT || v->status == EVENT_NULL;
}

static bool is_null(const struct field *f, const struct value *v)
{
	return is_unreadable(v) || v->status == EVENT_NONE || (f->type == FIELD_TIME && !v->u);
}

/* ---- what is wrong with the values ---- */

void json_put_value_or_null(struct out *o, const struct field *f, const struct value *v)
{
	if (is_null(f, v))
		out_str(o, "null");
	else
		json_put_value(o, f, v);
}

void json_put_error(struct out *o, const struct field *f, const struct value *v)
{
	const char *link = value_link(f, v);

	out_str(o, v->status == EVENT_NULL ? "\"NULL" : "\"fault");
	if (link) {
		out_str(o, ": ");
		text_put_part(o, link, strlen(link), TEXT_JSON);
	}
	out_char(o, '"');
}

/* How much was left out; null: unknown. */
static void put_left_out(struct out *o, const struct value *v)
{
	if (v->left_out)
		out_uint(o, v->left_out);
	else
		out_str(o, "null");
}

/* One of the two objects at the end. Rare, so the fields are simply loaded again. */
static void put_flaws(const struct sink *s, const void *record, size_t size, bool errors)
{
	const char *before = errors ? ",\"errors\":{" : ",\"cut\":{";
	struct out *o = s->out;
	size_t start = o->len;
	struct value v;

	for (size_t i = 0; i < s->cell_count; i++) {
		const struct field *f = s->cells[i].field;

		if (field_load(f, record, size, &v) ||
		    !(errors ? is_unreadable(&v) || v.unreadable : v.status == EVENT_CUT))
			continue;
		out_str(o, before);
		before = ",";
		put_name(o, f->name);
		out_char(o, ':');
		if (errors)
			json_put_error(o, f, &v);
		else
			put_left_out(o, &v);
	}
	if (o->len != start)
		out_char(o, '}');
}

/* ---- the object ---- */

static void put_stamp(struct out *o, const void *record)
{
	struct event_header head;

	memcpy(&head, record, sizeof(head));
	if (!head.ts)
		return;
	out_str(o, ",\"ts_ns\":");
	out_uint(o, head.ts);
	out_str(o, ",\"time\":");
	put_time(o, head.ts);
}

static inline void put_plain(struct out *o, const struct field *f, const void *record)
{
	uint32_t u;

	memcpy(&u, (const char *)record + f->offset, sizeof(u));
	out_uint(o, u);
}

/* Sets *flawed when a value is not, or not all, there. */
static inline int put_fields(const struct sink *s, const void *record, size_t size, bool *flawed)
{
	const struct sink_cell *end = s->cells + s->cell_count;
	struct out *o = s->out;
	struct value v;

	for (const struct sink_cell *c = s->cells; c < end; c++) {
		out_bytes(o, s->leads.data + c->lead, c->lead_len);
		if (c->plain) {
			put_plain(o, c->field, record);
			continue;
		}
		if (field_load(c->field, record, size, &v))
			return -EBADMSG;
		json_put_value_or_null(o, c->field, &v);
		*flawed |= (v.status != EVENT_OK && v.status != EVENT_NONE) || v.unreadable;
	}
	return 0;
}

int json_put_record(const struct sink *s, const void *record, size_t size)
{
	size_t start = s->out->len;
	bool flawed = false;

	if (!schema_accepts(s->schema, size))
		return -EBADMSG;
	out_bytes(s->out, s->leads.data, s->head_len);
	put_stamp(s->out, record);
	if (put_fields(s, record, size, &flawed)) {
		out_rewind(s->out, start);
		return -EBADMSG;
	}
	if (flawed) {
		put_flaws(s, record, size, true);
		put_flaws(s, record, size, false);
	}
	out_str(s->out, "}\n");
	return 0;
}
