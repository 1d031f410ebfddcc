/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.h - types and constants by name.
 */
#ifndef CORETAP_EXPR_RESOLVE_TYPES_H
#define CORETAP_EXPR_RESOLVE_TYPES_H

#include "expr/compile.h"

bool type_is_name(struct compile *c, struct span name); /* is there a typedef of that name? */
struct ctype resolve_type_name(struct compile *c, const struct type_name *t);
/* The BTF id of an enum with that constant; 0: there is none. */
uint32_t enum_with_constant(struct compile *c, struct span name);
bool enum_constant_find(struct compile *c, struct span name, struct node *n);
void resolve_sizeof(struct compile *c, struct node *n);
void resolve_container(struct compile *c, struct node *n);

#endif
