/* SPDX-License-Identifier: GPL-2.0-only */
/* node.c - what resolved nodes are, and their places in the text. */
#include "expr/ctype.h"
#include "expr/resolve/resolve.h"

bool node_is_user(const struct compile *c, const struct node *n)
{
	while (n->kind == NODE_MEMBER)
		n = n->child;
	if (n->kind != NODE_ARROW && n->kind != NODE_DEREF && n->kind != NODE_INDEX)
		return false;
	n = n->child;
	return ctype_is_array(c->in->btf, n->type) ? node_is_user(c, n) :
						     ctype_is_user(c->in->btf, n->type);
}

void node_spans_set(struct node *n, struct span span)
{
	if (!n)
		return;
	n->span = span;
	node_spans_set(n->child, span);
	node_spans_set(n->other, span);
	node_spans_set(n->third, span);
}

bool is_param(const struct node *n)
{
	return n->kind == NODE_NAME || (n->kind == NODE_BUILTIN && !n->builtin);
}
