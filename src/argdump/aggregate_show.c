// SPDX-License-Identifier: GPL-2.0
/*
 * aggregate_show.c - rows → a table, a block for each histogram, JSON.
 *
 * It must not know where the numbers come from.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/aggregate.h"
#include "core/cell.h"
#include "core/hist.h"
#include "core/text.h"

static const char *const kinds[] = {
	[EXPR_COUNT] = "count", [EXPR_SUM] = "sum",   [EXPR_AVG] = "avg",    [EXPR_MIN] = "min",
	[EXPR_MAX] = "max",	[EXPR_HIST] = "hist", [EXPR_LHIST] = "lhist",
};

static bool is_hist(const struct expr_result *r)
{
	return r->kind == EXPR_HIST || r->kind == EXPR_LHIST;
}

static struct hist hist_of(const struct aggregate *a, const struct expr_result *r,
			   const uint64_t *words)
{
	return (struct hist){
		.buckets = words + r->word,
		.count = r->words,
		.low = r->low,
		.high = a->measures[r - a->table->results].high,
		.step = r->kind == EXPR_LHIST ? r->step : 0,
	};
}

/* avg(count), or as the user named it. */
static void put_title(struct out *o, const struct expr_result *r)
{
	const char *name = r->name ? r->name : kinds[r->kind];

	text_put(o, name, strlen(name));
	if (r->name || !r->text)
		return;
	out_char(o, '(');
	text_put(o, r->text, strlen(r->text));
	out_char(o, ')');
}

/* ---- numbers ---- */

static void put_number(struct out *o, int64_t v, bool is_signed)
{
	if (is_signed)
		out_int(o, v);
	else
		out_uint(o, v);
}

/* The quotient with two digits behind the point, where there are any. */
static void put_average(struct out *o, int64_t sum, uint64_t n, bool is_signed)
{
	bool negative = is_signed && sum < 0;
	uint64_t size = negative ? -(uint64_t)sum : (uint64_t)sum;
	uint64_t cents = ((unsigned __int128)size * 100 + n / 2) / n;

	if (negative)
		out_char(o, '-');
	out_uint(o, cents / 100);
	if (cents % 100) {
		out_char(o, '.');
		out_uint_pad(o, cents % 100, 2);
	}
}

/* The sum of no values is 0, but they have no average and no least one. */
static void put_result(struct out *o, const struct expr_result *r, const uint64_t *words, bool json)
{
	bool is_time = r->field.type == FIELD_NS, average = r->kind == EXPR_AVG;
	struct value v = { 0 };
	uint64_t n;
	int64_t value = aggregate_value(r, words, &n);

	if (!n && r->kind != EXPR_COUNT && r->kind != EXPR_SUM) {
		out_str(o, json ? "null" : "-");
	} else if (is_time && !json) {
		v.u = average ? value / n : (uint64_t)value;
		cell_put(o, &r->field, &v, TIMESTAMP_NONE);
	} else if (average) {
		put_average(o, value, n, r->is_signed);
	} else {
		put_number(o, value, r->is_signed);
	}
}

static uint64_t unread_of(const struct aggregate *a, const uint64_t *words)
{
	const struct expr_table *t = a->table;
	unsigned before = 0;
	uint64_t sum = 0;

	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		if (r->unread > before)
			sum += words[before = r->unread];
	}
	return sum;
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
	struct column columns[2 * OPTION_LIST_MAX + 1];
	size_t column_count;
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

static void titles_make(struct page *p)
{
	const struct expr_table *t = p->a->table;
	const struct schema *schema = p->a->schema;

	for (size_t i = 0; i < schema->count; i++) {
		size_t start = p->cells.len, column = p->column_count++;

		p->columns[column].right = field_is_right_aligned(&schema->fields[i]);
		text_put(&p->cells, schema->fields[i].name, strlen(schema->fields[i].name));
		cell_end(p, column, start);
	}
	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		size_t start = p->cells.len;

		if (is_hist(r))
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
	const struct schema *schema = p->a->schema;

	for (size_t i = 0; i < schema->count; i++) {
		size_t start = p->cells.len;
		struct value v;

		if (field_load(&schema->fields[i], row_key(p->rows, row), p->a->table->key_size, &v))
			return -EBADMSG;
		cell_put(&p->cells, &schema->fields[i], &v, TIMESTAMP_NONE);
		cell_end(p, i, start);
	}
	return 0;
}

static void results_make(struct page *p, size_t row)
{
	const struct expr_table *t = p->a->table;
	const uint64_t *words = row_words(p->a, p->rows, row);
	size_t column = p->a->schema->count, start;

	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		start = p->cells.len;
		if (is_hist(r))
			continue;
		put_result(&p->cells, r, words, false);
		cell_end(p, column++, start);
	}
	if (!p->unread)
		return;
	start = p->cells.len;
	out_uint(&p->cells, unread_of(p->a, words));
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

static void percentiles_put(struct out *o, const struct hist *h)
{
	static const unsigned percents[] = { 50, 90, 99 };
	double value;

	for (int i = 0; i < 3; i++) {
		if (!hist_percentile(h, percents[i], &value))
			continue;
		out_printf(o, "  p%u ~%.0f", percents[i], value);
	}
}

static void hists_put(struct out *o, const struct page *p, size_t row)
{
	const struct expr_table *t = p->a->table;

	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		struct hist h;

		if (!is_hist(r))
			continue;
		h = hist_of(p->a, r, row_words(p->a, p->rows, row));
		put_title(o, r);
		out_char(o, ':');
		percentiles_put(o, &h);
		out_char(o, '\n');
		hist_put(o, &h);
	}
}

static bool has_hist(const struct expr_table *t)
{
	for (size_t i = 0; i < t->count; i++) {
		if (is_hist(&t->results[i]))
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

static int rows_show(const struct aggregate *a, const struct aggregate_rows *rows, struct out *o)
{
	struct page p = { .a = a, .rows = rows };
	int err = 0;

	out_init(&p.cells, -1);
	for (size_t i = 0; i < rows->count; i++)
		p.unread |= unread_of(a, row_words(a, rows, i)) != 0;
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

/* ---- JSON ---- */

/* "avg" where there is one of its kind, else "avg(count)"; or as the user named it. */
static void put_json_name(struct out *o, const struct aggregate *a, const struct expr_result *r,
			  const char *prefix)
{
	const struct expr_table *t = a->table;
	bool alone = true;
	struct out name;

	for (const struct expr_result *other = t->results; other < t->results + t->count; other++)
		alone &= other == r || kinds[other->kind] != kinds[r->kind];
	out_init(&name, -1);
	if (prefix && r->name)
		out_printf(&name, "%s_%s", r->name, prefix);
	else if (r->name)
		out_str(&name, r->name);
	else
		out_str(&name, prefix ? prefix : kinds[r->kind]);
	if (!r->name && !alone && r->text)
		out_printf(&name, "(%s)", r->text);
	out_char(&name, '\0');
	if (!name.error)
		text_put_json_key(o, name.data);
	out_free(&name);
}

static void put_json_percentiles(struct out *o, const struct aggregate *a,
				 const struct expr_result *r, const struct hist *h)
{
	static const struct { unsigned percent; const char *name; } all[] = {
		{ 50, "p50" }, { 90, "p90" }, { 99, "p99" },
	};
	double value;

	for (int i = 0; i < 3; i++) {
		put_json_name(o, a, r, all[i].name);
		if (hist_percentile(h, all[i].percent, &value))
			out_printf(o, "%.0f", value);
		else
			out_str(o, "null");
	}
}

static void put_json_results(struct out *o, const struct aggregate *a, const uint64_t *words)
{
	const struct expr_table *t = a->table;
	bool counted = false;

	for (const struct expr_result *r = t->results; r < t->results + t->count; r++)
		counted |= r->kind == EXPR_COUNT;
	if (!counted) {
		out_str(o, ",\"count\":");
		out_uint(o, words[0]);
	}
	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		put_json_name(o, a, r, NULL);
		if (is_hist(r)) {
			struct hist h = hist_of(a, r, words);

			hist_put_json(o, &h);
			put_json_percentiles(o, a, r, &h);
		} else {
			put_result(o, r, words, true);
		}
	}
}

/* "by":{…}, and what is wrong with its values. */
static int put_json_key(struct out *o, const struct aggregate *a, const void *key)
{
	const struct schema *schema = a->schema;
	const char *before = ",\"by\":{";
	struct value v;

	for (size_t i = 0; i < schema->count; i++) {
		const struct field *f = &schema->fields[i];

		if (field_load(f, key, a->table->key_size, &v))
			return -EBADMSG;
		out_str(o, before);
		before = ",";
		text_put_json(o, f->name, strlen(f->name));
		out_char(o, ':');
		json_put_value_or_null(o, f, &v);
	}
	if (schema->count)
		out_char(o, '}');
	return 0;
}

static void put_json_flaws(struct out *o, const struct aggregate *a, const void *key, bool cut)
{
	const char *begin = cut ? ",\"cut\":{" : ",\"errors\":{", *before = begin;
	const struct schema *schema = a->schema;
	struct value v;

	for (size_t i = 0; i < schema->count; i++) {
		const struct field *f = &schema->fields[i];

		if (field_load(f, key, a->table->key_size, &v) || v.status == EVENT_OK ||
		    cut != (v.status == EVENT_CUT))
			continue;
		out_str(o, before);
		before = ",";
		text_put_json(o, f->name, strlen(f->name));
		out_char(o, ':');
		if (cut)
			out_str(o, "null");
		else
			json_put_error(o, f, &v);
	}
	if (before != begin)
		out_char(o, '}');
}

static int row_show_json(const struct aggregate *a, const struct aggregate_rows *rows, size_t i,
			 struct out *o, uint64_t now)
{
	const uint64_t *words = row_words(a, rows, i);
	uint64_t unread = unread_of(a, words);

	out_str(o, "{\"type\":\"count\"");
	if (a->options->interval_ns) {
		out_str(o, ",\"time\":\"");
		timestamp_put(o, now, TIMESTAMP_UTC);
		out_char(o, '"');
	}
	if (put_json_key(o, a, row_key(rows, i)))
		return -EBADMSG;
	put_json_results(o, a, words);
	if (unread) {
		out_str(o, ",\"unreadable\":");
		out_uint(o, unread);
	}
	put_json_flaws(o, a, row_key(rows, i), false);
	put_json_flaws(o, a, row_key(rows, i), true);
	out_str(o, "}\n");
	return 0;
}

/* ---- a report ---- */

int aggregate_report(struct aggregate *a, struct out *o, bool json, enum timestamp_form form,
		     uint64_t now)
{
	struct aggregate_rows rows;
	int err = aggregate_read(a, &rows);

	if (!err && a->options->top && rows.count > a->options->top)
		rows.count = a->options->top;
	if (!err && !json && a->options->interval_ns) {
		if (a->lines)
			out_char(o, '\n');
		timestamp_put(o, now, form == TIMESTAMP_NONE ? TIMESTAMP_ISO : form);
		out_char(o, '\n');
	}
	for (size_t i = 0; i < rows.count && json && !err; i++)
		err = row_show_json(a, &rows, i, o, now);
	if (!err && !json)
		err = rows_show(a, &rows, o);
	a->lines += rows.count + 1;
	free(rows.bytes);
	return err;
}
