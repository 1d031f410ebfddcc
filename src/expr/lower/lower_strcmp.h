/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_strcmp.h - comparisons of strings → values.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_STRCMP_H
#define CORETAP_EXPR_LOWER_LOWER_STRCMP_H

#include "expr/compile.h"

int plan_text(struct compile *c, const struct node *n);

#endif
