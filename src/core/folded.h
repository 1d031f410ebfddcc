/* SPDX-License-Identifier: GPL-2.0 */
/*
 * folded.h - records counted by their stacks, in the lines that flame graph scripts read:
 * comm;user frames;kernel frames COUNT, each stack from the outermost frame to the innermost.
 */
#ifndef CORETAP_FOLDED_H
#define CORETAP_FOLDED_H

#include "core/schema.h"

/* NULL: no memory. */
struct folded *folded_new(void);
void folded_free(struct folded *f);
/* Counts a record by all stacks that its schema has: 0, -EBADMSG or -ENOMEM. */
int folded_add(struct folded *f, const struct schema *schema, const void *record, size_t size);
/* All lines, sorted. Nothing can be added afterwards. */
void folded_put(struct folded *f, struct out *o);

#endif
