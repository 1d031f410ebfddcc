/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inside.h - @in(EXPR) in the expressions of all probes: the values that calls of each --in must store.
 */
#ifndef CORETAP_PROBE_INSIDE_H
#define CORETAP_PROBE_INSIDE_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"

struct argdump;
struct argdump_probe;

/* The EXPRs of one set (within.h). */
struct argdump_inside {
	char *texts[EXPR_INSIDE_MAX]; /* owned: each EXPR once */
	size_t count;
};

/* Searches the expressions for @in( ), after all options are parsed. Returns 0 or -ENOMEM. */
int inside_find(struct argdump *a);
/* Sets what a probe's program does with @in( ), including one that marks calls. */
void inside_input(const struct argdump *a, const struct argdump_probe *p, struct expr_input *in);
/* Links the inputs of each set, after the functions of all --in are found. */
void inside_link(struct argdump *marks);
void inside_free(struct argdump *a);

#endif
