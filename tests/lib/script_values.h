/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * script_values.h - random programs in bpftrace's language whose values are known: numbers of all widths and signs,
 * strings, tuples, maps, branches and loops. While a program is written, it is also computed, in plain C.
 *
 * Arithmetic is as bpftrace has it: in 64 bits, with divisions and shifts to the right of unsigned numbers, 1 for what is
 * divided by 0.
 */
#ifndef CORETAP_SCRIPT_VALUES_H
#define CORETAP_SCRIPT_VALUES_H

#include <stdbool.h>

#include "chance.h"
#include "script/script.h"
#include "util/buf.h"

enum { VALUES_MAX = 48, VALUE_TEXT = 128 };

/* What a record has: printf("%d %s", number, text). */
struct script_value {
	uint64_t number;
	char text[VALUE_TEXT];
};

struct script_values {
	struct buf text; /* the program; owned */
	struct script_value wanted[VALUES_MAX];
	size_t count, seen;
	char trouble[512]; /* the first difference */
};

/* Programs of 5.10 have no loops over maps. */
void script_values_make(struct chance *c, struct script_values *v);
void script_values_free(struct script_values *v);
/* Compares the next record. */
void script_values_see(struct script_values *v, const struct script *s, const void *record,
		       size_t size);
/* NULL: all values were right. */
const char *script_values_trouble(struct script_values *v);

#endif
