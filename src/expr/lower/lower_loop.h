/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_loop.h - loops → steps that go back.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_LOOP_H
#define CORETAP_EXPR_LOWER_LOWER_LOOP_H

#include "expr/compile.h"

int plan_loop(struct compile *c, const struct node *n);
/* The current element of the list. */
int plan_element(struct compile *c, const struct node *n);

#endif
