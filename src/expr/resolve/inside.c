/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inside.c - @in(EXPR): what a call of --in had at its entry.
 *
 * The programs that mark the calls evaluate EXPR, a slot each, and keep the numbers (emit_inside.c). Here it is
 * a number whose type those programs know; which one it is, its text tells.
 */
#include "expr/resolve/resolve.h"

#include <string.h>


void inside_take(struct compile *c)
{
	for (size_t i = 0; i < c->in->count && !c->err; i++) {
		struct slot *s = &c->p->slots[c->p->slot_count];

		slot_add(c, c->in->texts[i]);
		s->role = SLOT_INSIDE;
		s->input = i;
	}
}

/* The number of the text among those that the calls keep. */
static int64_t number_of(struct compile *c, const struct node *n)
{
	const char *text = c->slot->text + n->name.start;
	size_t len = n->name.end - n->name.start;

	for (size_t i = 0; i < c->in->inside_count; i++)
		if (strlen(c->in->inside[i]) == len && !memcmp(c->in->inside[i], text, len))
			return i;
	compile_fail(c, n->name, "at most %d values are kept of a call", EXPR_INSIDE_MAX);
	return 0;
}

/* What it is in one of the functions, as C declares it. */
static void type_take(struct compile *c, struct node *n, const struct expr_input *of,
		      char declared[DECLARATION_MAX])
{
	struct outside was = compile_inside(c, of);

	resolve_node(c, n->child);
	if (!c->err)
		pair_number_check(c, n->child, "what @in( ) keeps");
	if (!c->err)
		resolve_declared(c, n->child->type, declared);
	compile_outside(c, &was);
}

/* Types of a module are not known elsewhere by their numbers. */
static void type_check(struct compile *c, const struct node *n, const char *declared)
{
	char here[DECLARATION_MAX];

	if (c->err || !strcmp(resolve_declared(c, n->child->type, here), declared))
		return;
	compile_fail(c, n->name, "the probe does not know the type (%s)", declared);
	compile_hint(c, "a cast names one that it knows: @in((struct sock *)EXPR), @in((u64)EXPR)");
}

void resolve_inside(struct compile *c, struct node *n)
{
	const struct expr_input *of = c->in->inside_of;
	char first[DECLARATION_MAX] = "", next[DECLARATION_MAX] = "";

	n->number = number_of(c, n);
	if (c->err)
		return;
	type_take(c, n, of, first);
	type_check(c, n, first);
	for (struct node *other = n->other; other && !c->err; other = other->other) {
		of = of->inside_next;
		type_take(c, other, of, next);
		if (c->err || !strcmp(first, next))
			continue;
		compile_fail(c, n->name, "this is %s in one function of --in, in another %s", first,
			     next);
		compile_hint(c, "a cast makes them the same: @in((long)EXPR)");
	}
	if (c->err)
		return;
	n->type = n->child->type;
	n->place = CATEGORY_RVALUE;
}
