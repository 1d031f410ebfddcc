/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fitted.c - a table on a terminal: as table.c writes it, but with colors, and not wider than the terminal.
 *
 * Columns of texts are narrower where the header would not fit; a row that is too long loses the middle of its longest
 * texts. Numbers stay whole, and so do rows with NAME=VALUE, whose values the user asked for by name. A row's texts are
 * written to memory first; table.c is for floods and does not look back.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "output/field/timestamp.h"
#include "output/field/value_number.h"
#include "output/rows/fit.h"
#include "output/rows/sink_priv.h"
#include "output/rows/table_cell.h"

struct text {
	size_t start, len; /* in state.texts */
	size_t shown;	   /* columns of it that are shown */
	size_t before;	   /* blanks */
	enum style style;
};

struct state {
	struct buf texts; /* owned: of the row being written */
	/* owned, each with one member for the time (which may be missing) and for each column */
	struct fit_column *columns;
	struct text *row;
	size_t count;
	size_t room; /* columns that a row may have; 0: any number */
	size_t tail; /* where pairs and remarks begin in `texts`, */
	size_t tail_columns, tail_before;
	bool has_pairs;
};

static void state_free(struct sink *s)
{
	struct state *t = s->state;

	buf_free(&t->texts);
	free(t->columns);
	free(t->row);
	free(t);
	s->state = NULL;
}

/* ---- columns ---- */

static bool has_time(const struct sink_shape *shape)
{
	return shape->schema->timestamp != TIMESTAMP_NONE && !shape->schema->bare;
}

/* All schemas have the same columns. */
static int state_build(struct sink *s, const struct sink_shape *shape)
{
	struct state *t = calloc(1, sizeof(*t));
	bool timed = has_time(shape);

	s->state = t;
	if (!t)
		return -ENOMEM;
	buf_init(&t->texts, -1);
	t->count = timed + shape->columns;
	t->columns = calloc(t->count + 1, sizeof(*t->columns));
	t->row = calloc(t->count + 1, sizeof(*t->row));
	if (!t->columns || !t->row) {
		state_free(s);
		return -ENOMEM;
	}
	if (timed)
		t->columns[0].width = timestamp_width(shape->schema->timestamp);
	for (size_t i = timed; i < t->count; i++) {
		const struct sink_cell *c = &shape->cells[i - timed];
		int width = c->field->width;

		t->columns[i] = (struct fit_column){ .field = c->field,
						     .width = width > 0 ? width : 0,
						     .is_text = !c->right };
	}
	if (!s->out->columns)
		return 0;
	t->room = fit_table(s, t->columns, t->count, 1);
	t->room = t->room > s->out->columns ? t->room : s->out->columns;
	fit_note(s, t->columns, t->count);
	return 0;
}

/* ---- a row ---- */

static void text_end(struct state *t, size_t i, size_t start, enum style style)
{
	size_t len = t->texts.len - start;
	size_t columns = fit_columns(t->texts.data + start, len);

	t->row[i] = (struct text){ .start = start, .len = len, .shown = columns, .style = style };
}

static void time_build(struct state *t, const struct sink_shape *shape, const void *record)
{
	struct event_header head;
	size_t start = t->texts.len;

	memcpy(&head, record, sizeof(head));
	time_write(&t->texts, head.ts, shape->schema->timestamp);
	text_end(t, 0, start, STYLE_NONE);
}

static int cell_build(struct state *t, size_t i, const struct sink_shape *shape,
		      const struct sink_cell *c, const void *record, size_t size)
{
	struct row r = { .out = &t->texts, .form = shape->schema->timestamp };
	size_t start = t->texts.len;
	enum style style;
	struct value v;

	if (c->load(c->field, record, size, &v))
		return -EBADMSG;
	value_write(&r, c, &v);
	style = fit_style(c->field, t->texts.data + start, t->texts.len - start);
	if (v.status != EVENT_OK && v.status != EVENT_NONE)
		style = STYLE_WARNING;
	text_end(t, i, start, style);
	return 0;
}

static int row_build(struct state *t, const struct sink_shape *shape, const void *record,
		     size_t size)
{
	struct row r = { .out = &t->texts, .leads = shape->leads.data };
	bool timed = has_time(shape);

	t->texts.len = 0;
	r.form = shape->schema->timestamp;
	if (timed)
		time_build(t, shape, record);
	for (size_t i = 0; i < shape->columns; i++)
		if (cell_build(t, timed + i, shape, &shape->cells[i], record, size))
			return -EBADMSG;
	t->tail = r.end = t->texts.len;
	t->has_pairs = false;
	for (size_t i = shape->columns; i < shape->below; i++) {
		t->has_pairs |= (shape->cells[i].field->flags & FIELD_PAIR) != 0;
		if (shape->cells[i].write(&r, &shape->cells[i], record, size))
			return -EBADMSG;
	}
	buf_rewind(&t->texts, r.end);
	t->tail_columns = fit_columns(t->texts.data + t->tail, r.end - t->tail);
	return t->texts.error;
}

/* ---- layout ---- */

/* Sets the blanks before each text so that the columns stand below their titles. Returns the columns of the row. */
static size_t row_place(struct state *t)
{
	size_t owed = 0, at = 0;
	struct row r = { 0 };

	for (size_t i = 0; i < t->count; i++) {
		const struct fit_column *c = &t->columns[i];
		struct text *x = &t->row[i];
		size_t pad = c->width > x->shown ? c->width - x->shown : 0;

		if (c->is_hidden)
			continue;
		pad = cell_catch_up(&r, x->shown, (int)c->width, pad);
		x->before = owed + (c->is_text ? 0 : pad);
		at += x->before + x->shown;
		owed = 1 + (c->is_text ? pad : 0);
	}
	t->tail_before = owed;
	return at + (t->tail_columns ? owed + t->tail_columns : 0);
}

/* Returns the longest text, or the one that is farthest beyond its column's width; NULL: none can be shorter. */
static struct text *text_longest(const struct state *t, bool beyond)
{
	struct text *found = NULL;
	size_t most = 0;

	for (size_t i = 0; i < t->count; i++) {
		const struct fit_column *c = &t->columns[i];
		size_t shown = t->row[i].shown, width = beyond ? c->width : FIT_LEAST;

		if (!c->is_text || c->is_hidden || shown <= FIT_LEAST || shown <= width + most)
			continue;
		found = &t->row[i];
		most = shown - width;
	}
	return found;
}

/* Removes up to `excess` blanks, the last first, but none that is alone. */
static size_t blanks_remove(struct state *t, size_t excess)
{
	size_t removed = 0;

	for (size_t i = t->count; i-- > 1 && removed < excess;)
		for (; t->row[i].before > 1 && removed < excess; removed++)
			t->row[i].before--;
	return removed;
}

/* Shortens texts that are wider than their columns; then the columns that follow come nearer, and all texts are
 * shortened. */
static void row_fit(struct state *t)
{
	size_t columns = row_place(t);
	struct text *x;

	for (; columns > t->room && (x = text_longest(t, true)); columns = row_place(t))
		x->shown--;
	if (columns > t->room)
		columns -= blanks_remove(t, columns - t->room);
	for (; columns > t->room && (x = text_longest(t, false)); columns--)
		x->shown--;
}

static void row_write(struct sink *s, const struct state *t)
{
	size_t blanks = 0;

	for (size_t i = 0; i < t->count; i++) {
		const struct text *x = &t->row[i];

		if (t->columns[i].is_hidden)
			continue;
		blanks += x->before;
		if (!x->shown)
			continue;
		buf_repeat(s->out, ' ', blanks);
		blanks = 0;
		style_begin(s->out, x->style);
		fit_write(s->out, t->texts.data + x->start, x->len, x->shown);
		style_end(s->out, x->style);
	}
	if (t->tail_columns)
		buf_repeat(s->out, ' ', blanks + t->tail_before);
	buf_bytes(s->out, t->texts.data + t->tail, t->texts.len - t->tail);
	buf_char(s->out, '\n');
}

/* ---- the form ---- */

/* Rows that are no columns are table.c's. */
static bool is_other(const struct sink_shape *shape)
{
	if (shape->schema->text || shape->schema->line)
		return true;
	for (size_t i = 0; i < shape->columns; i++)
		if (shape->cells[i].field->flags & FIELD_CALLER)
			return true;
	return false;
}

static void titles_build(struct state *t, const struct sink_shape *shape)
{
	bool timed = has_time(shape), is_left = shape->schema->timestamp <= TIMESTAMP_ISO;

	t->texts.len = 0;
	for (size_t i = 0; i < t->count; i++) {
		size_t start = t->texts.len;

		if (i < timed)
			buf_printf(&t->texts, "%-*s", is_left ? (int)t->columns[0].width : 0,
				   "TIME");
		else
			table_write_title(&t->texts, shape->cells[i - timed].field);
		text_end(t, i, start, STYLE_TITLE);
	}
	t->tail = t->texts.len;
	t->tail_columns = 0;
}

static void write_header(struct sink *s, const struct sink_shape *shape)
{
	struct state *t;

	if (is_other(shape) || (!s->state && state_build(s, shape))) {
		sink_form_table.header(s, shape);
		return;
	}
	t = s->state;
	titles_build(t, shape);
	row_place(t);
	if (t->texts.len)
		row_write(s, t);
}

static int write_record(struct sink *s, struct sink_shape *shape, const void *record, size_t size)
{
	struct state *t;
	int err;

	if (is_other(shape))
		return sink_form_table.record(s, shape, record, size);
	if (terminal_resized(s->out) && s->state) {
		state_free(s);
		write_header(s, shape);
	}
	err = s->state ? 0 : state_build(s, shape);
	if (err)
		return err;
	t = s->state;
	if (size < shape->size_min || t->count != has_time(shape) + shape->columns)
		return -EBADMSG;
	err = row_build(t, shape, record, size);
	if (err)
		return err;
	if (t->room && !t->has_pairs)
		row_fit(t);
	else
		row_place(t);
	row_write(s, t);
	table_write_below(s->out, shape, record, size);
	return 0;
}

const struct sink_form sink_form_fitted = {
	.cells = sink_cells_arrange,
	.cell = table_cell_prepare,
	.record = write_record,
	.header = write_header,
	.free = state_free,
};
