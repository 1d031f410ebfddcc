/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hist_rows.c - finds the histograms in a report's rows, and names them by the columns before the first number.
 */
#include "output/pictures/hist_rows.h"

#include <errno.h>
#include <string.h>

#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/rows/sink_priv.h"
#include "output/field/value_text.h"
#include "util/escape.h"

struct hist_range hist_range_of(const struct hist *h)
{
	struct hist_range r = { h->count, 0 };

	for (size_t i = 0; i < h->count; i++) {
		if (!h->buckets[i])
			continue;
		r.first = i < r.first ? i : r.first;
		r.end = i + 1;
	}
	return r.end ? r : (struct hist_range){ 0, 0 };
}

struct texts {
	struct buf name, about, rest;
};

/* True for a field of the key; false for a result. */
static bool is_of_key(const struct schema *s, const struct field *f)
{
	while (f-- > s->fields)
		if (f->flags & (FIELD_SORT | FIELD_TOTAL))
			return false;
	return true;
}

static int columns_write(struct texts *t, const struct sink_shape *shape, const void *record,
			 size_t size)
{
	for (size_t i = 0; i < shape->columns; i++) {
		const struct field *f = shape->cells[i].field;
		bool of_key = is_of_key(shape->schema, f);
		struct buf *o = of_key ? &t->name : &t->about;
		const char *title = f->title ?: f->name;
		struct value v;

		if (field_load(f, record, size, &v))
			return -EBADMSG;
		if (f->flags & FIELD_SPARSE && value_is_nothing(&v))
			continue;
		buf_str(o, of_key ? "  " : "");
		escape_write(o, title, strlen(title));
		buf_char(o, '=');
		value_text_write(o, f, &v, shape->schema->timestamp);
		buf_str(o, of_key ? "" : "  ");
	}
	return 0;
}

/* The text begins with the percentiles; the bars on the lines below are dropped. */
static void percentiles_write(struct texts *t, const struct sink_cell *c, const struct value *v)
{
	const char *end;

	t->rest.len = 0;
	c->text(&t->rest, c->field, v, TIMESTAMP_NONE);
	end = t->rest.len ? memchr(t->rest.data, '\n', t->rest.len) : NULL;
	if (end)
		buf_bytes(&t->about, t->rest.data, end - t->rest.data);
}

static int cell_parse(struct report *r, struct texts *t, const struct sink_shape *shape, size_t i,
		      const struct report_line *line, hist_row_fn *take, void *ctx)
{
	const struct sink_cell *c = &shape->cells[i];
	const char *title = c->field->title ?: c->field->name;
	const void *record = report_record(r, line);
	struct hist_row row;
	struct value v;
	int err;

	if (field_load(c->field, record, line->size, &v))
		return -EBADMSG;
	t->name.len = t->about.len = 0;
	escape_write(&t->name, title, strlen(title));
	err = columns_write(t, shape, record, line->size);
	row = (struct hist_row){ .hist = hist_of(c->field, &v) };
	report_write_count(r, &t->about, hist_total(&row.hist));
	percentiles_write(t, c, &v);
	buf_char(&t->name, '\0');
	buf_char(&t->about, '\0');
	if (t->name.error || t->about.error)
		return -ENOMEM;
	row.name = t->name.data;
	row.about = t->about.data;
	return err ?: take(ctx, &row);
}

static int line_parse(struct report *r, struct texts *t, const struct report_line *line,
		      hist_row_fn *take, void *ctx)
{
	struct sink_shape *shape;
	int err;

	shape = sink_shape_of(r->sink, report_record(r, line), line->size, &err);
	if (!shape)
		return err;
	for (size_t i = shape->below; i < shape->cell_count && !err; i++)
		if (shape->cells[i].field->type == FIELD_HIST)
			err = cell_parse(r, t, shape, i, line, take, ctx);
	return err;
}

int hist_rows_each(struct report *r, hist_row_fn *take, void *ctx)
{
	struct texts t;
	int err = 0;

	buf_init(&t.name, -1);
	buf_init(&t.about, -1);
	buf_init(&t.rest, -1);
	for (size_t i = 0; i < r->line_count && !err; i++)
		err = line_parse(r, &t, &r->lines[i], take, ctx);
	buf_free(&t.name);
	buf_free(&t.about);
	buf_free(&t.rest);
	return err;
}
