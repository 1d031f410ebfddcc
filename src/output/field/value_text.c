/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value_text.c - writes a value as text, for a table cell or after NAME=.
 *
 * Each kind of field has one small function. This file does not know where on the line the text will be: alignment is
 * the table's job.
 */
#include "output/field/value_text.h"

#include <string.h>
#include <linux/types.h>

#include "output/field/field_kind.h"
#include "output/field/hist.h"
#include "output/field/stack.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_number.h"
#include "symbols/kernel/ksyms.h"
#include "event.h"

/* ---- bytes that are text, or else numbers ---- */

enum {
	CHANCE_MAX = 3
}; /* so few printable bytes before a NUL may be there by chance: 52:54:00 is "RT" */

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

struct field chars_as_numbers(const struct field *f)
{
	struct field numbers = *f;

	numbers.type = FIELD_UINT;
	numbers.count = f->size;
	return numbers;
}

size_t text_chars(struct buf *o, const struct field *f, const struct value *v,
		  enum timestamp_form form)
{
	struct field numbers = chars_as_numbers(f);
	struct value text = *v;

	if (!chars_are_text(v->bytes, v->len, f->name))
		return value_text_write(o, &numbers, v, form);
	text.len = text_length(v->bytes, v->len);
	text.status = text.len == v->len ? v->status : EVENT_OK;
	return text_string(o, f, &text, form);
}

#define ELLIPSIS "…" /* one column, three bytes */

/* ---- strings ---- */

size_t text_write_cut(struct buf *o, const struct value *v)
{
	size_t start;

	buf_str(o, ELLIPSIS);
	start = o->len;
	if (v->left_out) {
		buf_str(o, "(+");
		buf_uint(o, v->left_out);
		buf_str(o, v->left_out == 1 ? " byte)" : " bytes)");
	}
	return 1 + o->len - start;
}

size_t text_string(struct buf *o, const struct field *f, const struct value *v,
		   enum timestamp_form form)
{
	size_t columns = f->flags & FIELD_PAIR ? escape_write_quoted(o, v->bytes, v->len) :
						 escape_write(o, v->bytes, v->len);

	(void)form;
	return v->status == EVENT_CUT ? columns + text_write_cut(o, v) : columns;
}

static size_t write_path_prefix(struct buf *o, const struct field *f, const struct value *v)
{
	if (v->status == EVENT_CUT || (f->flags & FIELD_INNER && v->status == EVENT_OK)) {
		buf_str(o, ELLIPSIS);
		return 1;
	}
	if (v->status != EVENT_OUTSIDE)
		return 0;
	buf_str(o, "(unreachable)");
	return strlen("(unreachable)");
}

/* The kernel's names for kinds of files without a path; it numbers those without their own name. */
struct anonymous {
	const char *type, *name;
	bool numbered;
};

static const struct anonymous *anonymous_find(const char *type, size_t len)
{
	static const struct anonymous known[] = {
		{ "pipefs", "pipe", true },
		{ "sockfs", "socket", true },
		{ "anon_inodefs", "anon_inode", false },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (strlen(known[i].type) == len && !memcmp(known[i].type, type, len))
			return &known[i];
	return NULL;
}

void path_write_anonymous(struct buf *o, const struct value *value, enum escape_form form,
			  size_t *columns)
{
	const char *type = "", *name = "";
	size_t type_len = 0, len = 0, start = o->len;
	const struct anonymous *known;
	struct value v = *value;

	value_pop_last(&v, &type, &type_len);
	value_pop_last(&v, &name, &len);
	known = anonymous_find(type, type_len);
	if (len == 1 && *name == '/') { /* the root of a file system that is mounted nowhere */
		buf_str(o, "(unreachable)/");
		*columns += o->len - start;
		return;
	}
	escape_write_part(o, known ? known->name : type, known ? strlen(known->name) : type_len,
			  form); /* ASCII, as in the kernel's own output */
	buf_char(o, ':');
	if (!len || (known && known->numbered)) {
		buf_char(o, '[');
		buf_uint(o, v.left_out);
		buf_char(o, ']');
		len = 0;
	}
	*columns += o->len - start;
	*columns += escape_write_part(o, name, len, form);
}

/* Writes /a/b; pipe:[123]; …/b if the walk to the root was cut short; (unreachable)/b as getcwd(2) does. */
size_t text_path(struct buf *o, const struct field *f, const struct value *value,
		 enum timestamp_form form)
{
	bool pair = f->flags & FIELD_PAIR;
	size_t columns = pair ? 2 : 0, len;
	struct value v = *value;
	const char *name;

	(void)form;
	if (pair)
		buf_char(o, '"');
	if (v.status == EVENT_ANONYMOUS) {
		path_write_anonymous(o, &v, pair ? ESCAPE_QUOTED : ESCAPE_PLAIN, &columns);
		v.len = 0;
	}
	columns += write_path_prefix(o, f, &v);
	if (!v.len && v.status != EVENT_ANONYMOUS) {
		buf_char(o, '/');
		columns++;
	}
	while (value_pop_last(&v, &name, &len)) {
		buf_char(o, '/');
		columns += 1 + escape_write_part(o, name, len, pair ? ESCAPE_QUOTED : ESCAPE_PLAIN);
	}
	if (pair)
		buf_char(o, '"');
	return columns;
}

static size_t write_word(struct buf *o, const struct value *v, size_t i, const char *word,
			 size_t len)
{
	if (!value_word_unreadable(v, i))
		return escape_write_shell(o, word, len);
	/* cannot be confused with a word, because none contains an unquoted '<' */
	buf_str(o, "<fault>");
	return strlen("<fault>");
}

/* Writes shell words. In a pair, uses bash's notation for arrays, so that no word looks like the next pair. */
size_t text_argv(struct buf *o, const struct field *f, const struct value *value,
		 enum timestamp_form form)
{
	bool pair = f->flags & FIELD_PAIR;
	size_t columns = pair ? 2 : 0, len, i = 0;
	const char *word;
	struct value v;

	(void)form;
	if (!pair && !value->unreadable && value->status == EVENT_OK)
		return escape_write_shell_words(o, value->bytes, value->len);
	v = *value;
	if (pair)
		buf_char(o, '(');
	for (; value_pop_first(&v, &word, &len); i++) {
		if (i)
			buf_char(o, ' ');
		columns += !!i + write_word(o, &v, i, word, len);
	}
	if (v.status == EVENT_CUT) {
		if (i)
			buf_char(o, ' ');
		columns += !!i + text_write_cut(o, &v);
	}
	if (pair)
		buf_char(o, ')');
	return columns;
}

/* ---- structs, histograms, stacks: several lines ---- */

/* Writes p50 64K
 *
 * p90 ~80.1K
 *
 * …, and the bars. */
size_t text_hist(struct buf *o, const struct field *f, const struct value *v,
		 enum timestamp_form form)
{
	static const unsigned percents[] = { 50, 90, 99 };
	struct hist h = hist_of(f, v);
	struct hist_percentile p;

	(void)form;
	for (int i = 0; i < 3; i++) {
		if (!hist_percentile(&h, percents[i] * 1000, &p))
			continue;
		buf_printf(o, "  p%u ", percents[i]);
		hist_percentile_write(o, &h, &p);
	}
	buf_char(o, '\n');
	hist_write(o, &h);
	return 0;
}

TEXT_ASCII(percentile, {
	struct hist h = hist_of(f, v);
	struct hist_percentile p;

	if (hist_percentile(&h, f->percent, &p))
		hist_percentile_write(o, &h, &p);
	else
		buf_char(o, '-');
})

/* ---- values ---- */

/* Writes {1, 2, 3} or {1, 2, …(+7)}. */
static size_t write_array(struct buf *o, const struct field *f, const struct value *v)
{
	size_t columns = 2;
	struct field ef;
	struct value ev;

	buf_char(o, '{');
	for (unsigned i = 0; i < f->count && !value_element(f, v, i, &ef, &ev); i++) {
		if (i)
			buf_str(o, ", ");
		columns += (i ? 2 : 0) + value_text_write(o, &ef, &ev, TIMESTAMP_NONE);
	}
	if (v->left_out) {
		size_t start = o->len;

		buf_str(o, ", …(+");
		buf_uint(o, v->left_out);
		buf_char(o, ')');
		columns += o->len - start - 2;
	}
	buf_char(o, '}');
	return columns;
}

/* Writes <fault>, <NULL: file->f_inode>, NULL or -. */
static size_t write_no_value(struct buf *o, const struct field *f, const struct value *v)
{
	const char *link = value_link(f, v);
	size_t start = o->len, columns;

	if (v->status == EVENT_NONE) {
		buf_char(o, '-');
		return 1;
	}
	if (v->status == EVENT_NIL) {
		buf_str(o, "NULL");
		return strlen("NULL");
	}
	buf_str(o, v->status == EVENT_NULL ? "<NULL" : "<fault");
	if (link)
		buf_str(o, ": ");
	columns = o->len - start + 1;
	if (link)
		columns += escape_write(o, link, strlen(link));
	buf_char(o, '>');
	return columns;
}

/* False for NULL, fault and none: only the status can be shown. */
static inline bool has_value(const struct value *v)
{
	return v->status == EVENT_OK || v->status == EVENT_CUT || v->status == EVENT_OUTSIDE ||
	       v->status == EVENT_ANONYMOUS;
}

size_t value_text_write(struct buf *o, const struct field *f, const struct value *v,
			enum timestamp_form form)
{
	if (!has_value(v))
		return write_no_value(o, f, v);
	if (f->count)
		return write_array(o, f, v);
	return field_kind(f)->text(o, f, v, form);
}

void value_text_write_caller(struct buf *o, const struct field *f, const struct value *v,
			     bool with_place)
{
	const char *name = NULL, *module;
	uint64_t offset;

	if (v->status == EVENT_OK && f->type == FIELD_SYM)
		name = ksyms_name(v->u, &offset, &module);
	if (!name) {
		value_text_write(o, f, v, TIMESTAMP_NONE);
		return;
	}
	escape_write(o, name, strlen(name));
	if (!with_place)
		return;
	buf_str(o, "+0x");
	buf_hex(o, offset);
	buf_str(o, "/0x");
	buf_hex(o, ksyms_size(v->u));
	if (module) {
		buf_str(o, " [");
		escape_write(o, module, strlen(module));
		buf_char(o, ']');
	}
}
