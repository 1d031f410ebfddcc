// SPDX-License-Identifier: GPL-2.0
/*
 * aggregate_table.c - rows as a table, or a block for each where there are histograms.
 */
#include <errno.h>
#include <string.h>

#include "argdump/aggregate_show.h"
#include "core/cell.h"
#include "core/text.h"

/* avg(count), or as the user named it. */
static void put_title(struct out *o, const struct expr_result *r)
{
	const char *name = r->name ? r->name : measure_names[r->kind];

	text_put(o, name, strlen(name));
	if (r->name || !r->text)
		return;
	out_char(o, '(');
	text_put(o, r->text, strlen(r->text));
	out_char(o, ')');
}

/* ---- text: cells first, then aligned ---- */

struct column {
	bool right;
	size_t width;
};

struct page {
	const struct aggregate *a;
	const struct aggregate_rows *rows;
	struct out cells; /* owned: texts, ended by NUL, row by row; the titles first */
	struct column columns[2 * OPTION_LIST_MAX + 2];
	size_t column_count, key_columns;
	bool unread; /* has a column */
};

static size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += (*text & 0xc0) != 0x80;
	return width;
}

/* Ends the cell that began at `start`. */
static void cell_end(struct page *p, size_t column, size_t start)
{
	size_t width;

	out_char(&p->cells, '\0');
	if (p->cells.error)
		return;
	width = text_width(p->cells.data + start);
	if (width > p->columns[column].width)
		p->columns[column].width = width;
}

/* Who counts --by '$func' sees it once. */
static bool source_shown(const struct aggregate *a)
{
	for (size_t i = 0; i < a->key_count; i++) {
		const char *equals = strchr(a->keys[i], '=');

		if (!strcmp(equals ? equals + 1 : a->keys[i], "$func"))
			return false;
	}
	return a->table->has_source;
}

static void titles_make(struct page *p)
{
	const struct expr_table *t = p->a->table;
	const struct schema *schema = p->a->schema(p->a->ctx, 0);

	if (source_shown(p->a)) {
		out_str(&p->cells, "func");
		cell_end(p, p->column_count++, 0);
	}
	for (size_t i = 0; i < schema->count; i++) {
		size_t start = p->cells.len, column = p->column_count++;

		p->columns[column].right = field_is_right_aligned(&schema->fields[i]);
		text_put(&p->cells, schema->fields[i].name, strlen(schema->fields[i].name));
		cell_end(p, column, start);
	}
	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		size_t start = p->cells.len;

		if (result_is_hist(r))
			continue;
		p->columns[p->column_count].right = true;
		put_title(&p->cells, r);
		cell_end(p, p->column_count++, start);
	}
	if (!p->unread)
		return;
	p->columns[p->column_count].right = true;
	out_str(&p->cells, "unreadable");
	cell_end(p, p->column_count++, p->cells.len - strlen("unreadable"));
}

static int key_make(struct page *p, size_t row)
{
	const void *key = row_key(p->rows, row);
	const struct schema *schema = row_schema(p->a, key);
	const char *source = source_shown(p->a) ? row_source(p->a, key) : NULL;
	size_t column = 0, start = p->cells.len;

	if (source) {
		text_put(&p->cells, source, strlen(source));
		cell_end(p, column++, start);
	}
	for (size_t i = 0; i < schema->count; i++) {
		struct value v;

		start = p->cells.len;
		if (field_load(&schema->fields[i], key, p->a->table->key_size, &v))
			return -EBADMSG;
		cell_put(&p->cells, &schema->fields[i], &v, TIMESTAMP_NONE);
		cell_end(p, column++, start);
	}
	p->key_columns = column;
	return 0;
}

static void results_make(struct page *p, size_t row)
{
	const struct expr_table *t = p->a->table;
	const uint64_t *words = row_words(p->a, p->rows, row);
	size_t column = p->key_columns, start;

	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		start = p->cells.len;
		if (result_is_hist(r))
			continue;
		result_put(&p->cells, r, words, false);
		cell_end(p, column++, start);
	}
	if (!p->unread)
		return;
	start = p->cells.len;
	out_uint(&p->cells, unread_count(p->a, words));
	cell_end(p, column, start);
}

/* One line of cells; returns the next line's. */
static const char *line_put(struct out *o, const struct page *p, const char *cell)
{
	size_t owed = 0;

	for (size_t i = 0; i < p->column_count; i++) {
		size_t pad = p->columns[i].width - text_width(cell), length = strlen(cell);

		out_repeat(o, ' ', owed + (p->columns[i].right ? pad : 0));
		out_bytes(o, cell, length);
		owed = 2 + (p->columns[i].right ? 0 : pad);
		cell += length + 1;
	}
	out_char(o, '\n');
	return cell;
}

static void percentiles_put(struct out *o, const struct expr_result *r, const struct hist *h)
{
	static const unsigned percents[] = { 50, 90, 99 };
	struct value v = { 0 };
	double value;

	for (int i = 0; i < 3; i++) {
		if (!hist_percentile(h, percents[i], &value))
			continue;
		out_printf(o, "  p%u ~", percents[i]);
		v.u = value < 0 ? 0 : value;
		if (r->field.type == FIELD_NS)
			cell_put(o, &r->field, &v, TIMESTAMP_NONE);
		else
			out_printf(o, "%.0f", value);
	}
}

static void hists_put(struct out *o, const struct page *p, size_t row)
{
	const struct expr_table *t = p->a->table;

	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		struct hist h;

		if (!result_is_hist(r))
			continue;
		h = result_hist(p->a, r, row_words(p->a, p->rows, row));
		put_title(o, r);
		out_str(o, r->field.type == FIELD_NS ? ", ns:" : ":");
		percentiles_put(o, r, &h);
		out_char(o, '\n');
		hist_put(o, &h);
	}
}

static bool has_hist(const struct expr_table *t)
{
	for (size_t i = 0; i < t->count; i++) {
		if (result_is_hist(&t->results[i]))
			return true;
	}
	return false;
}

/* A table; with histograms, a table of one row before each key's. */
static void page_put(struct out *o, const struct page *p)
{
	bool blocks = has_hist(p->a->table);
	const char *titles = p->cells.data, *cell = titles;

	for (size_t i = 0; i < p->column_count; i++)
		cell += strlen(cell) + 1;
	if (!blocks && p->column_count)
		line_put(o, p, titles);
	for (size_t i = 0; i < p->rows->count; i++) {
		if (blocks && p->column_count)
			line_put(o, p, titles);
		if (p->column_count)
			cell = line_put(o, p, cell);
		if (blocks)
			hists_put(o, p, i);
		if (blocks && i + 1 < p->rows->count)
			out_char(o, '\n');
	}
}

int aggregate_put_table(const struct aggregate *a, const struct aggregate_rows *rows, struct out *o)
{
	struct page p = { .a = a, .rows = rows };
	int err = 0;

	out_init(&p.cells, -1);
	for (size_t i = 0; i < rows->count; i++)
		p.unread |= unread_count(a, row_words(a, rows, i)) != 0;
	titles_make(&p);
	for (size_t i = 0; i < rows->count && !err; i++) {
		err = key_make(&p, i);
		results_make(&p, i);
	}
	if (!err)
		err = p.cells.error;
	if (!err)
		page_put(o, &p);
	out_free(&p.cells);
	return err;
}

