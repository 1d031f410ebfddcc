/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.h - for NODE_SYMBOL.
 */
#ifndef CORETAP_EXPR_RESOLVE_SYMBOLS_H
#define CORETAP_EXPR_RESOLVE_SYMBOLS_H

#include "expr/compile.h"

void resolve_symbol(struct compile *c, struct node *n);

#endif
