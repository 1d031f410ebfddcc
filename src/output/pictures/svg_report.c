/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg_report.c - draws a report: a flame graph of stacks, bars of histograms, or a heat map of the histograms of
 * several intervals.
 */
#include <string.h>

#include "output/field/value_number.h"
#include "output/pictures/hist_rows.h"
#include "output/pictures/svg.h"
#include "output/rows/folded.h"
#include "output/rows/report.h"

/* ---- histograms as bars, one below the other ---- */

enum { LABEL = 210, BAR_MOST = 800, GAP = 30 };

struct bars {
	struct report *report;
	struct buf body; /* drawn first, because the document needs the height */
	unsigned y;
};

static void label_write(struct buf *o, const struct hist *h, size_t i)
{
	struct buf label;

	buf_init(&label, -1);
	hist_write_label(&label, h, i);
	svg_write_text(o, label.data, label.len);
	buf_free(&label);
}

static void bar_write(struct bars *b, const struct hist *h, size_t i, uint64_t most, uint64_t total)
{
	double width = most ? (double)BAR_MOST * h->buckets[i] / most : 0;
	struct buf *o = &b->body;

	svg_box_begin(o);
	label_write(o, h, i);
	buf_str(o, ": ");
	report_write_count(b->report, o, h->buckets[i]);
	buf_str(o, ", ");
	svg_write_share(o, h->buckets[i], total);
	svg_box(o, LABEL, b->y, width, SVG_LINE - 2, svg_hsl(28, 75, 60));
	svg_text_begin(o, LABEL - 8, b->y + 13, "end");
	label_write(o, h, i);
	buf_str(o, "</text>");
	svg_text_begin(o, LABEL + width + 6, b->y + 13, "start");
	svg_write_count(o, h->buckets[i]);
	buf_str(o, "</text>");
	svg_box_end(o);
	b->y += SVG_LINE;
}

static int row_write(void *ctx, const struct hist_row *row)
{
	struct hist_range range = hist_range_of(&row->hist);
	struct bars *b = ctx;
	uint64_t most = 0;

	for (size_t i = range.first; i < range.end; i++)
		most = row->hist.buckets[i] > most ? row->hist.buckets[i] : most;
	svg_text_begin(&b->body, SVG_MARGIN, b->y + 13, "start");
	svg_write_text(&b->body, row->name, strlen(row->name));
	buf_str(&b->body, "  ");
	svg_write_text(&b->body, row->about, strlen(row->about));
	buf_str(&b->body, SVG_TEXT_END);
	b->y += SVG_LINE + 4;
	for (size_t i = range.first; i < range.end; i++)
		bar_write(b, &row->hist, i, most, hist_total(&row->hist));
	b->y += GAP;
	return b->body.error;
}

/* Draws into r->picture. Returns 0 or -errno. */
static int svg_bars_write(struct report *r)
{
	struct bars b = { .report = r, .y = SVG_TOP };
	int err;

	buf_init(&b.body, -1);
	err = hist_rows_each(r, row_write, &b);
	if (!err) {
		report_svg_begin(r, b.y);
		buf_bytes(&r->picture, b.body.data, b.body.len);
		svg_end(&r->picture);
	}
	buf_free(&b.body);
	return err ?: r->picture.error;
}

/* ---- the report ---- */

static void picture_begin(struct report *r)
{
	if (!r->picture.data)
		buf_init(&r->picture, -1);
	r->picture.len = 0;
}

static int write_rows(struct report *r)
{
	picture_begin(r);
	r->sink->rows += r->line_count;
	return r->is_timed ? svg_heat_write(r) : svg_bars_write(r);
}

static int write_stacks(struct report *r, struct folded *stacks, const struct report_stacks *about)
{
	const struct flame_text text = { .title = r->title,
					 .noun = report_noun(r),
					 .is_time = about->is_time,
					 .unit = about->unit,
					 .elapsed = report_elapsed(r) };

	picture_begin(r);
	return svg_flame_write(&r->picture, stacks, about->is_signed, &text);
}

const struct report_form report_form_svg = {
	.rows = write_rows,
	.stacks = write_stacks,
	.free = svg_heat_free,
};
