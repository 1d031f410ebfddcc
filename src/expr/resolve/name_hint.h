/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * name_hint.h - what to do about a name that is neither a parameter nor a constant.
 */
#ifndef CORETAP_EXPR_RESOLVE_NAME_HINT_H
#define CORETAP_EXPR_RESOLVE_NAME_HINT_H

#include "expr/compile.h"

/* Adds a hint to the error about that name; false: nothing but the parameters can be suggested. */
bool name_hint(struct compile *c, struct node *n);

#endif
