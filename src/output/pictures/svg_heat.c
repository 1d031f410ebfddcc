/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg_heat.c - draws how histograms change over time: a column for each interval, a row for each bucket; darker means
 * more.
 *
 * The columns are stored from one report to the next. When the picture is full, the oldest columns are dropped.
 */
#include "output/pictures/svg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/pictures/hist_rows.h"
#include "output/field/timestamp.h"
#include "output/field/value_number.h"

enum {
	COLUMNS_MAX = 300,
	PANELS_MAX = 20,
	LEFT = 200,
	ROOM = SVG_WIDTH - LEFT - SVG_MARGIN,
	CELL_MOST = 40,
	CELL_HEIGHT = 14,
	TICK = 130, /* pixels between labels of time */
	GAP = 3 * SVG_LINE,
};

struct panel {
	char *name;			/* owned */
	struct hist hist;		/* the buckets' bounds; its own buckets are unused */
	uint64_t *columns[COLUMNS_MAX]; /* owned; NULL: the panel had no row in that interval */
};

struct heat {
	uint64_t times[COLUMNS_MAX];
	size_t count, dropped;
	struct panel **panels; /* owned */
	size_t panel_count;
	uint64_t left_out; /* values in rows that have no panel */
};

void report_svg_begin(struct report *r, unsigned height)
{
	struct buf subtitle;

	buf_init(&subtitle, -1);
	if (!r->is_timed) {
		report_write_count(r, &subtitle, r->total);
		buf_str(&subtitle, " in ");
		duration_write(&subtitle, report_elapsed(r));
	}
	buf_char(&subtitle, '\0');
	svg_begin(&r->picture, height, r->title, subtitle.error ? "" : subtitle.data, false);
	buf_free(&subtitle);
}

void svg_heat_free(struct report *r)
{
	struct heat *heat = r->state;

	for (size_t i = 0; heat && i < heat->panel_count; i++) {
		for (size_t j = 0; j < heat->count; j++)
			free(heat->panels[i]->columns[j]);
		free(heat->panels[i]->name);
		free(heat->panels[i]);
	}
	free(heat ? heat->panels : NULL);
	free(heat);
	r->state = NULL;
}

/* ---- columns ---- */

static void oldest_drop(struct heat *heat)
{
	size_t rest = --heat->count;

	heat->dropped++;
	memmove(heat->times, heat->times + 1, rest * sizeof(*heat->times));
	for (size_t i = 0; i < heat->panel_count; i++) {
		struct panel *p = heat->panels[i];

		free(p->columns[0]);
		memmove(p->columns, p->columns + 1, rest * sizeof(*p->columns));
		p->columns[rest] = NULL;
	}
}

static struct panel *panel_add(struct heat *heat, const struct hist_row *row)
{
	struct panel **panels, *p;

	if (heat->panel_count == PANELS_MAX)
		return NULL;
	panels = realloc(heat->panels, (heat->panel_count + 1) * sizeof(*panels));
	p = panels ? calloc(1, sizeof(*p)) : NULL;
	heat->panels = panels ?: heat->panels;
	if (!p)
		return NULL;
	p->name = strdup(row->name);
	p->hist = row->hist;
	p->hist.buckets = NULL;
	if (!p->name) {
		free(p);
		return NULL;
	}
	return panels[heat->panel_count++] = p;
}

static struct panel *panel_of(struct heat *heat, const struct hist_row *row)
{
	for (size_t i = 0; i < heat->panel_count; i++)
		if (!strcmp(heat->panels[i]->name, row->name))
			return heat->panels[i];
	return panel_add(heat, row);
}

/* Adds up rows that have the same name. */
static int row_parse(void *ctx, const struct hist_row *row)
{
	struct heat *heat = ctx;
	struct panel *p = panel_of(heat, row);
	uint64_t **column = p ? &p->columns[heat->count - 1] : NULL;

	if (!p && heat->panel_count == PANELS_MAX) {
		heat->left_out += hist_total(&row->hist);
		return 0;
	}
	if (column && !*column)
		*column = calloc(row->hist.count, sizeof(**column));
	if (!column || !*column)
		return -ENOMEM;
	for (size_t i = 0; i < row->hist.count; i++)
		(*column)[i] += row->hist.buckets[i];
	return 0;
}

/* ---- drawing ---- */

struct area {
	struct report *report;
	const struct heat *heat;
	const struct panel *panel;
	struct buf body;
	struct hist_range range;
	uint64_t most;
	double cell;
	unsigned y;
};

static void range_find(struct area *a)
{
	struct hist h = a->panel->hist;

	a->range = (struct hist_range){ h.count, 0 };
	a->most = 0;
	for (size_t i = 0; i < a->heat->count; i++) {
		struct hist_range r;

		h.buckets = a->panel->columns[i];
		if (!h.buckets)
			continue;
		r = hist_range_of(&h);
		if (!r.end)
			continue;
		a->range.first = r.first < a->range.first ? r.first : a->range.first;
		a->range.end = r.end > a->range.end ? r.end : a->range.end;
		for (size_t j = r.first; j < r.end; j++)
			a->most = h.buckets[j] > a->most ? h.buckets[j] : a->most;
	}
}

/* Returns the logarithm to the base 2, interpolated linearly between powers of two. */
static double magnitude(uint64_t n)
{
	int power = 63 - __builtin_clzll(n | 1);

	return power + (double)n / (1ull << power) - 1;
}

/* Returns a color by magnitude, from light yellow to dark red. */
static uint32_t color_of(uint64_t count, uint64_t most)
{
	double part = most > 1 ? (1 + magnitude(count)) / (1 + magnitude(most)) : 1;

	return svg_hsl(56 - 56 * part, 90, 92 - 60 * part);
}

static void label_write(struct area *a, size_t bucket)
{
	struct buf label;

	buf_init(&label, -1);
	hist_write_label(&label, &a->panel->hist, bucket);
	svg_write_text(&a->body, label.data, label.len);
	buf_free(&label);
}

static void cell_write(struct area *a, size_t column, size_t bucket, uint64_t count)
{
	struct buf *o = &a->body;

	svg_box_begin(o);
	timestamp_write(o, a->heat->times[column], TIMESTAMP_CLOCK);
	buf_str(o, "  ");
	label_write(a, bucket);
	buf_str(o, ": ");
	report_write_count(a->report, o, count);
	svg_box(o, LEFT + column * a->cell, a->y + (a->range.end - 1 - bucket) * CELL_HEIGHT,
		a->cell, CELL_HEIGHT, color_of(count, a->most));
	svg_box_end(o);
}

/* Writes a legend of which counts are how dark. */
static void legend_write(struct area *a)
{
	double x = LEFT;

	for (uint64_t count = 1; a->most; count = count * 10 < a->most ? count * 10 : a->most) {
		buf_printf(&a->body,
			   "<rect x=\"%.0f\" y=\"%u\" width=\"14\" height=\"14\" fill=\"#%06x\"/>",
			   x, a->y, color_of(count, a->most));
		svg_text_begin(&a->body, x + 18, a->y + 12, "start");
		svg_write_count(&a->body, count);
		buf_str(&a->body, SVG_TEXT_END);
		x += 110;
		if (count == a->most || x > SVG_WIDTH - 110)
			break;
	}
	a->y += SVG_LINE + 6;
}

static void axes_write(struct area *a)
{
	size_t step = a->cell < TICK ? TICK / a->cell + 1 : 1;
	unsigned bottom = a->y + (a->range.end - a->range.first) * CELL_HEIGHT;

	for (size_t i = a->range.first; i < a->range.end; i++) {
		svg_text_begin(&a->body, LEFT - 8, a->y + (a->range.end - 1 - i) * CELL_HEIGHT + 11,
			       "end");
		label_write(a, i);
		buf_str(&a->body, SVG_TEXT_END);
	}
	for (size_t i = 0; i < a->heat->count && LEFT + i * a->cell < SVG_WIDTH - TICK; i += step) {
		svg_text_begin(&a->body, LEFT + i * a->cell, bottom + 14, "start");
		timestamp_write(&a->body, a->heat->times[i], TIMESTAMP_CLOCK);
		buf_str(&a->body, SVG_TEXT_END);
	}
}

static void panel_write(struct area *a)
{
	range_find(a);
	svg_text_begin(&a->body, SVG_MARGIN, a->y + 13, "start");
	svg_write_text(&a->body, a->panel->name, strlen(a->panel->name));
	buf_str(&a->body, SVG_TEXT_END);
	a->y += SVG_LINE;
	legend_write(a);
	for (size_t i = 0; i < a->heat->count; i++)
		for (size_t j = a->range.first; a->panel->columns[i] && j < a->range.end; j++)
			if (a->panel->columns[i][j])
				cell_write(a, i, j, a->panel->columns[i][j]);
	if (a->range.end)
		axes_write(a);
	a->y += (a->range.end ? a->range.end - a->range.first : 0) * CELL_HEIGHT + GAP;
}

/* Writes how much is not drawn. */
static void notes_write(struct area *a)
{
	const struct heat *heat = a->heat;

	if (!heat->dropped && !heat->left_out)
		return;
	svg_text_begin(&a->body, SVG_MARGIN, a->y, "start");
	if (heat->dropped)
		buf_printf(&a->body, "the last %zu of %zu intervals  ", heat->count,
			   heat->count + heat->dropped);
	if (heat->left_out) {
		buf_printf(&a->body, "the first %d rows; not drawn: ", PANELS_MAX);
		report_write_count(a->report, &a->body, heat->left_out);
	}
	buf_str(&a->body, SVG_TEXT_END);
}

static int heat_write(struct report *r, const struct heat *heat)
{
	struct area a = { .report = r, .heat = heat, .y = SVG_TOP };

	a.cell = (double)ROOM / heat->count;
	a.cell = a.cell > CELL_MOST ? CELL_MOST : a.cell;
	buf_init(&a.body, -1);
	for (size_t i = 0; i < heat->panel_count; i++) {
		a.panel = heat->panels[i];
		panel_write(&a);
	}
	notes_write(&a);
	report_svg_begin(r, a.y + SVG_LINE);
	buf_bytes(&r->picture, a.body.data, a.body.len);
	svg_end(&r->picture);
	buf_free(&a.body);
	return r->picture.error;
}

int svg_heat_write(struct report *r)
{
	struct heat *heat;
	int err;

	if (!r->state)
		r->state = calloc(1, sizeof(*heat));
	heat = r->state;
	if (!heat)
		return -ENOMEM;
	if (heat->count == COLUMNS_MAX)
		oldest_drop(heat);
	heat->times[heat->count++] = r->now;
	err = hist_rows_each(r, row_parse, heat);
	return err ?: heat_write(r, heat);
}
