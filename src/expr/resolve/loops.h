/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loops.h - part of resolve: @sum, @count, @any over a range or a list.
 */
#ifndef CORETAP_EXPR_RESOLVE_LOOPS_H
#define CORETAP_EXPR_RESOLVE_LOOPS_H

#include "expr/compile.h"

void resolve_loop(struct compile *c, struct node *n);
void resolve_list(struct compile *c, struct node *n);
/* Is the name that of the number which the loop around it counts? Then the node becomes it. */
bool round_take(struct compile *c, struct node *n);

#endif
