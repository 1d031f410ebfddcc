/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.h - for NODE_NAME and NODE_BUILTIN.
 */
#ifndef CORETAP_EXPR_RESOLVE_NAMES_H
#define CORETAP_EXPR_RESOLVE_NAMES_H

#include "expr/compile.h"

void resolve_name(struct compile *c, struct node *n);
void resolve_builtin(struct compile *c, struct node *n);

#endif
