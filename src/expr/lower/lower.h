/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower.h - nodes → values; each function returns the value, or -1 on error.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_H
#define CORETAP_EXPR_LOWER_LOWER_H

#include "expr/compile.h"

void expr_plan(struct compile *c, struct slot *s);
/* The same for all slots of a pair, in the order in which its programs evaluate them. */
void expr_plan_pair(struct compile *c);
/* The value as memory or the register holds it: of a small integer only its own bytes are valid. */
int plan_value_of(struct compile *c, const struct node *n);
/* Sets mode and pointee of a value in a trampoline's context: an argument or the return value. */
void argument_load_mode(struct compile *c, struct vreg *v, uint32_t type);

#endif
