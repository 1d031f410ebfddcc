/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inside.h - @in(EXPR): what a call of --in had at its entry.
 */
#ifndef CORETAP_EXPR_RESOLVE_INSIDE_H
#define CORETAP_EXPR_RESOLVE_INSIDE_H

#include "expr/compile.h"

/* Of a program that marks calls: a slot for each value that these keep. */
void inside_take(struct compile *c);
/* @in(EXPR) has the type that EXPR has in each of the functions. */
void resolve_inside(struct compile *c, struct node *n);

#endif
