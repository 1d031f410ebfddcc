// SPDX-License-Identifier: GPL-2.0
/*
 * aggregate_json.c - rows as JSON, one object a line.
 */
#include <errno.h>
#include <string.h>

#include "argdump/aggregate_show.h"
#include "core/text.h"

/* "avg" where there is one of its kind, else "avg(count)"; or as the user named it. */
static void put_name(struct out *o, const struct aggregate *a, const struct expr_result *r,
		     const char *prefix)
{
	const struct expr_table *t = a->table;
	bool alone = true;
	struct out name;

	for (const struct expr_result *other = t->results; other < t->results + t->count; other++)
		alone &= other == r || measure_names[other->kind] != measure_names[r->kind];
	out_init(&name, -1);
	if (prefix && r->name)
		out_printf(&name, "%s_%s", r->name, prefix);
	else if (r->name)
		out_str(&name, r->name);
	else
		out_str(&name, prefix ? prefix : measure_names[r->kind]);
	if (!r->name && !alone && r->text)
		out_printf(&name, "(%s)", r->text);
	out_char(&name, '\0');
	if (!name.error)
		text_put_json_key(o, name.data);
	out_free(&name);
}

static void put_percentiles(struct out *o, const struct aggregate *a, const struct expr_result *r,
			    const struct hist *h)
{
	static const struct { unsigned percent; const char *name; } all[] = {
		{ 50, "p50" }, { 90, "p90" }, { 99, "p99" },
	};
	double value;

	for (int i = 0; i < 3; i++) {
		put_name(o, a, r, all[i].name);
		if (hist_percentile(h, all[i].percent, &value))
			out_printf(o, "%.0f", value);
		else
			out_str(o, "null");
	}
}

static void put_results(struct out *o, const struct aggregate *a, const uint64_t *words)
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
		put_name(o, a, r, NULL);
		if (result_is_hist(r)) {
			struct hist h = result_hist(a, r, words);

			hist_put_json(o, &h);
			put_percentiles(o, a, r, &h);
		} else {
			result_put(o, r, words, true);
		}
	}
}

/* "by":{…}, and what is wrong with its values. */
static int put_key(struct out *o, const struct aggregate *a, const void *key)
{
	const struct schema *schema = row_schema(a, key);
	const char *before = ",\"by\":{", *source = row_source(a, key);
	struct value v;

	if (source) {
		out_str(o, ",\"func\":");
		text_put_json(o, source, strlen(source));
	}
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

static void put_flaws(struct out *o, const struct aggregate *a, const void *key, bool cut)
{
	const char *begin = cut ? ",\"cut\":{" : ",\"errors\":{", *before = begin;
	const struct schema *schema = row_schema(a, key);
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

static int put_row(const struct aggregate *a, const struct aggregate_rows *rows, size_t i,
		   struct out *o, uint64_t now)
{
	const uint64_t *words = row_words(a, rows, i);
	uint64_t unread = unread_count(a, words);

	out_str(o, "{\"type\":\"count\"");
	if (a->options->interval_ns) {
		out_str(o, ",\"time\":\"");
		timestamp_put(o, now, TIMESTAMP_UTC);
		out_char(o, '"');
	}
	if (put_key(o, a, row_key(rows, i)))
		return -EBADMSG;
	put_results(o, a, words);
	if (unread) {
		out_str(o, ",\"unreadable\":");
		out_uint(o, unread);
	}
	put_flaws(o, a, row_key(rows, i), false);
	put_flaws(o, a, row_key(rows, i), true);
	out_str(o, "}\n");
	return 0;
}

int aggregate_put_json(const struct aggregate *a, const struct aggregate_rows *rows, struct out *o,
		       uint64_t now)
{
	int err = 0;

	for (size_t i = 0; i < rows->count && !err; i++)
		err = put_row(a, rows, i, o, now);
	return err;
}
