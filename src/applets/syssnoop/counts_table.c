/* SPDX-License-Identifier: GPL-2.0-only */
/* counts_table.c - prints the counts of -c and -C as strace's table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "applets/syssnoop/counts.h"
#include "output/field/timestamp.h"
#include "output/rows/sink.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int rows_compare(const void *x, const void *y, void *report)
{
	const struct count_row *a = report_record(report, x), *b = report_record(report, y);
	uint64_t m, n;
	char name[32];

	if (counts_chosen.sorted == NAME) {
		snprintf(name, sizeof(name), "%s", counts_name(a->row));
		return strcmp(name, counts_name(b->row));
	}
	m = counts_value(&a->count, (unsigned)counts_chosen.sorted);
	n = counts_value(&b->count, (unsigned)counts_chosen.sorted);
	return m != n ? (m < n ? 1 : -1) : a->row < b->row ? -1 : a->row > b->row;
}

/* ---- strace's table ---- */

/* Titles and minimum widths; strace's for columns that it has. */
static const struct {
	const char *title;
	int width;
} columns[COLUMNS] = {
	[PERCENT] = { "% time", 6 },
	[TOTAL] = { "seconds", 11 },
	[SHORTEST] = { "shortest", 8 },
	[LONGEST] = { "longest", 8 },
	[AVERAGE] = { "usecs/call", 11 },
	[WALL_TOTAL] = { "wall seconds", 12 },
	[WALL_SHORTEST] = { "wall shortest", 13 },
	[WALL_LONGEST] = { "wall longest", 12 },
	[WALL_AVERAGE] = { "wall usecs/call", 15 },
	[P50] = { "50% below", 9 },
	[P99] = { "99% below", 9 },
	[CALLS] = { "calls", 9 },
	[ERRORS] = { "errors", 9 },
	[NAME] = { "syscall", 16 },
};

static bool is_seconds(unsigned column)
{
	return column == TOTAL || column == WALL_TOTAL || counts_is_extreme((int)column) ||
	       column == P50 || column == P99;
}

static void cell_write(struct buf *o, unsigned column, int width, const struct syssnoop_count *c,
		       const char *name, uint64_t all)
{
	uint64_t v = counts_value(c, column);

	if (column == NAME)
		buf_printf(o, "%s", name);
	else if (column == PERCENT)
		buf_printf(o, "%*.2f", width, v ? 100.0 * (double)v / (double)all : 0.0);
	else if (is_seconds(column))
		buf_printf(o, "%*.6f", width, (double)v / 1e9);
	else if (column == AVERAGE || column == WALL_AVERAGE)
		buf_printf(o, "%*llu", width, (unsigned long long)v / 1000);
	else if (column == ERRORS && !v)
		buf_repeat(o, ' ', (size_t)width);
	else
		buf_printf(o, "%*llu", width, (unsigned long long)v);
}

struct table {
	struct buf *o;
	struct syssnoop_count sum;
	int widths[COLUMNS];
	uint64_t all; /* total of the column of percentages */
};

static void widths_grow(struct table *t, const struct syssnoop_count *c, const char *name)
{
	struct buf text;

	for (unsigned i = 0; i < COLUMNS; i++) {
		int len;

		buf_init(&text, -1);
		cell_write(&text, i, 0, c, name, t->all);
		len = (int)text.len + (i == NAME);
		buf_free(&text);
		t->widths[i] = t->widths[i] > len ? t->widths[i] : len;
	}
}

static void sum_add(struct syssnoop_count *sum, const struct syssnoop_count *c)
{
	bool is_first = !sum->calls;

	sum->calls += c->calls;
	sum->errors += c->errors;
	sum->total += c->total;
	sum->cpu += c->cpu;
	sum->min = is_first || c->min < sum->min ? c->min : sum->min;
	sum->cpu_min = is_first || c->cpu_min < sum->cpu_min ? c->cpu_min : sum->cpu_min;
	sum->max = c->max > sum->max ? c->max : sum->max;
	sum->cpu_max = c->cpu_max > sum->cpu_max ? c->cpu_max : sum->cpu_max;
	for (size_t i = 0; i < COUNT(sum->latency); i++)
		sum->latency[i] += c->latency[i];
}

static void line_write(struct table *t, const struct syssnoop_count *c, const char *name)
{
	for (size_t i = 0; i < counts_chosen.count; i++) {
		size_t begin = t->o->len;

		if (i)
			buf_char(t->o, ' ');
		cell_write(t->o, counts_chosen.shown[i], t->widths[counts_chosen.shown[i]], c, name,
			   t->all);
		while (counts_chosen.shown[i] == NAME && i + 1 < counts_chosen.count &&
		       !t->o->error && t->o->len < begin + (size_t)t->widths[NAME] + (i > 0))
			buf_char(t->o, ' ');
	}
	buf_char(t->o, '\n');
}

static void head_write(struct table *t)
{
	for (size_t i = 0; i < counts_chosen.count; i++) {
		bool is_last = i + 1 == counts_chosen.count;
		int width = t->widths[counts_chosen.shown[i]];

		buf_printf(t->o, "%s%*s%s", i ? " " : "",
			   counts_chosen.shown[i] == NAME ? (is_last ? 0 : -width) : width,
			   columns[counts_chosen.shown[i]].title, is_last ? "\n" : "");
	}
}

static void rule_write(struct table *t)
{
	for (size_t i = 0; i < counts_chosen.count; i++) {
		buf_str(t->o, i ? " " : "");
		buf_repeat(t->o, '-', (size_t)t->widths[counts_chosen.shown[i]]);
	}
	buf_char(t->o, '\n');
}

static int table_write(struct report *r)
{
	struct table t = { .o = r->sink->out };

	if (!r->sort && r->line_count)
		qsort_r(r->lines, r->line_count, sizeof(*r->lines), rows_compare, r);
	for (unsigned i = 0; i < COLUMNS; i++)
		t.widths[i] = columns[i].width;
	for (size_t i = 0; i < r->line_count; i++)
		sum_add(&t.sum, &((const struct count_row *)report_record(r, &r->lines[i]))->count);
	t.all = counts_value(&t.sum, PERCENT);
	widths_grow(&t, &t.sum, "total");
	for (size_t i = 0; i < r->line_count; i++) {
		const struct count_row *row = report_record(r, &r->lines[i]);

		widths_grow(&t, &row->count, counts_name(row->row));
	}
	report_write_time(r, t.o);
	head_write(&t);
	rule_write(&t);
	for (size_t i = 0; i < r->line_count; i++) {
		const struct count_row *row = report_record(r, &r->lines[i]);

		line_write(&t, &row->count, counts_name(row->row));
	}
	rule_write(&t);
	line_write(&t, &t.sum, "total");
	r->sink->rows += r->line_count;
	return t.o->error;
}

const struct report_form counts_form = { .rows = table_write };
