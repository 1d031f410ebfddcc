/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg.h - parts of a picture as SVG text: the document with its script, boxes, texts, colors.
 *
 * Texts are what traced programs chose: everything that is written is escaped, first as for a terminal
 * (util/escape.h), then for XML. Lengths are in pixels.
 */
#ifndef CORETAP_OUTPUT_PICTURES_SVG_H
#define CORETAP_OUTPUT_PICTURES_SVG_H

#include "output/rows/folded.h"
#include "output/rows/report.h"
#include "util/buf.h"

enum { SVG_WIDTH = 1200, SVG_MARGIN = 10, SVG_LINE = 18, SVG_TOP = 64 };
#define SVG_CHAR 7.3 /* the width of a character */

/* The start of a document, with its title and a line below. `script`: it can be searched and zoomed. */
void svg_begin(struct buf *o, unsigned height, const char *title, const char *subtitle,
	       bool script);
void svg_end(struct buf *o);

/* Escaped for XML. The text is printable (escape_write), or … */
void svg_write_text(struct buf *o, const char *s, size_t n);
/* … any bytes. */
void svg_write_foreign(struct buf *o, const char *s);

/* <g><title>; the caller writes what a pointer above it shows, escaped, and then: */
void svg_box_begin(struct buf *o);
void svg_box(struct buf *o, double x, double y, double width, double height, uint32_t rgb);
/* </g> */
void svg_box_end(struct buf *o);
/* <text …>; the caller writes the text, and </text>\n. `anchor`: start, middle or end. */
void svg_text_begin(struct buf *o, double x, double y, const char *anchor);
#define SVG_TEXT_END "</text>\n"

/* 1,234,567 */
void svg_write_count(struct buf *o, uint64_t n);
/* 12.34% */
void svg_write_share(struct buf *o, double part, double whole);

/* Hue 0 to 359, the others 0 to 100. */
uint32_t svg_hsl(unsigned hue, unsigned saturation, unsigned light);
/* The same for the same name, with a hue in [first, last]. */
uint32_t svg_color_of_name(const char *name, size_t n, unsigned first, unsigned last);

/*
 * Stacks as a flame graph: a box for each function, on top of the one that called it, as
 * wide as its share of the whole.
 */

struct flame_text {
	const char *title;
	const char *noun; /* what is counted */
	bool is_time;	  /* the weights are ns: of tasks that wait */
	const char *unit; /* what the weights are, if not so many of the noun; NULL: they are */
	uint64_t elapsed; /* ns; 0: not known */
};

/* Draws the lines, as folded_put writes them, into `o`. Nothing can be added
 * afterwards. Returns 0 or -ENOMEM. */
int svg_flame_write(struct buf *o, struct folded *f, bool is_signed, const struct flame_text *text);

/* A report's histograms as a picture: bars; of a report each interval, a heat map. */

/* The start of the picture: its title, what was counted and for how long. */
void report_svg_begin(struct report *r, unsigned height);
/* Adds the report to r->state as the next column of its heat map, and draws that. */
int svg_heat_write(struct report *r);
void svg_heat_free(struct report *r);

#endif
