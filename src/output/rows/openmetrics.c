/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * openmetrics.c - writes rows as samples: coretap_APPLET_COLUMN_total{KEY="VALUE",…} NUMBER.
 *
 * All samples of a name must be adjacent, but a row has samples of several names: so each name has its own text until
 * the report ends. A name is built once for each field, in shape.leads.
 */
#include "output/rows/openmetrics.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "output/field/field_kind.h"
#include "output/field/hist.h"
#include "output/field/value.h"
#include "output/rows/sink_priv.h"
#include "output/field/value_text.h"

/* By powers of two, the buckets up to 2^40 are always written, those of times up to the last one below 138 s, because
 * sums over machines need the same bounds everywhere. */
enum { NAME = 96, LEAD = 3 * NAME, ALWAYS_BITS = 40, ALWAYS_SECONDS = 138 };

/* Writes letters, digits and single underscores, none at the ends. */
static void name_build(char name[NAME], const char *text, size_t len)
{
	size_t n = 0;

	for (const char *end = text + len; text < end && n < NAME - 2; text++)
		if (isalnum((unsigned char)*text))
			name[n++] = *text;
		else if (n && name[n - 1] != '_')
			name[n++] = '_';
	name[n - (n && name[n - 1] == '_')] = 0;
}

/* ---- what a field is ---- */

enum role { NOTHING, LABEL, COUNTER, GAUGE, HISTOGRAM };

static enum role role_of(const struct field *f)
{
	bool in_json_only = (f->flags & (FIELD_JSON_ONLY | FIELD_TEXT_ONLY)) == FIELD_JSON_ONLY;

	if (f->type == FIELD_HIST)
		return HISTOGRAM;
	if (f->type == FIELD_PERCENTILE) /* Prometheus computes percentiles from the histogram */
		return in_json_only ? NOTHING : GAUGE;
	if (f->flags & (FIELD_COUNTER | FIELD_TOTAL))
		return COUNTER;
	if (f->flags & FIELD_GAUGE)
		return GAUGE;
	return in_json_only && !f->object ? NOTHING : LABEL;
}

enum { UNIT_HUNDREDTHS = FIELD_UNIT_MS + 1 }; /* a number of no unit, in hundredths */

/* Returns the unit; a field that the user named has none in its name. */
static unsigned unit_of(const struct field *f)
{
	unsigned flags = field_kinds[f->type].flags;

	if (f->unit > FIELD_UNIT_NONE)
		return f->unit;
	if (f->axis && f->axis->unit > FIELD_UNIT_NONE)
		return f->axis->unit;
	return f->type == FIELD_HUNDREDTHS ? UNIT_HUNDREDTHS :
	       flags & KIND_NS		   ? FIELD_UNIT_NS :
	       flags & KIND_US		   ? FIELD_UNIT_US :
	       flags & KIND_MS		   ? FIELD_UNIT_MS :
					     FIELD_UNIT_NONE;
}

static const struct {
	const char *suffix;
	uint64_t scale; /* units in a second */
	int digits;
} units[] = {
	[FIELD_UNIT_KIND] = { "", 1, 0 },	    [FIELD_UNIT_NONE] = { "", 1, 0 },
	[FIELD_UNIT_NS] = { "_ns", 1000000000, 9 }, [FIELD_UNIT_US] = { "_us", 1000000, 6 },
	[FIELD_UNIT_MS] = { "_ms", 1000, 3 },	    [UNIT_HUNDREDTHS] = { "", 100, 2 },
};

static void number_write(struct buf *o, const struct field *f, __int128 number)
{
	unsigned unit = unit_of(f);
	uint64_t size = number < 0 ? -number : number;

	if (number < 0)
		buf_char(o, '-');
	buf_uint(o, size / units[unit].scale);
	if (!(size % units[unit].scale))
		return;
	buf_char(o, '.');
	buf_uint_pad(o, size % units[unit].scale, units[unit].digits);
}

/* ---- names ---- */

/* True if another field has this name: two fields of different names may get the same one here. */
static bool name_exists(const struct sink_shape *shape, const char *lead, size_t len)
{
	for (const struct sink_cell *c = shape->cells; c < shape->cells + shape->cell_count; c++)
		if (c->lead_len == len && !memcmp(shape->leads.data + c->lead, lead, len))
			return true;
	return !strcmp(lead, ",le=\"") || !strcmp(lead, ",quantile=\"");
}

/* Prepares ,label=" or coretap_applet_column_seconds_total. */
static void cell_prepare(struct sink_shape *shape, struct sink_cell *c)
{
	const struct field *f = c->field;
	enum role role = role_of(f);
	unsigned unit = unit_of(f);
	size_t len = strlen(f->name), cut = strlen(units[unit].suffix);
	char applet[NAME], name[NAME], lead[LEAD], number[16] = "";

	if (len > cut && !strcmp(f->name + len - cut, units[unit].suffix))
		len -= cut;
	name_build(applet, shape->object, strlen(shape->object));
	name_build(name, f->name, len);
	for (int i = 0; i < 2; i++) {
		if (role == LABEL)
			len = snprintf(lead, LEAD, ",%s%s%s%s=\"", isalpha(*name) ? "" : "_", name,
				       cut ? "_seconds" : "", number);
		else
			len = snprintf(lead, LEAD, "coretap_%s_%s%s%s%s", applet, name, number,
				       cut ? "_seconds" : "", role == COUNTER ? "_total" : "");
		if (!name_exists(shape, lead, len))
			break;
		snprintf(number, sizeof(number), "_%zu", shape->cell_count);
	}
	buf_bytes(&shape->leads, lead, len);
}

/* Adds the labels first. */
static void cells_add(const struct sink *s, struct sink_shape *shape)
{
	const struct schema *schema = shape->schema;

	shape->object = s->applet;
	for (int samples = 0; samples < 2; samples++) {
		for (size_t i = 0; i < schema->count; i++) {
			const struct field *f = &schema->fields[i];
			enum role role = role_of(f);
			unsigned in = f->flags & (FIELD_JSON_ONLY | FIELD_TEXT_ONLY);

			if (schema_has(schema, i) && in != FIELD_TEXT_ONLY && role != NOTHING &&
			    samples == (role != LABEL))
				sink_cell_add(s, shape, f);
		}
		if (!samples)
			shape->columns = shape->cell_count;
	}
}

const struct sink_form sink_form_openmetrics = {
	.all_fields = true,
	.cells = cells_add,
	.cell = cell_prepare,
};

/* ---- samples ---- */

struct family {
	struct buf text; /* owned */
	size_t name_len;
};

/* The state of a report (report.state). */
struct families {
	struct buf labels, cell; /* owned: labels of the row; text of a value */
	struct family *list;	 /* owned */
	size_t count;
};

static const char *type_of(enum role role)
{
	return role == COUNTER ? "counter" : role == GAUGE ? "gauge" : "histogram";
}

/* Finds or adds a family, whose text begins with # HELP and the name. Returns NULL if out of memory. */
static struct buf *family_of(struct families *all, const struct field *f, const char *name)
{
	static const size_t lead = sizeof("# HELP ") - 1;
	size_t len = strlen(name);
	struct family *list = all->list;

	for (struct family *one = list; one < list + all->count; one++)
		if (one->name_len == len && !one->text.error &&
		    !memcmp(one->text.data + lead, name, len))
			return &one->text;
	list = realloc(list, (all->count + 1) * sizeof(*list));
	if (!list)
		return NULL;
	all->list = list;
	list += all->count++;
	list->name_len = len;
	buf_init(&list->text, -1);
	openmetrics_write_family(&list->text, name, type_of(role_of(f)),
				 f->help	  ?:
					 f->title ?:
						    f->name);
	return &list->text;
}

static void sample_begin(struct buf *o, const struct families *all, const char *name,
			 const char *suffix, bool more)
{
	buf_str(o, name);
	buf_str(o, suffix);
	if (all->labels.len || more)
		buf_char(o, '{');
	buf_bytes(o, all->labels.data, all->labels.len);
	if (more)
		buf_str(o, all->labels.len ? "," : "");
	else
		buf_str(o, all->labels.len ? "} " : " ");
}

static void count_end(struct buf *o, uint64_t count)
{
	buf_uint(o, count);
	buf_char(o, '\n');
}

/* The bound of a time is the bucket's end; that of other numbers is the largest one in the bucket, because "le"
 * includes it. */
static void buckets_write(struct buf *o, const struct families *all, const char *name,
			  const struct field *f, const struct hist *h)
{
	bool is_time = unit_of(f) != FIELD_UNIT_NONE;
	uint64_t sum = 0, whole = hist_total(h);
	uint64_t always = is_time ? ALWAYS_SECONDS * units[unit_of(f)].scale : 1ull << ALWAYS_BITS;
	__int128 end;

	for (size_t i = 0; i < h->count && hist_end(h, i, &end) && end < (__int128)1 << 64; i++) {
		bool is_rare = !h->step && (!i || end > always);

		if (is_rare && (i ? sum == whole : !h->buckets[0]))
			continue;
		sum += h->buckets[i];
		sample_begin(o, all, name, "_bucket", true);
		buf_str(o, "le=\"");
		number_write(o, f, end - !is_time);
		buf_str(o, "\"} ");
		count_end(o, sum);
	}
	sample_begin(o, all, name, "_bucket", true);
	buf_str(o, "le=\"+Inf\"} ");
	count_end(o, whole);
	sample_begin(o, all, name, "_count", false);
	count_end(o, whole);
}

static int sample_write(struct families *all, const struct sink_shape *shape,
			const struct sink_cell *c, const void *record, size_t size)
{
	const struct field *f = c->field;
	enum role role = role_of(f);
	char name[LEAD];
	struct value v;
	struct hist h;
	struct buf *o;

	if (field_load(f, record, size, &v))
		return -EBADMSG;
	snprintf(name, LEAD, "%.*s", (int)c->lead_len, shape->leads.data + c->lead);
	o = family_of(all, f, name);
	if (!o)
		return -ENOMEM;
	if (role == HISTOGRAM) {
		h = hist_of(f, &v);
		buckets_write(o, all, name, f, &h);
	} else if (v.status == EVENT_OK && field_weight(f, &v) > -1e30) {
		sample_begin(o, all, name, "", false);
		if (role == COUNTER)
			number_write(o, f, v.u);
		else
			buf_printf(o, "%.15g", field_weight(f, &v) / units[unit_of(f)].scale);
		buf_char(o, '\n');
	}
	return o->error;
}

static int label_write(struct families *all, const struct sink_shape *shape,
		       const struct sink_cell *c, const void *record, size_t size)
{
	const char *lead = shape->leads.data + c->lead;
	struct buf *o = &all->labels;
	struct value v;

	if (field_load(c->field, record, size, &v))
		return -EBADMSG;
	all->cell.len = 0;
	if (unit_of(c->field) != FIELD_UNIT_NONE && v.status == EVENT_OK)
		number_write(&all->cell, c->field,
			     field_kind(c->field)->flags & KIND_SIGNED ? (__int128)(int64_t)v.u :
									 (__int128)v.u);
	else
		value_text_write(&all->cell, c->field, &v, shape->schema->timestamp);
	/* omits the comma before the first label */
	buf_bytes(o, lead + !o->len, c->lead_len - !o->len);
	openmetrics_write_escaped(o, all->cell.data, all->cell.len, true);
	buf_char(o, '"');
	return all->cell.error ?: o->error;
}

static int row_write(struct report *r, struct families *all, const struct report_line *l)
{
	const void *record = report_record(r, l);
	const struct sink_shape *shape;
	int err;

	shape = sink_shape_of(r->sink, record, l->size, &err);
	all->labels.len = 0;
	for (size_t i = 0; shape && i < shape->cell_count && !err; i++)
		err = (i < shape->columns ? label_write : sample_write)(
			all, shape, &shape->cells[i], record, l->size);
	return err;
}

static void families_free(struct report *r)
{
	struct families *all = r->state;

	for (size_t i = 0; all && i < all->count; i++)
		buf_free(&all->list[i].text);
	if (all) {
		buf_free(&all->labels);
		buf_free(&all->cell);
		free(all->list);
	}
	free(all);
	r->state = NULL;
}

static int rows_write(struct report *r)
{
	struct families *all = r->state = calloc(1, sizeof(*all));
	int err = all ? 0 : -ENOMEM;

	if (!r->picture.data)
		buf_init(&r->picture, -1);
	r->picture.len = 0;
	for (size_t i = 0; i < r->line_count && !err; i++)
		err = row_write(r, all, &r->lines[i]);
	for (size_t i = 0; all && i < all->count; i++)
		buf_bytes(&r->picture, all->list[i].text.data, all->list[i].text.len);
	families_free(r);
	return err ?: r->picture.error;
}

/* Stacks are no metrics: there would be a time series for each. */
static int stacks_omit(struct report *r, struct folded *stacks, const struct report_stacks *about)
{
	(void)r, (void)stacks, (void)about;
	return 0;
}

const struct report_form report_form_openmetrics = { .rows = rows_write,
						     .stacks = stacks_omit,
						     .free = families_free };
