/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * svg_flame.h - stacks as a flame graph: a box for each function, on top of the one that called it, as
 * wide as its share of the whole.
 */
#ifndef CORETAP_OUTPUT_PICTURES_SVG_FLAME_H
#define CORETAP_OUTPUT_PICTURES_SVG_FLAME_H

#include "output/rows/folded.h"

struct flame_text {
	const char *title;
	const char *noun; /* what is counted */
	bool is_time;	  /* the weights are ns: of tasks that wait */
	const char *unit; /* what the weights are, if not so many of the noun; NULL: they are */
	uint64_t elapsed; /* ns; 0: not known */
};

/* Draws the lines, as folded_put writes them, into `o`. Nothing can be added
 * afterwards. Returns 0 or -ENOMEM. */
int svg_flame_put(struct buf *o, struct folded *f, bool is_signed, const struct flame_text *text);

#endif
