/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table_call.c - the caller and the function at the beginning of a row, and the parentheses around
 * its arguments.
 */
#include "output/rows/table_call.h"

#include <string.h>

#include "output/field/value_text.h"
#include "util/escape.h"

static const char *callee_name(const struct field *f, const void *record)
{
	uint32_t i = 0;

	if (f->follow_at)
		memcpy(&i, (const char *)record + f->follow_at, sizeof(i));
	return i < f->name_count && f->names[i].name ? f->names[i].name : "?";
}

/* Writes the name without %return. */
static void put_callee(struct buf *o, const char *name)
{
	static const char suffix[] = "%return";
	size_t len = strlen(name), cut = sizeof(suffix) - 1;

	if (len > cut && !strcmp(name + len - cut, suffix))
		len -= cut;
	escape_put(o, name, len);
}

/* Like the kernel's own traces: caller->func(a=1, b=2), (caller+0x5/0x40 <- func) a=1. */
void table_put_caller(struct row *r, const struct field *f, const struct value *v,
		      const void *record)
{
	bool is_return = f->flags & FIELD_RESULT;

	buf_blanks(r->out, r->owed);
	buf_str(r->out, is_return ? "(" : "");
	value_text_put_caller(r->out, f, v, is_return);
	buf_str(r->out, is_return ? " <- " : "->");
	put_callee(r->out, callee_name(f, record));
	buf_char(r->out, is_return ? ')' : '(');
	r->between = is_return ? NULL : "";
	r->owed = is_return;
	r->end = r->out->len;
}

void table_end_call(struct row *r)
{
	buf_char(r->out, ')');
	r->between = NULL;
	r->owed = 1;
	r->end = r->out->len;
}

void table_begin_argument(struct row *r, const struct field *f)
{
	if (!(f->flags & FIELD_RESULT)) {
		buf_str(r->out, r->between);
		r->between = ", ";
		return;
	}
	table_end_call(r);
	buf_blanks(r->out, r->owed);
}
