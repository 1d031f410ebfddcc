/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aligned.c - writes a table whose columns are as wide as their contents, or a block for each row if there are
 * histograms.
 *
 * All texts are written to memory first, then aligned. This file does not know what the rows are about.
 */
#include "output/rows/aligned.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/field_kind.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/rows/fit.h"
#include "output/rows/sink_priv.h"
#include "output/field/stack.h"
#include "output/field/value_text.h"
#include "util/escape.h"

struct column {
	bool right, shown;
	bool is_hidden; /* the terminal is too narrow for it */
	size_t width;
};

struct page {
	struct report *report;
	const struct sink_shape *shape; /* of the first row, or of the header */
	struct buf cells;	/* owned: NUL-terminated texts, row by row; the titles first */
	struct column *columns; /* owned */
	size_t count, shown;
};

const char *report_noun(const struct report *r)
{
	return r->sink->schema->noun ?: "call";
}

void report_write_count(const struct report *r, struct buf *o, uint64_t count)
{
	const char *noun = report_noun(r);

	if (count)
		buf_uint(o, count);
	else
		buf_str(o, "no");
	buf_char(o, ' ');
	buf_str(o, noun);
	buf_str(o, count == 1 ? "" : "s");
}

static size_t text_width(const char *text)
{
	return fit_columns(text, strlen(text));
}

/* Ends the cell that began at `start`. */
static void cell_end(struct page *p, struct column *column, size_t start)
{
	size_t width;

	buf_char(&p->cells, '\0');
	if (p->cells.error)
		return;
	width = text_width(p->cells.data + start);
	if (width > column->width)
		column->width = width;
}

/* ---- texts ---- */

static bool is_stack(const struct field *f)
{
	return f->type == FIELD_KERNEL_STACK || f->type == FIELD_USER_STACK;
}

/* Counts the stacks among the fields below a row. */
static size_t stacks_count(const struct sink_shape *shape)
{
	size_t count = 0;

	for (size_t i = shape->below; i < shape->cell_count; i++)
		count += is_stack(shape->cells[i].field);
	return count;
}

static bool has_blocks(const struct page *p)
{
	return p->shape->below + stacks_count(p->shape) < p->shape->cell_count;
}

static void titles_build(struct page *p)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct field *f = p->shape->cells[i].field;
		const char *name = f->title ?: f->name;
		size_t start = p->cells.len;

		if (!p->columns[i].shown)
			continue;
		if (has_blocks(p)) /* as NAME=VALUE */
			escape_write(&p->cells, name, strlen(name));
		else
			table_write_title(&p->cells, f);
		cell_end(p, &p->columns[i], start);
	}
}

static int row_build(struct page *p, const struct report_line *line)
{
	const void *record = report_record(p->report, line);
	struct sink_shape *shape;
	struct value v;
	int err;

	shape = sink_shape_of(p->report->sink, record, line->size, &err);
	if (!shape || shape->columns != p->count)
		return shape ? -EBADMSG : err;
	for (size_t i = 0; i < p->count; i++) {
		const struct field *f = shape->cells[i].field;
		size_t start = p->cells.len;

		if (!p->columns[i].shown)
			continue;
		if (field_load(f, record, line->size, &v))
			return -EBADMSG;
		value_text_write(&p->cells, f, &v, shape->schema->timestamp);
		cell_end(p, &p->columns[i], start);
	}
	return 0;
}

/* False for a FIELD_SPARSE without a value in any row: it becomes no column. */
static bool is_wanted(const struct page *p, const struct field *f)
{
	const struct report *r = p->report;
	bool wanted = !(f->flags & FIELD_SPARSE);
	struct value v;

	for (size_t i = 0; i < r->line_count && !wanted; i++)
		wanted = !field_load(f, report_record(r, &r->lines[i]), r->lines[i].size, &v) &&
			 !value_is_nothing(&v);
	return wanted;
}

static int columns_build(struct page *p)
{
	p->count = p->shape->columns;
	p->columns = calloc(p->count + 1, sizeof(*p->columns));
	if (!p->columns)
		return -ENOMEM;
	for (size_t i = 0; i < p->count; i++) {
		p->columns[i].right = p->shape->cells[i].right;
		p->columns[i].shown = is_wanted(p, p->shape->cells[i].field);
		p->shown += p->columns[i].shown;
	}
	return 0;
}

/* ---- lines ---- */

enum { GAP = 2 }; /* blanks between columns */

static void columns_fit(const struct page *p)
{
	struct sink *s = p->report->sink;
	struct fit_column shown[p->shown + 1];
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		if (p->columns[i].shown)
			shown[count++] = (struct fit_column){ .field = p->shape->cells[i].field,
							      .width = p->columns[i].width,
							      .is_text = !p->columns[i].right,
							      .is_exact = true };
	fit_table(s, shown, count, GAP);
	fit_note(s, shown, count);
	for (size_t i = p->count; i--;) {
		if (!p->columns[i].shown)
			continue;
		p->columns[i].width = shown[--count].width;
		p->columns[i].is_hidden = shown[count].is_hidden;
	}
}

/* Writes one line of cells; returns the first cell of the next line. */
static const char *line_write(struct buf *o, const struct page *p, const char *cell)
{
	bool is_title = cell == p->cells.data;
	size_t owed = 0;

	for (size_t i = 0; i < p->count; i++) {
		const struct column *c = &p->columns[i];
		enum style style = STYLE_NONE;
		size_t pad, length, width;

		if (!c->shown)
			continue;
		length = strlen(cell);
		if (c->is_hidden) {
			cell += length + 1;
			continue;
		}
		width = text_width(cell);
		pad = c->width > width ? c->width - width : 0;
		if (o->is_colored)
			style = is_title ? STYLE_TITLE :
					   fit_style(p->shape->cells[i].field, cell, length);
		buf_repeat(o, ' ', owed + (c->right ? pad : 0));
		style_begin(o, style);
		if (width <= c->width)
			buf_bytes(o, cell, length);
		else
			fit_write(o, cell, length, c->width);
		style_end(o, style);
		owed = GAP + (c->right ? 0 : pad);
		cell += length + 1;
	}
	if (p->shown)
		buf_char(o, '\n');
	return cell;
}

/* ---- blocks ---- */

/* Writes "  comm=cat  fs=ext4". Returns the first cell of the next row. */
static const char *pairs_write(struct buf *o, const struct page *p, const char *cell)
{
	const char *title = p->cells.data;

	for (size_t i = 0; i < p->shown; i++) {
		buf_str(o, "  ");
		buf_str(o, title);
		buf_char(o, '=');
		buf_str(o, cell);
		title += strlen(title) + 1;
		cell += strlen(cell) + 1;
	}
	return cell;
}

/* Writes "hist(count)  comm=cat  12 calls  p50 …", and the bars. Returns the first cell of the next row. */
static const char *block_write(const struct page *p, const struct report_line *line,
			       const char *row)
{
	const void *record = report_record(p->report, line);
	struct buf *o = p->report->sink->out;
	const char *next = row;
	struct value v;

	for (size_t i = p->shape->below; i < p->shape->cell_count; i++) {
		const struct field *f = p->shape->cells[i].field;
		const char *title = f->title ?: f->name;
		uint64_t count;

		if (is_stack(f) || field_load(f, record, line->size, &v))
			continue;
		count = field_weight(f, &v);
		escape_write(o, title, strlen(title));
		next = pairs_write(o, p, row);
		buf_str(o, count ? "  " : "  (");
		report_write_count(p->report, o, count);
		buf_str(o, count ? "" : ")");
		p->shape->cells[i].text(o, f, &v, TIMESTAMP_NONE);
	}
	return next;
}

/* Writes a name before each stack if there are several. */
static void stacks_write(const struct page *p, const struct report_line *line)
{
	const void *record = report_record(p->report, line);
	struct buf *o = p->report->sink->out;
	bool several = stacks_count(p->shape) > 1;
	struct value v;

	for (size_t i = p->shape->below; i < p->shape->cell_count; i++) {
		const struct field *f = p->shape->cells[i].field;

		if (!is_stack(f) || field_load(f, record, line->size, &v))
			continue;
		if (several)
			stack_write_name(o, f);
		p->shape->cells[i].text(o, f, &v, TIMESTAMP_NONE);
	}
}

/* Writes a table; with histograms, a block for each row. Stacks follow their row. */
static void page_write(const struct page *p)
{
	struct sink *s = p->report->sink;
	size_t count = p->report->line_count;
	const char *cell = p->cells.data;

	for (size_t i = 0; i < p->shown; i++)
		cell += strlen(cell) + 1;
	if (!has_blocks(p))
		line_write(s->out, p, p->cells.data);
	for (size_t i = 0; i < count; i++) {
		if (has_blocks(p))
			cell = block_write(p, &p->report->lines[i], cell);
		else
			cell = line_write(s->out, p, cell);
		stacks_write(p, &p->report->lines[i]);
		s->rows++;
		buf_unit_end(s->out);
	}
}

int aligned_write(struct report *r)
{
	struct page p = { .report = r };
	const struct report_line *first = r->line_count ? r->lines : NULL;
	int err;

	p.shape = first ? sink_shape_of(r->sink, report_record(r, first), first->size, &err) :
			  sink_shape_first(r->sink, &err);
	if (!p.shape)
		return err;
	buf_init(&p.cells, -1);
	err = columns_build(&p);
	if (!err)
		titles_build(&p);
	for (size_t i = 0; i < r->line_count && !err; i++)
		err = row_build(&p, &r->lines[i]);
	if (!err)
		err = p.cells.error;
	terminal_resized(r->sink->out);
	if (!err && r->sink->out->columns && !has_blocks(&p))
		columns_fit(&p);
	if (!err)
		page_write(&p);
	buf_free(&p.cells);
	free(p.columns);
	return err;
}
