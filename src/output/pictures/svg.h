/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg.h - writes parts of a picture as SVG text: the document with its script, boxes, texts, colors.
 *
 * Texts come from traced programs: everything that is written is escaped, first as for a terminal (util/escape.h),
 * then for XML. Lengths are in pixels.
 */
#ifndef CORETAP_OUTPUT_PICTURES_SVG_H
#define CORETAP_OUTPUT_PICTURES_SVG_H

#include "output/rows/folded.h"
#include "output/rows/report.h"
#include "util/buf.h"

enum { SVG_WIDTH = 1200, SVG_MARGIN = 10, SVG_LINE = 18, SVG_TOP = 64 };
#define SVG_CHAR 7.3 /* the width of a character */

/* Writes the start of a document, with its title and a subtitle. `script`: it can be searched and zoomed. */
void svg_begin(struct buf *o, unsigned height, const char *title, const char *subtitle,
	       bool script);
void svg_end(struct buf *o);

/* Writes text escaped for XML. It must be printable (escape_write). */
void svg_write_text(struct buf *o, const char *s, size_t n);
/* The same for any bytes. */
void svg_write_foreign(struct buf *o, const char *s);

/* Begins <g><title>. The caller writes the escaped text that a pointer above the box shows, then the shapes. */
void svg_box_begin(struct buf *o);
void svg_box(struct buf *o, double x, double y, double width, double height, uint32_t rgb);
/* </g> */
void svg_box_end(struct buf *o);
/* Begins <text …>. The caller writes the text, and "</text>\n". `anchor`: start, middle or end. */
void svg_text_begin(struct buf *o, double x, double y, const char *anchor);
#define SVG_TEXT_END "</text>\n"

/* Writes 1,234,567. */
void svg_write_count(struct buf *o, uint64_t n);
/* Writes 12.34%. */
void svg_write_share(struct buf *o, double part, double whole);

/* Converts a color; hue is 0 to 359, the others 0 to 100. */
uint32_t svg_hsl(unsigned hue, unsigned saturation, unsigned light);
/* Returns the same color for the same name, with a hue in [first, last]. */
uint32_t svg_color_of_name(const char *name, size_t n, unsigned first, unsigned last);

/*
 * Stacks as a flame graph: a box for each function, on top of its caller, as wide as its share of the whole.
 */

struct flame_text {
	const char *title;
	const char *noun; /* what is counted */
	bool is_time;	  /* the weights are ns that tasks waited */
	const char *unit; /* the unit of the weights; NULL: they count the noun */
	uint64_t elapsed; /* duration in ns; 0: unknown */
};

/* Draws the lines, as folded_write writes them, into `o`. Nothing can be added afterwards. Returns 0 or -ENOMEM. */
int svg_flame_write(struct buf *o, struct folded *f, bool is_signed, const struct flame_text *text);

/* A report's histograms as a picture: bars or, for a report each interval, a heat map. */

/* Writes the start of the picture: its title, what was counted and for how long. */
void report_svg_begin(struct report *r, unsigned height);
/* Adds the report to r->state as the next column of its heat map, and draws the heat map. */
int svg_heat_write(struct report *r);
void svg_heat_free(struct report *r);

#endif
