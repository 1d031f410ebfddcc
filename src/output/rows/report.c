/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report.c - collects the rows of a report, sorts and writes them.
 */
#include "output/rows/report.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "output/field/field_kind.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/rows/aligned.h"
#include "output/rows/columns.h"
#include "output/rows/folded.h"
#include "output/rows/sink_priv.h"
#include "output/rows/stack_blocks.h"
#include "output/field/value_number.h"
#include "output/field/value_text.h"
#include "util/log.h"

void report_begin(struct report *r, uint64_t now)
{
	r->sink->time = r->is_timed ? now : 0;
	r->now = now;
	r->total = 0;
	if (!r->bytes.data)
		buf_init(&r->bytes, -1);
	r->bytes.len = 0;
	r->line_count = 0;
}

/* ---- rows ---- */

/* Finds the weight of the field with that flag; 0 if there is none. */
static int weight_find(const struct schema *schema, enum field_flag flag, const void *record,
		       size_t size, double *weight)
{
	struct value v;

	for (size_t i = 0; i < schema->count; i++) {
		if (!(schema->fields[i].flags & flag))
			continue;
		if (field_load(&schema->fields[i], record, size, &v))
			return -EBADMSG;
		*weight = field_weight(&schema->fields[i], &v);
		return 0;
	}
	*weight = 0;
	return 0;
}

static int room_grow(struct report *r)
{
	size_t room = r->line_room ? r->line_room * 2 : 64;
	struct report_line *larger;

	if (r->line_count < r->line_room)
		return 0;
	larger = realloc(r->lines, room * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	r->lines = larger;
	r->line_room = room;
	return 0;
}

/* Rows start at multiples of 8, so that numbers in them can be accessed in place. */
int report_row(struct report *r, const void *record, size_t size)
{
	struct report_line line = { .offset = r->bytes.len, .size = size };
	const struct sink_shape *shape;
	double count = 0;
	int err;

	shape = sink_shape_of(r->sink, record, size, &err);
	if (!shape)
		return err;
	if (size < shape->size_min)
		return -EBADMSG;
	err = weight_find(shape->schema, FIELD_SORT, record, size, &line.weight);
	if (!err)
		err = weight_find(shape->schema, FIELD_TOTAL, record, size, &count);
	if (!err)
		err = room_grow(r);
	if (err)
		return err;
	buf_bytes(&r->bytes, record, size);
	buf_repeat(&r->bytes, '\0', -size % sizeof(uint64_t));
	if (r->bytes.error)
		return r->bytes.error;
	r->lines[r->line_count++] = line;
	r->total += count;
	r->sink->counted += count;
	return 0;
}

/* ---- order ---- */

/* All schemas of a report have the same columns. */
static const struct schema *schema_first(const struct report *r)
{
	return r->sink->schema_count ? r->sink->schemas[0] : r->sink->schema;
}

static bool is_sortable(const struct field *f)
{
	return !(f->flags & FIELD_JSON_ONLY) && field_is_number(f);
}

/* Parses the direction after the colon: up or down. */
static bool direction_read(const char *text, bool *up)
{
	*up = !strcmp(text, "asc");
	return *up || !strcmp(text, "desc");
}

int report_sort_set(struct report *r, const char *text)
{
	const struct schema *schema = schema_first(r);
	bool down = *text == '-';
	const char *name = text + down, *colon = strchr(name, ':');
	size_t len = colon ? (size_t)(colon - name) : strlen(name);
	const struct field *f = schema_find(schema, name, len, false);

	if (colon && (down || !direction_read(colon + 1, &r->sort_up))) {
		log_error("--sort '%s': expected COLUMN, COLUMN:asc or COLUMN:desc", text);
		return -EINVAL;
	}
	if (!f || !schema_has(schema, f - schema->fields)) {
		columns_unknown_report("--sort", name, len, (struct schema *const *)&schema, 1,
				       NULL);
		return -EINVAL;
	}
	r->sort = f - schema->fields + 1;
	if (!colon)
		r->sort_up = !down && !field_is_number(f);
	return 0;
}

const struct field *report_sorted_by(const struct report *r)
{
	const struct schema *schema = schema_first(r);

	if (r->sort)
		return &schema->fields[r->sort - 1];
	for (size_t i = 0; i < schema->count; i++)
		if (schema->fields[i].flags & FIELD_SORT)
			return &schema->fields[i];
	return NULL;
}

void report_sort_move(struct report *r, int step)
{
	const struct schema *schema = schema_first(r);
	const struct field *now = report_sorted_by(r);
	ptrdiff_t i = now ? now - schema->fields : -1;

	for (i += step; i >= 0 && (size_t)i < schema->count; i += step) {
		if (!is_sortable(&schema->fields[i]))
			continue;
		r->sort = i + 1;
		r->sort_up = false;
		return;
	}
}

/* A number may be missing, or be none (NaN), which no order has. */
static double number_weight(const struct field *f, const struct value *v)
{
	double weight = v->status == EVENT_NONE ? NAN : field_weight(f, v);

	return isnan(weight) ? -INFINITY : weight;
}

/* Sets the value by which a line is sorted. */
static void line_weigh(struct report *r, struct report_line *l, const struct field *f,
		       const struct value *v)
{
	if (field_is_number(f)) {
		l->weight = number_weight(f, v);
		return;
	}
	l->weight = 0;
	l->text = r->texts.len;
	value_text_write(&r->texts, f, v, TIMESTAMP_NONE);
	buf_char(&r->texts, '\0');
}

/* Returns the number of the first column, from 1, or 0 if it has no numbers. */
static unsigned number_column(const struct report *r)
{
	const struct schema *schema = schema_first(r);

	for (unsigned i = 0; i < schema->count; i++)
		if (!(schema->fields[i].flags & FIELD_JSON_ONLY))
			return field_is_number(&schema->fields[i]) ? i + 1 : 0;
	return 0;
}

/* Loads the value of a column, from 1, and sets *f. Fails with -EBADMSG. */
static int line_value(struct report *r, const struct report_line *l, unsigned column,
		      const struct field **f, struct value *v)
{
	int err;
	const struct sink_shape *shape = sink_shape_of(r->sink, report_record(r, l), l->size, &err);

	if (!shape)
		return -EBADMSG;
	*f = &shape->schema->fields[column - 1];
	return field_load(*f, report_record(r, l), l->size, v) ? -EBADMSG : 0;
}

/* The lines already have weights by FIELD_SORT. */
static int lines_weigh(struct report *r)
{
	unsigned key = number_column(r);
	const struct field *f;
	struct value v;

	if (!r->texts.data)
		buf_init(&r->texts, -1);
	r->texts.len = 0;
	for (struct report_line *l = r->lines; l < r->lines + r->line_count; l++) {
		l->key = key && !line_value(r, l, key, &f, &v) ? number_weight(f, &v) : 0;
		if (!r->sort)
			continue;
		if (line_value(r, l, r->sort, &f, &v))
			return -EBADMSG;
		line_weigh(r, l, f, &v);
	}
	return r->texts.error;
}

/* ---- writing ---- */

void report_write_time(const struct report *r, struct buf *o)
{
	enum timestamp_form form = r->sink->schema->timestamp;

	if (!r->is_timed)
		return;
	if (r->count)
		buf_char(o, '\n');
	timestamp_write(o, r->sink->time, form == TIMESTAMP_NONE ? TIMESTAMP_CLOCK : form);
	buf_char(o, '\n');
}

int report_write_lines(struct report *r)
{
	struct sink *s = r->sink;
	int err = 0;

	s->elapsed = r->since ? r->now - r->since : 0;
	s->total = r->total;
	for (size_t i = 0; i < r->line_count && !err; i++)
		err = sink_record(s, report_record(r, &r->lines[i]), r->lines[i].size);
	s->elapsed = 0;
	return err;
}

/* Writes "total: 1234 calls in 3.10s". Without calls this is the whole report. */
static void total_write_line(const struct report *r)
{
	struct buf *o = r->sink->out;

	buf_str(o, r->total ? "total: " : "(");
	report_write_count(r, o, r->total);
	buf_str(o, " in ");
	duration_write(o, r->now - r->since);
	buf_str(o, r->total ? "\n" : ")\n");
}

static int text_write(struct report *r)
{
	int err = 0;

	report_write_time(r, r->sink->out);
	if (!r->since || r->total)
		err = aligned_write(r);
	if (r->since)
		total_write_line(r);
	return err;
}

/* ---- forms ---- */

static int text_rows(struct report *r)
{
	return r->sink->json || r->sink->schema->text ? report_write_lines(r) : text_write(r);
}

static int text_stacks(struct report *r, struct folded *stacks, const struct report_stacks *about)
{
	struct buf *o = r->sink->out;
	int count = r->has_blocks ? stack_blocks_write(stacks, o, about, r->is_screen) :
				    (int)folded_write(stacks, o, about->is_signed);

	if (count < 0)
		return count;
	if (!count && !r->is_screen)
		log_note("there are no stacks: nothing was counted");
	r->sink->rows += count;
	return 0;
}

static const struct report_form form_text = { .rows = text_rows, .stacks = text_stacks };

static const struct report_form *form_of(const struct report *r)
{
	return r->form ?: &form_text;
}

int report_stacks(struct report *r, struct folded *stacks, const struct report_stacks *about)
{
	r->is_written = true;
	return form_of(r)->stacks(r, stacks, about);
}

int report_end(struct report *r)
{
	size_t all = r->line_count;
	int err = lines_weigh(r);

	if (err || r->is_written)
		return err;
	report_lines_sort(r);
	if (r->top && r->line_count > r->top)
		r->line_count = r->top;
	err = form_of(r)->rows(r);
	r->line_count = all;
	r->count++;
	return err;
}

void report_free(struct report *r)
{
	if (form_of(r)->free)
		form_of(r)->free(r);
	buf_free(&r->picture);
	buf_free(&r->bytes);
	buf_free(&r->texts);
	free(r->lines);
	r->lines = NULL;
	r->line_count = r->line_room = 0;
}
