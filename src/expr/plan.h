/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan.h - what plan.c, value.c and way.c share.
 */
#ifndef CORETAP_EXPR_PLAN_H
#define CORETAP_EXPR_PLAN_H

#include "expr/compiler.h"

/* The index of a value like `v`, which is made when there is none; -1 on error. */
int value_make(struct compile *c, struct plan_value v);
/* Appends to the slot's steps; returns `value`, or -1 on error. */
int step_add(struct compile *c, int value, int link);
/* The number of a new link that is called what the text has there; -1 on error. */
int link_add(struct compile *c, struct span span);

/* Fills way, cast_* and pointee of a LOAD or BYTES whose base exists. `user`: the pointer is tagged
 * __user; `as_number`: the value will be computed with, so the verifier must not see a pointer. */
void choose_way(struct compile *c, struct plan_value *v, bool user, bool as_number);

#endif
