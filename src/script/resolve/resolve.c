/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve.c - runs over one probe until the types of its variables are known.
 */
#include "script/resolve/resolve.h"

enum { RUNS_MAX = 64 }; /* types grow in each run; only nested tuples need more than a few */

/* ---- a run ---- */

static void resolve_once(struct resolve *r)
{
	struct scope scope = scope_enter(r);

	for (struct script_var *v = r->c->vars; v; v = v->next)
		v->is_seen = false;
	r->scope = &scope;
	r->grew = false;
	if (r->probe->condition)
		infer_condition(r, r->probe->condition);
	infer_stmts(r, r->probe->body);
	scope_leave(r, &scope);
}

/* Drops variables of earlier runs that were merged with another. */
static void vars_drop(struct script_state *c)
{
	for (struct script_var **v = &c->vars; *v;) {
		if ((*v)->is_seen)
			v = &(*v)->next;
		else
			*v = (*v)->next;
	}
}

static bool is_any_open(const struct script_state *c)
{
	for (const struct script_var *v = c->vars; v; v = v->next) {
		if (v->is_seen && v->type.kind == SCRIPT_NONE)
			return true;
	}
	return false;
}

static void resolve_until_settled(struct resolve *r)
{
	for (int i = 0; i < RUNS_MAX && !failed(r); i++) {
		resolve_once(r);
		if (!r->grew)
			break;
	}
}

/* Repeats until no type grows. The last run of all reports unknown types. */
static void resolve_runs(struct resolve *r)
{
	bool is_final = r->c->is_final;

	r->c->is_final = false;
	resolve_until_settled(r);
	if (!failed(r) && is_any_open(r->c)) {
		r->is_open = true;
		resolve_once(r);
		r->is_open = false;
		resolve_until_settled(r);
	}
	r->c->is_final = is_final;
	if (is_final && !failed(r))
		resolve_once(r);
	vars_drop(r->c);
}

static const struct resolve_walk walk = {
	.expr = walk_expr,
	.items = walk_items,
	.place = walk_place,
	.index = walk_index,
	.stmts = walk_stmts,
	.condition = walk_condition,
	.func = walk_func,
};

void script_resolve(struct script_state *c, const struct script_probe *probe)
{
	struct resolve r = { .c = c, .probe = probe, .in = c->point->in, .walk = &walk };

	c->vars = NULL;
	c->btf = script_view(c, r.in->btf);
	if (!c->err)
		resolve_runs(&r);
}
