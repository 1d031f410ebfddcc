/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * builtin_ret.h - $ret, $lat and $depth.
 */
#ifndef CORETAP_EXPR_RESOLVE_BUILTIN_RET_H
#define CORETAP_EXPR_RESOLVE_BUILTIN_RET_H

#include "expr/compile.h"

void resolve_ret(struct compile *c, struct node *n);
bool function_returns(struct compile *c); /* does it return a value? */
void resolve_lat(struct compile *c, struct node *n);
void resolve_depth(struct compile *c, struct node *n);
void format_ret(struct slot *s);
/* no expression names $ret, $lat or @ret */
bool slots_at_return_wanted(const struct expr_input *in);

#endif
