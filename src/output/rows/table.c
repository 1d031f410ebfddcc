/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * table.c - writes a record as a line of text: columns, NAME=VALUE pairs, # remarks.
 *
 * A value is written first and aligned afterwards, so none is formatted twice. The blanks between cells are counted,
 * and written only before a later non-empty cell: no line ends in blanks. This file does not know how to format a
 * value (value_text.c), and knows nothing about files or terminals.
 */
#include <errno.h>
#include <string.h>
#include <linux/types.h>

#include "output/field/field_kind.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/rows/line.h"
#include "output/rows/sink_priv.h"
#include "output/field/stack.h"
#include "output/rows/table_cell.h"
#include "output/field/value_number.h"
#include "util/escape.h"
#include "event.h"

static void row_end(struct row *r)
{
	if (r->out->len != r->end)
		buf_rewind(r->out, r->end);
	buf_char(r->out, '\n');
}

static void write_time(struct row *r, enum timestamp_form form, const void *record)
{
	size_t start = cell_begin(r);
	struct event_header head;

	memcpy(&head, record, sizeof(head));
	cell_end(r, start, time_write(r->out, head.ts, form), timestamp_width(form), true);
}

/* Writes the pair's name. Between arguments, a separator replaces the pending blanks. */
static inline void pair_begin(struct row *r, const struct sink_cell *c)
{
	if (__builtin_expect(r->between != NULL, 0))
		table_begin_argument(r, c->field);
	else
		buf_blanks(r->out, r->owed);
	if (c->lead_len <= 16)
		buf_short(r->out, r->leads + c->lead, c->lead_len);
	else
		buf_bytes(r->out, r->leads + c->lead, c->lead_len);
}

static inline void pair_end(struct row *r)
{
	r->owed = 1;
	r->end = r->out->len;
}

/* ---- cells: the functions for sink_cell.write ---- */

static int write_pair(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct value v;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	pair_begin(r, c);
	value_write(r, c, &v);
	pair_end(r);
	return 0;
}

static inline bool is_fine(const struct field *f, const void *record)
{
	return !f->status || !((const unsigned char *)record)[f->status - 1];
}

/* Writes a string that lies completely in the record; its value is nearly always complete. */
static int write_pair_string(struct row *r, const struct sink_cell *c, const void *record,
			     size_t size)
{
	const char *bytes = (const char *)record + c->field->offset;

	if (!is_fine(c->field, record))
		return write_pair(r, c, record, size);
	pair_begin(r, c);
	escape_write_quoted(r->out, bytes, text_length(bytes, c->field->size));
	pair_end(r);
	return 0;
}

static int write_string(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	const char *bytes = (const char *)record + c->field->offset;
	size_t start;

	if (!is_fine(c->field, record))
		return table_write_column(r, c, record, size);
	start = cell_begin(r);
	cell_end(r, start, escape_write(r->out, bytes, text_length(bytes, c->field->size)),
		 c->field->width, c->right);
	return 0;
}

static int write_caller(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct value v;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	table_write_caller(r, c->field, &v, record);
	return 0;
}

/* Writes "# VALUE", or nothing if it has no value. */
static int write_remark(struct row *r, const struct sink_cell *c, const void *record, size_t size)
{
	struct value v;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	if (v.status == EVENT_NONE)
		return 0;
	if (r->between)
		table_end_call(r);
	buf_blanks(r->out, r->owed);
	buf_bytes(r->out, r->leads + c->lead, c->lead_len);
	r->owed = 1;
	r->end = r->out->len;
	column_write(r, c, &v);
	return 0;
}

static bool is_string(const struct sink_shape *shape, const struct field *f)
{
	return f->type == FIELD_CSTR && !f->count && !f->value && !f->kind &&
	       !(f->flags & (FIELD_MAYBE | FIELD_REMARK)) &&
	       (size_t)f->offset + f->size <= shape->size_min && f->status <= shape->size_min;
}

void table_cell_prepare(struct sink_shape *shape, struct sink_cell *c)
{
	const struct field *f = c->field;
	bool pair = f->flags & FIELD_PAIR;

	sink_write_lead(shape, f);
	c->text = f->count ? value_text_write : field_kind(f)->text;
	if (f->flags & FIELD_REMARK)
		c->write = write_remark;
	else if (f->flags & FIELD_CALLER)
		c->write = write_caller;
	else if (is_string(shape, f))
		c->write = pair ? write_pair_string : write_string;
	else if (pair)
		c->write = write_pair;
	else
		c->write = field_kind(f)->write			 ?:
				   table_number_choose(shape, c) ?:
								   table_write_column;
}

static inline int write_cells(struct row *r, const struct sink_cell *c, size_t count,
			      const void *record, size_t size)
{
	for (const struct sink_cell *end = c + count; c < end; c++)
		if (c->write(r, c, record, size))
			return -EBADMSG;
	return 0;
}

/* ---- the row ---- */

/* Counts the first cells that depend only on what shape->task holds. */
static void task_cells_count(struct sink_shape *shape)
{
	size_t i = 0;

	for (; i < shape->columns && !shape->schema->bare; i++) {
		const struct sink_cell *c = &shape->cells[i];

		if ((!table_is_plain(c) && c->write != write_string) || c->field->status ||
		    c->field->offset < offsetof(struct event_header, pid) ||
		    c->field->offset + c->field->size > sizeof(struct event_header))
			break;
	}
	shape->task_cells = i;
}

static void cells_add(const struct sink *s, struct sink_shape *shape)
{
	sink_cells_arrange(s, shape);
	task_cells_count(shape);
}

/* Writes the task's cells: the cached text if the task is the same; else a new text, cached if it fits. */
static inline void write_task(struct row *r, struct sink_shape *s, const void *record, size_t size)
{
	const void *from = (const char *)record + offsetof(struct event_header, pid);
	uint64_t task[3];
	size_t start;
	char *to;

	buf_blanks(r->out, r->owed);
	memcpy(task, from, sizeof(task));
	to = buf_reserve(r->out, sizeof(s->task_text));
	if (to && s->task_len &&
	    !((task[0] ^ s->task[0]) | (task[1] ^ s->task[1]) | (task[2] ^ s->task[2]))) {
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
	write_cells(r, s->cells, s->task_cells, record, size);
	if (r->end != r->out->len || r->end - start > sizeof(s->task_text))
		return;
	s->task_len = r->end - start;
	s->task_owed = r->owed;
	memcpy(s->task_text, r->out->data + start, s->task_len);
}

void table_write_below(struct buf *o, const struct sink_shape *shape, const void *record,
		       size_t size)
{
	struct value v;

	for (size_t i = shape->below; i < shape->cell_count; i++) {
		const struct sink_cell *c = &shape->cells[i];
		bool named = c->field->flags & FIELD_PAIR && shape->cell_count - shape->below > 1;

		if (field_load(c->field, record, size, &v))
			continue;
		if (named)
			stack_write_name(o, c->field);
		c->text(o, c->field, &v, shape->schema->timestamp);
	}
}

static int write_columns(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	struct row r = { .out = s->out,
			 .leads = shape->leads.data,
			 .end = s->out->len,
			 .form = shape->schema->timestamp };
	size_t start = s->out->len;

	if (size < shape->size_min)
		return -EBADMSG;
	if (r.form != TIMESTAMP_NONE && !shape->schema->bare)
		write_time(&r, r.form, record);
	if (shape->task_cells)
		write_task(&r, shape, record, size);
	if (write_cells(&r, shape->cells + shape->task_cells, shape->below - shape->task_cells,
			record, size)) {
		buf_rewind(s->out, start);
		return -EBADMSG;
	}
	if (r.between)
		table_end_call(&r);
	row_end(&r);
	if (shape->below < shape->cell_count)
		table_write_below(s->out, shape, record, size);
	return 0;
}

/* Writes the user's text; the time before it and stacks below it, if requested. */
static int write_line(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	const struct schema *schema = shape->schema;
	struct row r = { .out = s->out };
	size_t start = s->out->len;

	if (size < shape->size_min)
		return -EBADMSG;
	if (schema->timestamp != TIMESTAMP_NONE && !schema->bare)
		write_time(&r, schema->timestamp, record);
	buf_blanks(s->out, r.owed);
	if (line_write(s->out, schema->line, record, size, schema->timestamp)) {
		buf_rewind(s->out, start);
		return -EBADMSG;
	}
	if (shape->below < shape->cell_count)
		table_write_below(s->out, shape, record, size);
	return 0;
}

static int write_record(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	if (__builtin_expect(shape->schema->text != NULL, 0))
		return sink_write_text(s, shape, record, size);
	if (shape->schema->line)
		return write_line(s, shape, record, size);
	return write_columns(s, shape, record, size);
}

/* ---- header ---- */

static char upper(char c)
{
	return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c;
}

size_t table_write_title(struct buf *o, const struct field *f)
{
	const char *title = f->title ? f->title : f->name;
	size_t start = o->len, columns = escape_write(o, title, strlen(title));

	for (size_t i = start; !f->title && i < o->len; i++)
		o->data[i] = upper(o->data[i]);
	return columns;
}

static void write_title(struct row *r, const struct field *f, bool right)
{
	size_t start = cell_begin(r);

	cell_end(r, start, table_write_title(r->out, f), f->width, right);
}

/* Pairs and remarks have no title; a table with nothing else has no header. */
static void write_header(struct sink *s, const struct sink_shape *shape)
{
	enum timestamp_form form = shape->schema->timestamp;
	struct row r = { .out = s->out, .end = s->out->len };
	struct field time = { .name = "time", .width = timestamp_width(form) };
	size_t start = s->out->len;

	if (shape->schema->text || shape->schema->line)
		return;
	if (form != TIMESTAMP_NONE && !shape->schema->bare)
		write_title(&r, &time, form > TIMESTAMP_ISO);
	for (size_t i = 0; i < shape->columns; i++)
		write_title(&r, shape->cells[i].field, shape->cells[i].right);
	if (s->out->len != start)
		row_end(&r);
}

const struct sink_form sink_form_table = {
	.cells = cells_add,
	.cell = table_cell_prepare,
	.record = write_record,
	.header = write_header,
};
