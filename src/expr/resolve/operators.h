/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * operators.h - for NODE_UNARY … NODE_CAST.
 */
#ifndef CORETAP_EXPR_RESOLVE_OPERATORS_H
#define CORETAP_EXPR_RESOLVE_OPERATORS_H

#include "expr/compile.h"

void resolve_unary(struct compile *c, struct node *n);
void resolve_binary(struct compile *c, struct node *n);
void resolve_logical(struct compile *c, struct node *n);
void resolve_choice(struct compile *c, struct node *n);
void resolve_cast(struct compile *c, struct node *n);

#endif
