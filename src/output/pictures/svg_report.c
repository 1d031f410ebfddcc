/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg_report.c - a report as a picture: a flame graph of stacks, bars of histograms, a heat map of those
 * of several intervals.
 */
#include "output/rows/folded.h"
#include "output/rows/report.h"
#include "output/pictures/svg.h"
#include "output/pictures/svg_flame.h"
#include "output/pictures/svg_hist.h"
#include "output/field/value_number.h"

static void picture_begin(struct report *r)
{
	if (!r->picture.data)
		buf_init(&r->picture, -1);
	r->picture.len = 0;
}

static int put_rows(struct report *r)
{
	picture_begin(r);
	r->sink->rows += r->line_count;
	return r->is_timed ? svg_heat_put(r) : svg_bars_put(r);
}

static int put_stacks(struct report *r, struct folded *stacks, const struct report_stacks *about)
{
	const struct flame_text text = { .title = r->title,
					 .noun = report_noun(r),
					 .is_time = about->is_time,
					 .unit = about->unit,
					 .elapsed = report_elapsed(r) };

	picture_begin(r);
	return svg_flame_put(&r->picture, stacks, about->is_signed, &text);
}

const struct report_form report_form_svg = {
	.rows = put_rows,
	.stacks = put_stacks,
	.free = svg_heat_free,
};
