/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * heatmap.c - writes histograms as lines of a heat map: a line for each row of each report, a column for each bucket;
 * a denser sign means more values.
 *
 * A shade always means the same number, so that lines can be compared. The columns cover the range of the values;
 * when it grows, a new header is written. On a terminal shades are colors.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/timestamp.h"
#include "output/pictures/hist_rows.h"
#include "output/rows/report.h"
#include "output/field/value_number.h"

enum { CELL = 2, MARGIN = 2, LABEL_CELLS = 5, COLUMNS_MOST = 70, SHADES = 9, TIME = 16 };

/* For each shade: the least number of values, a sign, and one of a terminal's 256 colors. */
static const struct {
	uint64_t from;
	char sign;
	uint8_t color;
} shades[SHADES] = {
	{ 1, '.', 230 },    { 3, ':', 229 },	{ 10, '-', 222 },
	{ 30, '=', 215 },   { 100, '+', 208 },	{ 300, '*', 202 },
	{ 1000, 'o', 196 }, { 3000, '#', 160 }, { 10000, '@', 88 },
};

struct heatmap {
	struct hist_range range;
	size_t per; /* buckets in a column */
	bool has_legend;
};

static void state_free(struct report *r)
{
	free(r->state);
	r->state = NULL;
}

struct lines {
	struct report *report;
	struct heatmap *map;
	struct buf *o;
	bool has_time;
};

/* ---- a line ---- */

static size_t shade_of(uint64_t count)
{
	size_t i = 0;

	while (i + 1 < SHADES && shades[i + 1].from <= count)
		i++;
	return i;
}

static void cell_write(struct lines *l, uint64_t count)
{
	size_t i = shade_of(count);

	if (!count)
		buf_repeat(l->o, ' ', CELL);
	else if (l->o->is_colored)
		buf_printf(l->o, "\033[48;5;%um%*s\033[0m", shades[i].color, CELL, "");
	else
		buf_repeat(l->o, shades[i].sign, CELL);
}

static void time_write_blanks(struct lines *l)
{
	if (l->has_time)
		buf_repeat(l->o, ' ', TIME);
	else
		timestamp_write(l->o, l->report->now, TIMESTAMP_CLOCK);
	buf_repeat(l->o, ' ', l->has_time ? 0 : TIME - 15);
	l->has_time = true;
}

static void cells_write(struct lines *l, const struct hist *h)
{
	const struct heatmap *m = l->map;

	buf_char(l->o, '|');
	for (size_t i = m->range.first; i < m->range.end; i += m->per) {
		uint64_t count = 0;

		for (size_t j = i; j < i + m->per && j < h->count; j++)
			count += h->buckets[j];
		cell_write(l, count);
	}
	buf_str(l->o, "| ");
}

/* ---- the header ---- */

/* Writes ". 1
 *
 * : 3
 *
 * - 10 …". */
static void legend_write(struct lines *l)
{
	buf_repeat(l->o, ' ', TIME);
	for (size_t i = 0; i < SHADES; i++) {
		buf_str(l->o, i ? "  " : " ");
		cell_write(l, shades[i].from);
		buf_char(l->o, ' ');
		buf_uint(l->o, shades[i].from);
	}
	buf_str(l->o, " and more\n");
	l->map->has_legend = true;
}

/* Writes the lower end of each fifth column, as far as there is room. */
static void labels_write(struct lines *l, const struct hist *h)
{
	const struct heatmap *m = l->map;
	struct buf label;

	buf_init(&label, -1);
	buf_repeat(l->o, ' ', TIME);
	buf_char(l->o, '|');
	for (size_t i = m->range.first; i < m->range.end; i += m->per * LABEL_CELLS) {
		label.len = 0;
		hist_write_low(&label, h, i);
		buf_bytes(l->o, label.data, label.len);
		buf_repeat(l->o, ' ',
			   label.len < CELL * LABEL_CELLS ? CELL * LABEL_CELLS - label.len : 1);
	}
	buf_char(l->o, '\n');
	buf_free(&label);
}

/* Extends the range to include the values, and some more. */
static bool range_grow(struct heatmap *m, const struct hist *h)
{
	struct hist_range now = hist_range_of(h);

	if (!now.end || (now.first >= m->range.first && now.end <= m->range.end))
		return false;
	if (!m->range.end)
		m->range = now;
	if (now.first < m->range.first)
		m->range.first = now.first;
	if (now.end > m->range.end)
		m->range.end = now.end;
	m->range.first -= m->range.first > MARGIN ? MARGIN : m->range.first;
	m->range.end += MARGIN;
	if (m->range.end > h->count)
		m->range.end = h->count;
	m->per = (m->range.end - m->range.first + COLUMNS_MOST - 1) / COLUMNS_MOST;
	return true;
}

static int row_write(void *ctx, const struct hist_row *row)
{
	struct lines *l = ctx;

	if (range_grow(l->map, &row->hist)) {
		if (!l->map->has_legend)
			legend_write(l);
		labels_write(l, &row->hist);
	}
	time_write_blanks(l);
	cells_write(l, &row->hist);
	buf_str(l->o, row->name);
	buf_str(l->o, "  ");
	buf_str(l->o, row->about);
	buf_char(l->o, '\n');
	l->report->sink->rows++;
	buf_unit_end(l->o);
	return 0;
}

/* ---- the report ---- */

static struct heatmap *map_of(struct report *r)
{
	if (!r->state)
		r->state = calloc(1, sizeof(struct heatmap));
	return r->state;
}

/* Writes a line even for an empty interval. */
static int write_rows(struct report *r)
{
	struct lines l = { .report = r, .map = map_of(r), .o = r->sink->out };

	if (!l.map)
		return -ENOMEM;
	if (r->line_count)
		return hist_rows_each(r, row_write, &l);
	time_write_blanks(&l);
	buf_char(l.o, '(');
	report_write_count(r, l.o, 0);
	buf_str(l.o, ")\n");
	return 0;
}

const struct report_form report_form_heatmap = {
	.rows = write_rows,
	.free = state_free,
};
