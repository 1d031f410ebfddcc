/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_diff.h - the memory that --diff compares.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_DIFF_H
#define CORETAP_EXPR_LOWER_LOWER_DIFF_H

#include "expr/lower/lvalue.h"

int diff_plan_place(struct compile *c, struct slot *s);
struct place diff_place(struct compile *c, const struct slot *s);

#endif
