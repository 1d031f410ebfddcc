/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve.h - the meaning of nodes in this kernel.
 */
#ifndef CORETAP_EXPR_RESOLVE_RESOLVE_H
#define CORETAP_EXPR_RESOLVE_RESOLVE_H

#include "btf/btf.h"
#include "expr/compile.h"

void expr_resolve(struct compile *c, struct slot *s);
/* Resolves a node and everything below it; an error is in c->err. */
void resolve_node(struct compile *c, struct node *n);
enum { DECLARATION_MAX = 160 };
/* The type as declared in C, for messages. */
const char *resolve_declared(struct compile *c, struct ctype t, char buf[DECLARATION_MAX]);
/* Finds the member named by n->name in the text, or sets an error with the nearest name. */
bool resolve_member_find(struct compile *c, struct node *n, struct ctype outer,
			 struct btf_found *found);

#endif
