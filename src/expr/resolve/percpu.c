/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * percpu.c - percpu(EXPR): this CPU's copy of what a per-CPU pointer points to. It has the type of EXPR.
 *
 * Part of resolve. Such a pointer is an offset that is the same for all CPUs; each CPU adds its own. That
 * is in a per-CPU variable on x86-64, and in a table everywhere.
 */
#include "expr/resolve/resolve.h"

#include <stdio.h>

#include "expr/ctype.h"
#include "expr/syntax/syntax.h"

static const char *offset_text(const struct compile *c)
{
	if (symbol_variable(c, "this_cpu_off"))
		return "@this_cpu_off";
	return "*(u64 *)((u64)&@__per_cpu_offset + 8 * $cpu)";
}

static struct node *offset_make(struct compile *c, const struct node *n)
{
	struct node *offset = parse_inner(c, offset_text(c));

	if (!c->err)
		resolve_node(c, offset);
	if (c->err != -EINVAL) /* it is about a text that the user did not write */
		return offset;
	c->error->start = n->span.start;
	c->error->end = n->span.end;
	snprintf(c->error->message, sizeof(c->error->message),
		 "where this kernel keeps its CPUs' memory is not known");
	return NULL;
}

/* Makes a node for the same text as `like`. */
static struct node *node_like(struct compile *c, const struct node *like, enum node_kind kind,
			      struct ctype type, struct node *child)
{
	struct node *n = compile_alloc(c, sizeof(*n));

	if (!n)
		return NULL;
	n->kind = kind;
	n->span = like->span;
	n->child = child;
	n->type = type;
	n->place = CATEGORY_RVALUE;
	return n;
}

/* Is it the address of a variable whose type says that it is per-CPU? That is this CPU's already, whatever
 * a cast makes of it, which older kernels without such types need. */
static bool is_this_cpu(const struct node *n)
{
	while (n->kind == NODE_CAST)
		n = n->child;
	return n->kind == NODE_ADDRESS && n->child->kind == NODE_SYMBOL && n->child->percpu;
}

void resolve_percpu(struct compile *c, struct node *n)
{
	struct ctype word = ctype_int(8, false), type = n->child->type;
	struct node *sum, *offset;
	char text[DECLARATION_MAX];

	if (!ctype_is_pointer(c->in->btf, type) && !ctype_is_integer(c->in->btf, type)) {
		compile_fail(c, n->child->span, "percpu needs a pointer, this is %s",
			     resolve_declared(c, type, text));
		return;
	}
	if (is_this_cpu(n->child)) {
		*n = *n->child;
		return;
	}
	offset = offset_make(c, n);
	sum = node_like(c, n, NODE_BINARY, word, node_like(c, n, NODE_CAST, word, n->child));
	if (!offset || !sum || !sum->child)
		return;
	sum->oper = OPER_ADD;
	sum->other = offset;
	n->kind = NODE_CAST;
	n->child = sum;
	n->type = ctype_is_pointer(c->in->btf, type) ? type : word;
	n->place = CATEGORY_RVALUE;
}
