/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inside.h - @in(EXPR) in the expressions of all probes: what calls of which --in have to keep.
 */
#ifndef CORETAP_PROBE_INSIDE_H
#define CORETAP_PROBE_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"

struct argdump;
struct argdump_probe;

/* For one set (within.h). */
struct argdump_inside {
	char *texts[EXPR_INSIDE_MAX]; /* owned: each EXPR once */
	size_t count;
};

/* Once all options are there: looks for each @in( ). Returns 0 or -ENOMEM. */
int inside_find(struct argdump *a);
/* What a probe's program does with it, also one that marks. */
void inside_input(const struct argdump *a, const struct argdump_probe *p, struct expr_input *in);
/* Once the functions of all --in are found: the inputs of each set know each other. */
void inside_link(struct argdump *marks);
void inside_free(struct argdump *a);

#endif
