/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg_hist.h - a report's histograms as a picture: bars; of a report each interval, a heat map.
 */
#ifndef CORETAP_OUTPUT_PICTURES_SVG_HIST_H
#define CORETAP_OUTPUT_PICTURES_SVG_HIST_H

#include "output/rows/report.h"

/* The start of the picture: its title, what was counted and for how long. */
void report_svg_begin(struct report *r, unsigned height);
/* Draws into r->picture. 0 or -errno. */
int svg_bars_put(struct report *r);
/* Adds the report to r->state as the next column of its heat map, and draws that. */
int svg_heat_put(struct report *r);
void svg_heat_free(struct report *r);

#endif
