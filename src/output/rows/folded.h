/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folded.h - rows as the lines that flame graph scripts read: KEY;…;frames WEIGHT, each stack from the outermost
 * frame to the innermost. Rows that look the same are added up.
 */
#ifndef CORETAP_OUTPUT_ROWS_FOLDED_H
#define CORETAP_OUTPUT_ROWS_FOLDED_H

#include "output/field/record.h"

/* Returns NULL if out of memory. */
struct folded *folded_new(void);
void folded_free(struct folded *f);
/* Adds a row: its key, with all fields of the schema in order. Returns 0, -EBADMSG or -ENOMEM. */
int folded_add(struct folded *f, const struct schema *schema, const void *key, size_t size,
	       uint64_t weight);
/* Sorts the lines, and returns how many there are. Nothing can be added afterwards. */
size_t folded_sort(struct folded *f);
struct folded_line {
	const char *text; /* owned by the folded stacks */
	uint64_t weight;
};
/* Returns line i; call folded_sort first. */
struct folded_line folded_line(const struct folded *f, size_t i);
/* Returns all lines, the smallest weight first, those of one weight by their texts; the caller frees the array. NULL:
 * out of memory. Nothing can be added afterwards. */
struct folded_line *folded_by_weight(struct folded *f, bool is_signed, size_t *count);
/* Writes all lines, sorted, and returns how many. Nothing can be added afterwards. */
size_t folded_write(struct folded *f, struct buf *o, bool is_signed);

#endif
