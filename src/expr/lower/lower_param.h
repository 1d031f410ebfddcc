/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_param.h - parameters listed in the input; $ret.
 */
#ifndef CORETAP_EXPR_LOWER_LOWER_PARAM_H
#define CORETAP_EXPR_LOWER_LOWER_PARAM_H

#include "expr/compile.h"

int plan_param(struct compile *c, const struct node *n);
int plan_ret(struct compile *c, const struct node *n);

#endif
