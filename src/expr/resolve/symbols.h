/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * symbols.h - for NODE_SYMBOL.
 */
#ifndef CORETAP_EXPR_RESOLVE_SYMBOLS_H
#define CORETAP_EXPR_RESOLVE_SYMBOLS_H

#include "expr/compile.h"

/* The BTF id of a per-CPU variable that a program can have; 0: there is none. */
uint32_t symbol_variable(const struct compile *c, const char *name);

/* Is its type unknown? It is taken for a word then … */
bool symbol_is_untyped(const struct compile *c, const struct node *n);
/* … or for an array of words: their address. */
struct node *symbol_words(struct compile *c, struct node *n);
/* Adds to an error how it gets a type. */
void symbol_hint(struct compile *c, const struct node *n);
void resolve_symbol(struct compile *c, struct node *n);

#endif
