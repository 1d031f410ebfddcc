/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vars.c - finds variables that loops change.
 *
 * The verifier follows a callback again as long as its values differ from those of the previous round. It does not
 * track scratch memory, so a variable that a callback changes is placed there. It must track the variable that ends a
 * plain loop.
 */
#include "script/emit/gen.h"

struct assigned {
	const struct sgen *g;
	const struct script_var *v;
	bool in_callback, in_plain; /* where changes were found … */
	bool is_callback, is_plain; /* … and where the walk is now */
};

bool by_kernel(const struct sgen *g, const struct script_stmt *s)
{
	bool is_short = s->a->is_constant && s->b->is_constant &&
			s->b->value - s->a->value <= ROUNDS_PLAIN;

	return g->c->world->has_loop && !is_short;
}

static void assigned_note(struct assigned *a, const struct script_expr *target)
{
	if (!target || target->kind != X_VAR || target->var != a->v)
		return;
	a->in_callback |= a->is_callback;
	a->in_plain |= a->is_plain;
}

static void assigned_walk(struct assigned *a, struct script_stmt *first);

static void assigned_step(struct script_expr *e, void *ctx)
{
	if (e->kind == X_BLOCK)
		assigned_walk(ctx, e->body);
	if (e->kind == X_STEP)
		assigned_note(ctx, e->a);
	if (e->kind == X_CALL && e->func == FUNC_FIND)
		assigned_note(ctx, e->items[2]);
}

static void assigned_stmt(struct assigned *a, struct script_stmt *s)
{
	struct assigned was = *a;

	if (s->kind == S_ASSIGN || s->kind == S_LET)
		assigned_note(a, s->target);
	a->is_plain |= s->kind == S_WHILE || (s->kind == S_FOR_RANGE && !by_kernel(a->g, s));
	a->is_callback |= s->kind == S_FOR_MAP || (s->kind == S_FOR_RANGE && by_kernel(a->g, s));
	script_walk(s->a, assigned_step, a);
	script_walk(s->b, assigned_step, a);
	assigned_walk(a, s->body);
	a->is_plain = was.is_plain;
	a->is_callback = was.is_callback;
	assigned_walk(a, s->otherwise);
}

static void assigned_walk(struct assigned *a, struct script_stmt *first)
{
	for (struct script_stmt *s = first; s; s = s->next)
		assigned_stmt(a, s);
}

bool var_is_unknown(const struct sgen *g, const struct script_var *v)
{
	struct assigned a = { .g = g, .v = v };

	if (!g->known.callbacks)
		return false;
	assigned_walk(&a, g->probe->body);
	return a.in_callback && !a.in_plain;
}
