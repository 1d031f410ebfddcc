// SPDX-License-Identifier: GPL-2.0
/*
 * aggregate_show.c - a report: rows in one of two forms (aggregate_table.c, aggregate_json.c), and what
 * both need of a measure.
 *
 * It must not know where the numbers come from.
 */
#include <stdlib.h>

#include "argdump/aggregate_show.h"
#include "core/cell.h"

const char *const measure_names[] = {
	[EXPR_COUNT] = "count", [EXPR_SUM] = "sum",   [EXPR_AVG] = "avg",    [EXPR_MIN] = "min",
	[EXPR_MAX] = "max",	[EXPR_HIST] = "hist", [EXPR_LHIST] = "lhist",
};

struct hist result_hist(const struct aggregate *a, const struct expr_result *r,
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
void result_put(struct out *o, const struct expr_result *r, const uint64_t *words, bool json)
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

uint64_t unread_count(const struct aggregate *a, const uint64_t *words)
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

/* ---- a report ---- */

int aggregate_report(struct aggregate *a, struct out *o, bool json, enum timestamp_form form,
		     uint64_t now)
{
	struct aggregate_rows rows;
	int err = aggregate_read(a, &rows);

	if (!err && a->options->top && rows.count > a->options->top)
		rows.count = a->options->top;
	if (!err && !json && a->options->interval_ns) {
		if (a->reports)
			out_char(o, '\n');
		timestamp_put(o, now, form == TIMESTAMP_NONE ? TIMESTAMP_ISO : form);
		out_char(o, '\n');
	}
	if (!err)
		err = json ? aggregate_put_json(a, &rows, o, now) : aggregate_put_table(a, &rows, o);
	a->reports++;
	a->rows += rows.count;
	free(rows.bytes);
	return err;
}
