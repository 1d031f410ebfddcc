/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folded.h - counts records by their stacks and writes the lines that flame graph scripts read:
 * comm;user frames;kernel frames COUNT, each stack from the outermost frame to the innermost.
 */
#ifndef CORETAP_OUTPUT_FOLDED_H
#define CORETAP_OUTPUT_FOLDED_H

#include "output/record.h"

/* NULL: out of memory. */
struct folded *folded_new(void);
void folded_free(struct folded *f);
/* Counts a record by all stacks in its schema: 0, -EBADMSG or -ENOMEM. */
int folded_add(struct folded *f, const struct schema *schema, const void *record, size_t size);
/* Writes all lines, sorted. Nothing can be added afterwards. */
void folded_put(struct folded *f, struct buf *o);

#endif
