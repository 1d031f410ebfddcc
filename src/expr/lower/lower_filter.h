/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_filter.h - conditions.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_FILTER_H
#define CORETAP_EXPR_LOWER_LOWER_FILTER_H

#include "expr/compile.h"

void plan_condition(struct compile *c, const struct node *n);

#endif
