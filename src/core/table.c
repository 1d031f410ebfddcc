// SPDX-License-Identifier: GPL-2.0
/*
 * table.c - a record as a line of text: columns, NAME=VALUE pairs, # remarks.
 *
 * A value is written first and aligned afterwards, so none is formatted twice. Blanks between
 * cells are owed, and paid only when a later cell has something to show: no line ends in blanks.
 * It must not know how a value looks (cell.c), nor of files or terminals.
 */
#include <errno.h>
#include <string.h>
#include <linux/types.h>

#include "core/cell.h"
#include "core/schema.h"
#include "core/stack.h"
#include "core/text.h"
#include "event.h"

/* A line in the making. */
struct row {
	struct out *out;
	size_t owed; /* blanks before the next cell */
	size_t end;  /* of the last cell that was not empty */
	const char *between; /* pairs, while they are a function's arguments; NULL: they are none */
};

/* Pays the blanks; returns where the cell begins. */
static inline size_t cell_begin(struct row *r)
{
	out_blanks(r->out, r->owed);
	return r->out->len;
}

static void shift_right(struct out *o, size_t start, size_t by)
{
	if (!out_reserve(o, by))
		return;
	memmove(o->data + start + by, o->data + start, o->len - start);
	memset(o->data + start, ' ', by);
	o->len += by;
}

static inline void cell_end(struct row *r, size_t start, size_t columns, int width, bool right)
{
	size_t pad = width > 0 && columns < (size_t)width ? width - columns : 0;

	if (pad && right) {
		shift_right(r->out, start, pad);
		pad = 0;
	}
	r->owed = pad + 1;
	if (r->out->len != start)
		r->end = r->out->len;
}

static void row_end(struct row *r)
{
	if (r->out->len != r->end)
		out_rewind(r->out, r->end);
	out_char(r->out, '\n');
}

static const int time_widths[] = {
	[TIMESTAMP_ISO] = 32, /* 2026-11-21T00:34:10.123456+01:00 */
	[TIMESTAMP_REL] = 12,
	[TIMESTAMP_MONO] = 14,
	[TIMESTAMP_UNIX] = 17, /* 1795221250.123456 */
	[TIMESTAMP_UTC] = 27,
};

static void put_time(struct row *r, enum timestamp_form form, const void *record)
{
	size_t start = cell_begin(r);
	struct event_header head;

	memcpy(&head, record, sizeof(head));
	cell_end(r, start, cell_put_time(r->out, head.ts, form), time_widths[form], true);
}

static const char *callee_name(const struct field *f, const void *record)
{
	uint32_t i = 0;

	if (f->follow_at)
		memcpy(&i, (const char *)record + f->follow_at, sizeof(i));
	return i < f->name_count && f->names[i].name ? f->names[i].name : "?";
}

/* The name without its %return. */
static void put_callee(struct out *o, const char *name)
{
	static const char suffix[] = "%return";
	size_t len = strlen(name), cut = sizeof(suffix) - 1;

	if (len > cut && !strcmp(name + len - cut, suffix))
		len -= cut;
	text_put(o, name, len);
}

/* As the kernel's own traces have it: caller->func(a=1, b=2), (caller+0x5/0x40 <- func) a=1. */
static void put_caller(struct row *r, const struct field *f, const struct value *v,
		       const void *record)
{
	bool is_return = f->flags & FIELD_RESULT;

	out_blanks(r->out, r->owed);
	out_str(r->out, is_return ? "(" : "");
	cell_put_caller(r->out, f, v, is_return);
	out_str(r->out, is_return ? " <- " : "->");
	put_callee(r->out, callee_name(f, record));
	out_char(r->out, is_return ? ')' : '(');
	r->between = is_return ? NULL : "";
	r->owed = is_return;
	r->end = r->out->len;
}

static void arguments_end(struct row *r)
{
	out_char(r->out, ')');
	r->between = NULL;
	r->owed = 1;
	r->end = r->out->len;
}

static __attribute__((noinline)) void argument_begin(struct row *r, const struct field *f)
{
	if (!(f->flags & FIELD_RESULT)) {
		out_str(r->out, r->between);
		r->between = ", ";
		return;
	}
	arguments_end(r);
	out_blanks(r->out, r->owed);
}

/* Its name. Among arguments what stands between them is owed in place of blanks. */
static inline void pair_begin(struct row *r, const struct sink *s, const struct sink_cell *c)
{
	if (__builtin_expect(r->between != NULL, 0))
		argument_begin(r, c->field);
	else
		out_blanks(r->out, r->owed);
	if (c->lead_len <= 16)
		out_short(r->out, s->leads.data + c->lead, c->lead_len);
	else
		out_bytes(r->out, s->leads.data + c->lead, c->lead_len);
}

static inline void pair_end(struct row *r)
{
	r->owed = 1;
	r->end = r->out->len;
}

static inline void put_pair(struct row *r, const struct sink *s, const struct sink_cell *c,
			    const struct value *v)
{
	pair_begin(r, s, c);
	cell_put(r->out, c->field, v, s->schema->timestamp);
	pair_end(r);
}

/* A string with nothing wrong about it. */
static inline void put_string(struct row *r, const struct sink *s, const struct sink_cell *c,
			      const void *record)
{
	const char *bytes = (const char *)record + c->field->offset;
	size_t len = text_length(bytes, c->field->size), start;

	if (c->field->flags & FIELD_PAIR) {
		pair_begin(r, s, c);
		text_put_quoted(r->out, bytes, len);
		pair_end(r);
		return;
	}
	start = cell_begin(r);
	cell_end(r, start, text_put(r->out, bytes, len), c->field->width, c->right);
}

static inline bool is_fine(const struct field *f, const void *record)
{
	return !f->status || !((const unsigned char *)record)[f->status - 1];
}

static inline void put_column(struct row *r, const struct sink *s, const struct sink_cell *c,
			      const struct value *v)
{
	size_t start = cell_begin(r);
	size_t columns = cell_put(r->out, c->field, v, s->schema->timestamp);

	cell_end(r, start, columns, c->field->width, c->right);
}

/* # VALUE, and nothing where there is none. */
static void put_remark(struct row *r, const struct sink *s, const struct sink_cell *c,
		       const struct value *v)
{
	if (v->status == EVENT_NONE)
		return;
	if (r->between)
		arguments_end(r);
	out_blanks(r->out, r->owed);
	out_bytes(r->out, s->leads.data + c->lead, c->lead_len);
	r->owed = 1;
	r->end = r->out->len;
	put_column(r, s, c, v);
}

/* Its blanks go in front at once, where other cells are shifted. */
static inline void put_plain(struct row *r, const struct field *f, const void *record)
{
	uint32_t u;

	memcpy(&u, (const char *)record + f->offset, sizeof(u));
	out_blanks(r->out, r->owed);
	out_uint_right(r->out, u, f->width);
	r->owed = 1;
	r->end = r->out->len;
}

static int put_cells(struct row *r, const struct sink *s, size_t first, size_t count,
		     const void *record, size_t size)
{
	const struct sink_cell *c = s->cells + first, *end = c + count;
	struct value v;

	for (; c < end; c++) {
		if (c->plain)
			put_plain(r, c->field, record);
		else if (c->text && is_fine(c->field, record))
			put_string(r, s, c, record);
		else if (field_load(c->field, record, size, &v))
			return -EBADMSG;
		else if (c->field->flags & FIELD_CALLER)
			put_caller(r, c->field, &v, record);
		else if (c->field->flags & FIELD_PAIR)
			put_pair(r, s, c, &v);
		else if (c->field->flags & FIELD_BELOW)
			continue;
		else if (c->lead_len)
			put_remark(r, s, c, &v);
		else
			put_column(r, s, c, &v);
	}
	return 0;
}

/* Who it was: as before, or made anew, and kept if it fits. */
static inline void put_task(struct row *r, struct sink *s, const void *record, size_t size)
{
	const void *from = (const char *)record + offsetof(struct event_header, pid);
	uint64_t task[3];
	size_t start;
	char *to;

	out_blanks(r->out, r->owed);
	memcpy(task, from, sizeof(task));
	to = out_reserve(r->out, sizeof(s->task_text));
	if (to && s->task_len && !((task[0] ^ s->task[0]) | (task[1] ^ s->task[1]) |
				   (task[2] ^ s->task[2]))) {
		memcpy(to, s->task_text, sizeof(s->task_text));
		r->out->len += s->task_len;
		r->owed = s->task_owed;
		r->end = r->out->len;
		return;
	}
	memcpy(s->task, task, sizeof(task));
	s->task_len = 0;
	start = r->out->len;
	r->owed = 0;
	put_cells(r, s, 0, s->task_cells, record, size);
	if (r->end != r->out->len || r->end - start > sizeof(s->task_text))
		return;
	s->task_len = r->end - start;
	s->task_owed = r->owed;
	memcpy(s->task_text, r->out->data + start, s->task_len);
}

/* Each frame on a line of its own. */
static void put_below(const struct sink *s, const void *record, size_t size)
{
	struct value v;

	for (const struct sink_cell *c = s->cells; c < s->cells + s->cell_count; c++) {
		if (!(c->field->flags & FIELD_BELOW) || field_load(c->field, record, size, &v))
			continue;
		stack_put_lines(s->out, c->field, &v, s->leads.data + c->lead, c->lead_len);
	}
}

int table_put_record(struct sink *s, const void *record, size_t size)
{
	struct row r = { .out = s->out, .end = s->out->len };
	size_t start = s->out->len;

	if (!schema_accepts(s->schema, size))
		return -EBADMSG;
	if (s->schema->timestamp != TIMESTAMP_NONE)
		put_time(&r, s->schema->timestamp, record);
	if (s->task_cells)
		put_task(&r, s, record, size);
	if (put_cells(&r, s, s->task_cells, s->cell_count - s->task_cells, record, size)) {
		out_rewind(s->out, start);
		return -EBADMSG;
	}
	if (r.between)
		arguments_end(&r);
	row_end(&r);
	put_below(s, record, size);
	return 0;
}

/* ---- header ---- */

static char upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

static void put_title(struct row *r, const struct field *f, bool right)
{
	const char *title = f->title ? f->title : f->name;
	size_t start = cell_begin(r);
	size_t columns = text_put(r->out, title, strlen(title));

	for (size_t i = start; !f->title && i < r->out->len; i++)
		r->out->data[i] = upper(r->out->data[i]);
	cell_end(r, start, columns, f->width, right);
}

/* Pairs and remarks have no title; a table of nothing else has no header. */
void table_put_header(const struct sink *s)
{
	struct row r = { .out = s->out, .end = s->out->len };
	struct field time = { .name = "time", .width = time_widths[s->schema->timestamp] };
	size_t start = s->out->len;

	if (s->schema->timestamp != TIMESTAMP_NONE)
		put_title(&r, &time, s->schema->timestamp != TIMESTAMP_ISO);
	for (size_t i = 0; i < s->cell_count; i++)
		if (!s->cells[i].lead_len)
			put_title(&r, s->cells[i].field, s->cells[i].right);
	if (s->out->len != start)
		row_end(&r);
}
