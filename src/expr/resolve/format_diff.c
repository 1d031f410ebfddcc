/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_diff.c - --diff: which value of an expression is compared, before it gets a format.
 */
#include "expr/resolve/format.h"

#include "expr/ctype.h"

/* A pointer stands for what it points to, unless it has a format. */
static void node_follow(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct node *n = s->root, *deref;

	if (s->format.span.end || !ctype_is_pointer(b, n->type) ||
	    ctype_is_char(b, ctype_target(b, n->type)) || !ctype_size(b, ctype_target(b, n->type)))
		return;
	deref = compile_alloc(c, sizeof(*deref));
	if (!deref)
		return;
	*deref = (struct node){ .kind = NODE_DEREF,
				.span = n->span,
				.child = n,
				.type = ctype_target(b, n->type),
				.place = CATEGORY_LVALUE };
	s->root = deref;
}

/* Sets what must hold even after the same text is resolved again. */
void diff_format(struct compile *c, struct slot *s)
{
	if (s->ret.end)
		compile_fail(c, s->ret, "--diff looks at both ends by itself");
	else if (s->at_return && s->diff != DIFF_AFTER)
		compile_fail(c, s->root->span, "it is not there yet when the function begins");
	else
		node_follow(c, s);
	s->at_return = s->diff == DIFF_AFTER;
}
