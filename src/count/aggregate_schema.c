/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_schema.c - builds the schema of a row from that of its key and the measures, for reports and JSON.
 *
 * A row is the key and the words of the entry, summed over all CPUs. Most values are shown as they are; others
 * (averages, minima) are computed from the words.
 */
#include "count/aggregate_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count/aggregate_names.h"
#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/hist.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "output/field/value_number.h"
#include "util/buf.h"
#include "event.h"

/* ---- computed values ---- */

/* Returns the first word of the entry; the field of a result points to its own word. */
static const uint64_t *words_of(const struct field *f, const void *row)
{
	const struct expr_result *r = f->context;

	return (const uint64_t *)((const char *)row + f->offset) - r->word;
}

static void best_value(const struct field *f, const void *row, struct value *v)
{
	uint64_t n;

	v->u = aggregate_value(f->context, words_of(f, row), &n);
	v->status = n ? EVENT_OK : EVENT_NONE;
}

static void unread_value(const struct field *f, const void *row, struct value *v)
{
	const struct expr_table *t = f->context;
	const uint64_t *words = (const void *)((const char *)row + f->offset);
	unsigned before = 0;

	for (const struct expr_result *r = t->results; r < t->results + t->count; r++)
		if (r->unread > before)
			v->u += words[before = r->unread];
}

/* ---- averages: u is the sum, len the number of values ---- */

static int load_average(const struct field *f, const void *row, size_t size, struct value *v)
{
	uint64_t n;

	(void)size;
	*v = (struct value){ .u = aggregate_value(f->context, words_of(f, row), &n) };
	v->len = n;
	v->status = n ? EVENT_OK : EVENT_NONE;
	return 0;
}

static bool is_negative(const struct field *f, const struct value *v)
{
	return field_kind(f)->flags & KIND_SIGNED && (int64_t)v->u < 0;
}

/* Writes the quotient, with two decimal places unless it is a whole number. */
static void write_average(struct buf *o, const struct field *f, const struct value *v)
{
	uint64_t size = is_negative(f, v) ? -v->u : v->u;
	uint64_t cents = ((unsigned __int128)size * 100 + v->len / 2) / v->len;

	if (is_negative(f, v))
		buf_char(o, '-');
	buf_uint(o, cents / 100);
	if (cents % 100) {
		buf_char(o, '.');
		buf_uint_pad(o, cents % 100, 2);
	}
}

static void json_average(struct buf *o, const struct field *f, const struct value *v)
{
	const char *quote = buf_json_quote((is_negative(f, v) ? -v->u : v->u) / v->len);

	buf_str(o, quote);
	write_average(o, f, v);
	buf_str(o, quote);
}

static size_t text_average(struct buf *o, const struct field *f, const struct value *v,
			   enum timestamp_form form)
{
	size_t start = o->len;

	(void)form;
	write_average(o, f, v);
	return o->len - start;
}

static size_t text_average_time(struct buf *o, const struct field *f, const struct value *v,
				enum timestamp_form form)
{
	size_t start = o->len;

	(void)f, (void)form;
	duration_write(o, v->u / v->len);
	return o->len - start;
}

static double average_weight(const struct field *f, const struct value *v)
{
	double sum = field_kind(f)->flags & KIND_SIGNED ? (double)(int64_t)v->u : (double)v->u;

	return sum / v->len;
}

#define AVERAGE(flags_, text_)                                                                     \
	{                                                                                          \
		"average", KIND_RIGHT | (flags_), .load = load_average, .text = (text_),           \
						  .json = json_average, .weight = average_weight,  \
	}
static const struct field_kind average = AVERAGE(0, text_average);
static const struct field_kind average_signed = AVERAGE(KIND_SIGNED, text_average);
static const struct field_kind average_time = AVERAGE(0, text_average_time);

/* ---- fields ---- */

static bool is_time(const struct expr_result *r)
{
	return r->field.type == FIELD_NS;
}

static enum field_type number_type(const struct expr_result *r)
{
	return is_time(r) ? FIELD_NS : r->is_signed ? FIELD_INT : FIELD_UINT;
}

/* Builds the field of a histogram, from which its percentiles are built. */
static void hist_field(struct aggregate *a, const struct expr_result *r, struct field *f)
{
	size_t i = r - a->table->results;

	a->shown.axes[i] = (struct hist_axis){ .low = r->low,
					       .high = a->measures[i].high,
					       .step = r->kind == EXPR_LHIST ? r->step : 0,
					       .is_fine = r->kind == EXPR_PCT,
					       .unit = is_time(r) ? FIELD_UNIT_NS : FIELD_UNIT_NONE,
					       .has_ends = true,
					       .is_signed = r->is_signed };
	f->type = FIELD_HIST;
	f->size = r->words * sizeof(uint64_t);
	f->axis = &a->shown.axes[i];
}

static void result_field(const struct aggregate *a, const struct expr_result *r, struct field *f)
{
	*f = (struct field){ .type = number_type(r),
			     .size = sizeof(uint64_t),
			     .unit = FIELD_UNIT_NONE, /* the name of measure_key contains it */
			     .context = r,
			     .offset = a->table->key_size + r->word * sizeof(uint64_t) };
	f->flags = r->kind == EXPR_COUNT || (r->kind == EXPR_SUM && !r->is_signed) ? FIELD_COUNTER :
										     FIELD_GAUGE;
	if (r->kind == EXPR_COUNT && !r->name) /* JSON always has the count */
		f->flags |= FIELD_TEXT_ONLY;
	if (r->kind == EXPR_MIN || r->kind == EXPR_MAX)
		f->value = best_value;
	if (r->kind == EXPR_AVG)
		f->kind = is_time(r) ? &average_time : r->is_signed ? &average_signed : &average;
	if (r == a->table->results)
		f->flags |= FIELD_SORT;
}

static char *kept(struct aggregate *a, char *name)
{
	if (name)
		a->shown.names[a->shown.name_count++] = name;
	return name;
}

/* Names a field. Returns the next one; NULL if out of memory. */
static struct field *field_name(struct aggregate *a, const struct expr_result *r, unsigned percent,
				struct field *f)
{
	f->title = kept(a, measure_title(r, percent));
	f->name = kept(a, measure_key(a->table, r, percent));
	return f->name && f->title ? f + 1 : NULL;
}

/* Adds the percentiles, which in text are part of the histogram. */
static struct field *percentile_fields(struct aggregate *a, const struct expr_result *r,
				       struct field *f)
{
	struct field hist = *f;

	hist_field(a, r, &hist);
	if (r->kind != EXPR_PCT) {
		*f = hist;
		f = field_name(a, r, 0, f);
		hist.flags = FIELD_JSON_ONLY;
	}
	for (const uint32_t *p = result_percents(r); *p && f; p++) {
		*f = hist;
		f->type = FIELD_PERCENTILE;
		f->percent = *p;
		f = field_name(a, r, *p, f);
		hist.flags &= ~FIELD_SORT;
	}
	return f;
}

/* Adds the fields of all measures, after those of the key. Returns the end; NULL if out of memory. */
static struct field *results_fields(struct aggregate *a, struct field *f)
{
	const struct expr_table *t = a->table;

	*f++ = (struct field){ .name = "count",
			       .type = FIELD_UINT,
			       .size = sizeof(uint64_t),
			       .offset = t->key_size,
			       .flags = FIELD_JSON_ONLY | FIELD_TOTAL };
	for (const struct expr_result *r = t->results; r < t->results + t->count && f; r++) {
		result_field(a, r, f);
		f = result_is_hist(r) ? percentile_fields(a, r, f) : field_name(a, r, 0, f);
	}
	if (!f)
		return NULL;
	*f++ = (struct field){ .name = "unreadable",
			       .title = "unreadable",
			       .type = FIELD_UINT,
			       .offset = t->key_size,
			       .flags = FIELD_SPARSE | FIELD_COUNTER,
			       .value = unread_value,
			       .context = t };
	return f;
}

static struct field source_field(const struct aggregate *a)
{
	return (struct field){
		.name = "func",
		.title = "func",
		.type = FIELD_ENUM,
		.offset = sizeof(uint32_t),
		.size = sizeof(uint32_t),
		.names = a->points,
		.name_count = a->point_count,
		/* with --by '$func' it is not shown twice */
		.flags = a->source == AGGREGATE_SOURCE_COLUMN ? 0 : FIELD_JSON_ONLY,
	};
}

/* Builds the key's own fields, and copies of the fields of the measures; keeps those that --show names. */
static int row_schema_build(struct aggregate *a, size_t i, struct field *fields,
			    const struct field *results, size_t result_count)
{
	const struct schema *key = a->key_schemas[i];
	struct field *f = fields, *end_of_key;

	if (a->table->has_source && a->source != AGGREGATE_SOURCE_NONE)
		*f++ = source_field(a);
	for (size_t j = 0; j < key->count; j++, f++) {
		*f = key->fields[j];
		f->title = f->name;
		f->object = "by";
	}
	end_of_key = f;
	memcpy(f, results, result_count * sizeof(*f));
	a->shown.schemas[i] = (struct schema){
		.fields = fields,
		.count = f + result_count - fields,
		.bare = true,
		.record_min = a->table->key_size + a->table->words * sizeof(uint64_t),
		.timestamp = key->timestamp,
	};
	a->shown.list[i] = &a->shown.schemas[i];
	if (!a->show.program.slot_count)
		return 0;
	a->shown.rows[i] = a->shown.schemas[i];
	return show_schema(&a->show, &a->shown.rows[i], end_of_key - fields, &a->shown.schemas[i]);
}

static uint32_t row_tag(const void *row, size_t size)
{
	return size < sizeof(uint32_t) ? UINT32_MAX : *(const uint32_t *)row;
}

/* Fields in a row: one per measure, the call count, and the unreadable count. */
static size_t results_count(const struct expr_table *t)
{
	size_t count = 2;

	for (const struct expr_result *r = t->results; r < t->results + t->count; r++, count++)
		for (const uint32_t *p = result_percents(r); *p; p++)
			count++;
	return count;
}

/* Returns the most fields of any key, including the function. */
static size_t keys_most(const struct aggregate *a)
{
	size_t most = 0;

	for (size_t i = 0; i < a->programs; i++)
		if (a->key_schemas[i]->count > most)
			most = a->key_schemas[i]->count;
	return 1 + most;
}

int aggregate_schemas_build(struct aggregate *a)
{
	size_t results = results_count(a->table), keys = keys_most(a);
	struct field *made, *end;
	int err = 0;

	a->shown.schemas = calloc(a->programs, sizeof(*a->shown.schemas));
	a->shown.rows = calloc(a->programs, sizeof(*a->shown.rows));
	a->shown.list = calloc(a->programs, sizeof(*a->shown.list));
	a->shown.names = calloc(2 * results, sizeof(*a->shown.names));
	a->shown.axes = calloc(a->table->count + 1, sizeof(*a->shown.axes));
	a->shown.fields = calloc(results + a->programs * (keys + results),
				 sizeof(*a->shown.fields));
	if (!a->shown.schemas || !a->shown.rows || !a->shown.list || !a->shown.names ||
	    !a->shown.axes || !a->shown.fields)
		return -ENOMEM;
	end = results_fields(a, a->shown.fields);
	if (!end)
		return -ENOMEM;
	made = a->shown.fields + results;
	for (size_t i = 0; i < a->programs && !err; i++)
		err = row_schema_build(a, i, made + i * (keys + results), a->shown.fields,
				       end - a->shown.fields);
	a->shown.tag = a->table->has_source ? row_tag : NULL;
	return err;
}

void aggregate_schemas_free(struct aggregate *a)
{
	while (a->shown.name_count)
		free(a->shown.names[--a->shown.name_count]);
	free(a->shown.names);
	free(a->shown.axes);
	free(a->shown.fields);
	free(a->shown.schemas);
	free(a->shown.rows);
	free(a->shown.list);
	a->shown.names = NULL;
	a->shown.axes = NULL;
	a->shown.fields = NULL;
	a->shown.schemas = a->shown.rows = NULL;
	a->shown.list = NULL;
}

int aggregate_schemas_check(struct aggregate *a, const struct schema *key)
{
	int err;

	a->key_schemas = &key;
	a->programs = 1;
	err = aggregate_schemas_build(a);
	aggregate_schemas_free(a);
	a->key_schemas = NULL;
	return err;
}
