// SPDX-License-Identifier: GPL-2.0
/*
 * cell.c - a value as text, for a table cell or behind NAME=.
 *
 * Each kind of field has one small writer. It must not know where on the line the text will stand:
 * alignment is the table's job.
 */
#include "core/cell.h"

#include <string.h>
#include <endian.h>
#include <linux/types.h>

#include "core/context.h"
#include "core/diff.h"
#include "core/form.h"
#include "core/ksyms.h"
#include "core/show.h"
#include "core/text.h"
#include "event.h"

#define ELLIPSIS "…" /* one column, three bytes */

/* ---- numbers ---- */

static void put_flags(struct out *o, const struct field *f, const struct value *v)
{
	const struct field_name *n;
	uint64_t named = 0;
	size_t start = o->len;

	while ((n = value_flag_next(f, v, &named))) {
		if (o->len != start)
			out_char(o, '|');
		text_put(o, n->name, strlen(n->name));
	}
	if (o->len == start && !v->u)
		out_char(o, '0');
	if (!(v->u & ~named))
		return;
	out_str(o, o->len != start ? "|0x" : "0x");
	out_hex(o, v->u & ~named);
}

static void put_enum(struct out *o, const struct field *f, const struct value *v)
{
	const char *name = value_enum_name(f, v);

	if (name)
		text_put(o, name, strlen(name));
	else
		out_uint(o, v->u);
}

static void put_errno(struct out *o, const struct value *v)
{
	const char *name = errno_name(value_errno(v));

	if (name)
		out_str(o, name);
	else
		out_uint(o, value_errno(v));
}

static void put_result(struct out *o, const struct value *v)
{
	const char *name = errno_name(value_errno(v));

	if (!name) {
		out_int(o, (int64_t)v->u);
		return;
	}
	out_char(o, '-');
	out_str(o, name);
}

static uint64_t divide_rounded(uint64_t n, uint64_t by)
{
	return n / by + (n % by * 2 >= by);
}

/* Three significant digits, rounded: 999ns, 1.23us, 12.3us, 123us, … 123s; 12345s. */
static void put_duration(struct out *o, uint64_t ns)
{
	static const char units[][3] = { "ns", "us", "ms", "s" };
	static const unsigned ones[] = { 1, 100, 10 }; /* by power % 3: 123, 1.23, 12.3 */
	uint64_t scale = 1, digits;
	unsigned power = 0, one;

	for (; power < 9 && divide_rounded(ns, scale) >= 1000; power++)
		scale *= 10;
	digits = divide_rounded(ns, scale);
	one = ones[power % 3];
	out_uint(o, digits / one);
	if (one > 1) {
		out_char(o, '.');
		out_uint_pad(o, digits % one, one == 100 ? 2 : 1);
	}
	out_str(o, units[(power + 2) / 3]);
}

static void put_char(struct out *o, char c)
{
	out_char(o, '\'');
	text_put_part(o, &c, 1, TEXT_SHELL);
	out_char(o, '\'');
}

static void put_hex(struct out *o, uint64_t u)
{
	out_bytes(o, "0x", 2);
	out_hex(o, u);
}

/* -ENOENT, where it is an error. */
static bool put_error(struct out *o, const struct field *f, const struct value *v)
{
	bool negative;
	const char *name = value_error_name(f, v, &negative);

	if (!name)
		return false;
	if (negative)
		out_char(o, '-');
	out_str(o, name);
	return true;
}

static void put_pointer(struct out *o, const struct field *f, const struct value *v)
{
	if (!put_error(o, f, v))
		put_hex(o, v->u);
}

static void put_octal(struct out *o, uint64_t u)
{
	out_char(o, '0');
	if (u)
		out_octal(o, u);
}

size_t cell_put_time(struct out *o, uint64_t ns, enum timestamp_form form)
{
	size_t start = o->len;

	if (ns)
		timestamp_put(o, ns, form);
	else
		out_char(o, '-');
	return o->len - start;
}

/* All of these are ASCII: as many columns as bytes. */
static size_t put_number(struct out *o, const struct field *f, const struct value *v,
			 enum timestamp_form form)
{
	size_t start = o->len;

	switch (f->type) {
	case FIELD_UINT: out_uint(o, v->u); break;
	case FIELD_INT: out_int(o, (int64_t)v->u); break;
	case FIELD_HEX: put_hex(o, v->u); break;
	case FIELD_PTR: put_pointer(o, f, v); break;
	case FIELD_ERROR:
		if (!put_error(o, f, v))
			out_int(o, (int64_t)v->u);
		break;
	case FIELD_PORT: out_uint(o, be16toh((uint16_t)v->u)); break;
	case FIELD_OCT: put_octal(o, v->u); break;
	case FIELD_BOOL: out_str(o, v->u ? "true" : "false"); break;
	case FIELD_CHAR: put_char(o, (char)v->u); break;
	case FIELD_ENUM: put_enum(o, f, v); break;
	case FIELD_FLAGS: put_flags(o, f, v); break;
	case FIELD_FD: out_int(o, value_errno(v) ? -1 : (int64_t)v->u); break;
	case FIELD_ERRNO: put_errno(o, v); break;
	case FIELD_RET: put_result(o, v); break;
	case FIELD_NS: put_duration(o, v->u); break;
	case FIELD_TIME: cell_put_time(o, v->u, form); break;
	case FIELD_CONTEXT: context_put(o, v->u); break;
	default: break; /* no number; stacks are below the row */
	}
	return o->len - start;
}

/* ---- strings ---- */

/* Behind a value that did not fit: …, with the bytes left out where they are known. */
static size_t put_cut(struct out *o, const struct value *v)
{
	size_t start;

	out_str(o, ELLIPSIS);
	start = o->len;
	if (v->left_out) {
		out_str(o, "(+");
		out_uint(o, v->left_out);
		out_str(o, v->left_out == 1 ? " byte)" : " bytes)");
	}
	return 1 + o->len - start;
}

static inline size_t put_text(struct out *o, const struct field *f, const struct value *v)
{
	if (f->flags & FIELD_PAIR)
		return text_put_quoted(o, v->bytes, v->len);
	return text_put(o, v->bytes, v->len);
}

static size_t put_string(struct out *o, const struct field *f, const struct value *v)
{
	size_t columns = put_text(o, f, v);

	return v->status == EVENT_CUT ? columns + put_cut(o, v) : columns;
}

static size_t put_path_prefix(struct out *o, const struct value *v)
{
	if (v->status == EVENT_CUT) {
		out_str(o, ELLIPSIS);
		return 1;
	}
	if (v->status != EVENT_OUTSIDE)
		return 0;
	out_str(o, "(unreachable)");
	return strlen("(unreachable)");
}

/* /a/b, …/b when the walk to the root was cut short, (unreachable)/b like getcwd(2). */
static size_t put_path(struct out *o, const struct field *f, struct value v)
{
	bool pair = f->flags & FIELD_PAIR;
	size_t columns = pair ? 2 : 0, len;
	const char *name;

	if (pair)
		out_char(o, '"');
	columns += put_path_prefix(o, &v);
	if (!v.len) {
		out_char(o, '/');
		columns++;
	}
	while (value_take_last(&v, &name, &len)) {
		out_char(o, '/');
		columns += 1 + text_put_part(o, name, len, pair ? TEXT_QUOTED : TEXT_PLAIN);
	}
	if (pair)
		out_char(o, '"');
	return columns;
}

static size_t put_word(struct out *o, const struct value *v, size_t i, const char *word,
		       size_t len)
{
	if (!value_word_unreadable(v, i))
		return text_put_shell(o, word, len);
	out_str(o, "<fault>"); /* no shell word has a bare < */
	return strlen("<fault>");
}

/* Shell words; in a pair as bash writes an array, so that no word can pass for the next pair. */
static size_t put_argv(struct out *o, const struct field *f, struct value v)
{
	bool pair = f->flags & FIELD_PAIR;
	size_t columns = pair ? 2 : 0, len, i = 0;
	const char *word;

	if (pair)
		out_char(o, '(');
	for (; value_take_first(&v, &word, &len); i++) {
		if (i)
			out_char(o, ' ');
		columns += !!i + put_word(o, &v, i, word, len);
	}
	if (v.status == EVENT_CUT) {
		if (i)
			out_char(o, ' ');
		columns += !!i + put_cut(o, &v);
	}
	if (pair)
		out_char(o, ')');
	return columns;
}

/* ---- values ---- */

static size_t put_any(struct out *o, const struct field *f, const struct value *v,
		      enum timestamp_form form);

/* {1, 2, 3}; {1, 2, …(+7)} */
static size_t put_array(struct out *o, const struct field *f, const struct value *v)
{
	size_t columns = 2;
	struct field ef;
	struct value ev;

	out_char(o, '{');
	for (unsigned i = 0; i < f->count && !value_element(f, v, i, &ef, &ev); i++) {
		if (i)
			out_str(o, ", ");
		columns += (i ? 2 : 0) + put_any(o, &ef, &ev, TIMESTAMP_NONE);
	}
	if (v->left_out) {
		size_t start = o->len;

		out_str(o, ", …(+");
		out_uint(o, v->left_out);
		out_char(o, ')');
		columns += o->len - start - 2;
	}
	out_char(o, '}');
	return columns;
}

/* <fault>, <NULL: file->f_inode>, - */
static size_t put_no_value(struct out *o, const struct field *f, const struct value *v)
{
	const char *link = value_link(f, v);
	size_t start = o->len, columns;

	if (v->status == EVENT_NONE) {
		out_char(o, '-');
		return 1;
	}
	out_str(o, v->status == EVENT_NULL ? "<NULL" : "<fault");
	if (link)
		out_str(o, ": ");
	columns = o->len - start + 1;
	if (link)
		columns += text_put(o, link, strlen(link));
	out_char(o, '>');
	return columns;
}

/* NULL, fault and none of it: there is nothing to show but that. */
static inline bool has_value(const struct value *v)
{
	return v->status == EVENT_OK || v->status == EVENT_CUT || v->status == EVENT_OUTSIDE;
}

static __attribute__((noinline)) size_t put_any(struct out *o, const struct field *f,
						const struct value *v, enum timestamp_form form)
{
	if (!has_value(v))
		return put_no_value(o, f, v);
	if (f->count)
		return put_array(o, f, v);
	if (f->type == FIELD_STRUCT || f->type == FIELD_DIFF) {
		(f->type == FIELD_DIFF ? diff_put : show_put)(o, f, v, false);
		return 0; /* several lines: no width */
	}
	if (form_is(f->type))
		return form_put(o, f, v, f->flags & FIELD_PAIR ? TEXT_QUOTED : TEXT_PLAIN);
	switch (f->type) {
	case FIELD_CSTR:
	case FIELD_STR: return put_string(o, f, v);
	case FIELD_PATH: return put_path(o, f, *v);
	case FIELD_ARGV: return put_argv(o, f, *v);
	default: return put_number(o, f, v, form);
	}
}

/* Whole strings, the most common of what comes here, take the short way. */
size_t cell_put(struct out *o, const struct field *f, const struct value *v,
		enum timestamp_form form)
{
	if (v->status == EVENT_OK && (f->type == FIELD_CSTR || f->type == FIELD_STR) && !f->count)
		return put_text(o, f, v);
	return put_any(o, f, v, form);
}

void cell_put_caller(struct out *o, const struct field *f, const struct value *v, bool with_place)
{
	const char *name = NULL, *module;
	uint64_t offset;

	if (v->status == EVENT_OK && f->type == FIELD_SYM)
		name = ksyms_name(v->u, &offset, &module);
	if (!name) {
		cell_put(o, f, v, TIMESTAMP_NONE);
		return;
	}
	text_put(o, name, strlen(name));
	if (!with_place)
		return;
	out_str(o, "+0x");
	out_hex(o, offset);
	out_str(o, "/0x");
	out_hex(o, ksyms_size(v->u));
	if (module) {
		out_str(o, " [");
		text_put(o, module, strlen(module));
		out_char(o, ']');
	}
}
