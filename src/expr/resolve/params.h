/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.h - the parameters that may be named, and $argN.
 */
#ifndef CORETAP_EXPR_RESOLVE_PARAMS_H
#define CORETAP_EXPR_RESOLVE_PARAMS_H

#include "expr/compile.h"

unsigned param_count(const struct compile *c);
const char *param_name(const struct compile *c, unsigned i);
bool param_is_showable(struct compile *c, unsigned i); /* without a format */
/* Is it that of a function without a prototype: the word in an argument register? */
bool param_is_register(struct compile *c, unsigned i);
int param_find(struct compile *c, struct span span); /* -1: none */
void param_take(struct compile *c, struct node *n, unsigned i);
/* An array in an event's record, whose value is its address: the number of bytes; 0: n is none. */
unsigned param_array_size(const struct compile *c, const struct node *n);
bool name_is_param(struct compile *c, struct span name);

#endif
