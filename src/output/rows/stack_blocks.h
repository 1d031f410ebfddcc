/* SPDX-License-Identifier: GPL-2.0-only */
/* stack_blocks.h - counted stacks for people: a block for each, the largest last. */
#ifndef CORETAP_OUTPUT_ROWS_STACK_BLOCKS_H
#define CORETAP_OUTPUT_ROWS_STACK_BLOCKS_H

#include "output/rows/folded.h"
#include "output/rows/report.h"

/* Writes each stack from the innermost frame to the key, one below the other, then its weight and how much that is of
 * all. With `down`, for a screen, the largest is the first, and its weight is above it. Returns the number of stacks, or
 * -ENOMEM. Nothing can be added afterwards. */
int stack_blocks_write(struct folded *f, struct buf *o, const struct report_stacks *about,
		       bool down);

#endif
