/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg.h - parts of a picture as SVG text: the document with its script, boxes, texts, colors.
 *
 * Texts are what traced programs chose: everything that is written is escaped, first as for a terminal
 * (util/escape.h), then for XML. Lengths are in pixels.
 */
#ifndef CORETAP_OUTPUT_PICTURES_SVG_H
#define CORETAP_OUTPUT_PICTURES_SVG_H

#include "util/buf.h"

enum { SVG_WIDTH = 1200, SVG_MARGIN = 10, SVG_LINE = 18, SVG_TOP = 64 };
#define SVG_CHAR 7.3 /* the width of a character */

/* The start of a document, with its title and a line below. `script`: it can be searched and zoomed. */
void svg_begin(struct buf *o, unsigned height, const char *title, const char *subtitle,
	       bool script);
void svg_end(struct buf *o);

/* Escaped for XML. The text is printable (escape_put), or … */
void svg_put_text(struct buf *o, const char *s, size_t n);
/* … any bytes. */
void svg_put_foreign(struct buf *o, const char *s);

/* <g><title>; the caller writes what a pointer above it shows, escaped, and then: */
void svg_box_begin(struct buf *o);
void svg_box(struct buf *o, double x, double y, double width, double height, uint32_t rgb);
/* </g> */
void svg_box_end(struct buf *o);
/* <text …>; the caller writes the text, and </text>\n. `anchor`: start, middle or end. */
void svg_text_begin(struct buf *o, double x, double y, const char *anchor);
#define SVG_TEXT_END "</text>\n"

/* 1,234,567 */
void svg_put_count(struct buf *o, uint64_t n);
/* 12.34% */
void svg_put_share(struct buf *o, double part, double whole);

/* Hue 0 to 359, the others 0 to 100. */
uint32_t svg_hsl(unsigned hue, unsigned saturation, unsigned light);
/* The same for the same name, with a hue in [first, last]. */
uint32_t svg_color_of_name(const char *name, size_t n, unsigned first, unsigned last);

extern const char svg_script[]; /* svg_script.c */

#endif
