/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stmts.c - resolves statements: assignments, branches, loops.
 */
#include <string.h>

#include "script/resolve/resolve.h"

static void resolve_stmt(struct resolve *r, struct script_stmt *s);

void walk_stmts(struct resolve *r, struct script_stmt *first)
{
	for (struct script_stmt *s = first; s && !failed(r); s = s->next)
		resolve_stmt(r, s);
}

static void resolve_block(struct resolve *r, struct script_stmt *first)
{
	struct scope scope = scope_enter(r);

	r->scope = &scope;
	infer_stmts(r, first);
	scope_leave(r, &scope);
}

void walk_condition(struct resolve *r, struct script_expr *e)
{
	infer_expr(r, e);
	if (failed(r) || !type_is_known(r, e) || script_is_scalar(&e->type))
		return;
	if (e->type.kind == SCRIPT_STRING) { /* true if it is not empty */
		e->value = e->length > 0;
		return;
	}
	script_fail(r->c, e->span,
		    "a condition must be a number, a pointer or a bool, but this is %s",
		    type_text(r, &e->type));
}

/* ---- assignments ---- */

/* Treats `target oper= a` as `target = target oper a`. */
static const struct script_expr *compound(struct resolve *r, struct script_stmt *s,
					  struct script_expr *value)
{
	*value = (struct script_expr){
		.kind = X_BINARY,
		.span = s->span,
		.name_span = s->span,
		.oper = s->oper,
		.a = s->target,
		.b = s->a,
	};
	infer_operands(r, value);
	value->is_constant = false;
	return value;
}

static void resolve_target(struct resolve *r, struct script_stmt *s)
{
	if (s->target->kind == X_MAP)
		map_resolve_key(r, s->target);
	if (!s->oper || failed(r))
		return;
	if (s->target->kind == X_MAP)
		infer_map(r, s->target);
	else
		infer_var(r, s->target);
}

static void resolve_assign(struct resolve *r, struct script_stmt *s)
{
	const struct script_map *outer = r->assigned;
	const struct script_expr *value = s->a;
	struct script_expr both;

	resolve_target(r, s);
	if (failed(r))
		return;
	r->assigned = s->target->map;
	r->assigns_aggregate = s->target->kind == X_MAP && !s->oper ? s->a : NULL;
	infer_expr(r, s->a);
	if (s->oper && !failed(r))
		value = compound(r, s, &both);
	r->assigned = outer;
	if (failed(r))
		return;
	if (s->target->kind == X_MAP)
		map_assign(r, s->target, value);
	else
		var_assign(r, s->target, value);
}

static void resolve_let(struct resolve *r, struct script_stmt *s)
{
	if (s->a)
		infer_expr(r, s->a);
	if (!failed(r))
		var_let(r, s);
	if (s->a && !failed(r))
		var_assign(r, s->target, s->a);
}

/* ---- branches ---- */

/* Infers types without reporting errors. */
static void resolve_silently(struct resolve *r, struct script_stmt *first)
{
	struct script_error error = *r->c->error;

	resolve_block(r, first);
	if (r->c->err == -EINVAL) {
		r->c->err = 0;
		*r->c->error = error;
	}
}

/*
 * An excluded branch reports no errors. If the type of a variable is otherwise open, its assignments decide.
 */
static void resolve_excluded(struct resolve *r, struct script_stmt *first)
{
	if (r->is_open)
		resolve_silently(r, first);
}

static void resolve_if(struct resolve *r, struct script_stmt *s)
{
	infer_condition(r, s->a);
	if (failed(r))
		return;
	/* the type of a map, perhaps, that a branch assigns */
	if (s->a->type.kind == SCRIPT_NONE) {
		resolve_silently(r, s->body);
		resolve_silently(r, s->otherwise);
		return;
	}
	if (!s->a->is_constant || s->a->value)
		resolve_block(r, s->body);
	else
		resolve_excluded(r, s->body);
	if (!s->a->is_constant || !s->a->value)
		resolve_block(r, s->otherwise);
	else
		resolve_excluded(r, s->otherwise);
}

static void resolve_return(struct resolve *r, struct script_stmt *s)
{
	if (!s->a)
		return;
	infer_expr(r, s->a);
	if (failed(r) || !type_is_known(r, s->a) || s->a->type.kind == SCRIPT_INT)
		return;
	script_fail(r->c, s->a->span, "a probe returns an integer, but this is %s",
		    type_text(r, &s->a->type));
}

/* ---- loops ---- */

static void resolve_body(struct resolve *r, struct script_stmt *s)
{
	r->loops++;
	resolve_block(r, s->body);
	r->loops--;
}

static void resolve_while(struct resolve *r, struct script_stmt *s)
{
	infer_condition(r, s->a);
	resolve_body(r, s);
}

/* Resolves the body, with the variable that the loop sets. */
static void resolve_for(struct resolve *r, struct script_stmt *s, const struct script_type *type)
{
	struct scope scope = scope_enter(r);
	struct script_var *v = var_find(r, s->target->name);

	if (v && !failed(r)) {
		script_fail(r->c, s->target->span, "$%s exists already", var_name(r, v->name));
		script_hint(r->c, "the variable of a loop needs a name of its own");
	}
	r->scope = &scope;
	v = failed(r) ? NULL : var_declare(r, s->target, true);
	if (v) {
		s->target->var = v;
		var_set(r, v, type);
		s->target->type = v->type;
		resolve_body(r, s);
	}
	scope_leave(r, &scope);
}

static bool is_bound(struct resolve *r, struct script_expr *e)
{
	if (failed(r) || !type_is_known(r, e))
		return false;
	if (e->type.kind != SCRIPT_INT)
		script_fail(r->c, e->span, "a loop runs from one number to another, but this is %s",
			    type_text(r, &e->type));
	return !failed(r);
}

static void resolve_for_range(struct resolve *r, struct script_stmt *s)
{
	struct script_type type = {};

	infer_expr(r, s->a);
	if (!failed(r))
		infer_expr(r, s->b);
	if (is_bound(r, s->a) && is_bound(r, s->b) && !type_join(r, s->a, s->b, &type))
		type = script_int(8, s->a->type.is_signed);
	if (!failed(r))
		resolve_for(r, s, &type);
}

/* Returns the tuple (key, value) of an entry. */
static struct script_type entry_type(struct resolve *r, struct script_map *m)
{
	struct script_part *parts = script_alloc(r->c, 2 * sizeof(*parts));
	struct script_type entry = {};

	if (!parts || m->key.kind == SCRIPT_NONE || m->value.kind == SCRIPT_NONE)
		return entry;
	map_note_read(r, m);
	parts[0].type = m->key;
	parts[1].type = map_value_read(&m->value);
	script_tuple_layout(&entry, parts, 2);
	return entry;
}

static void resolve_for_map(struct resolve *r, struct script_stmt *s)
{
	struct script_map *m = map_itself(r, s->a, "for");
	struct script_type entry;

	if (!m)
		return;
	if (m->is_known && !m->has_key)
		script_fail(r->c, s->a->span, "@%s has no keys to iterate: it is one value",
			    m->name);
	else if (m->value.kind >= SCRIPT_STATS && m->value.kind <= SCRIPT_TSERIES)
		script_fail(r->c, s->a->span, "a loop cannot iterate a map of %s",
			    type_text(r, &m->value));
	entry = entry_type(r, m);
	if (!failed(r))
		resolve_for(r, s, &entry);
}

static void resolve_unroll(struct resolve *r, struct script_stmt *s)
{
	enum { UNROLL_MAX = 100 };

	infer_expr(r, s->a);
	if (failed(r) || !type_is_known(r, s->a))
		return;
	if (!expr_is_number(s->a))
		script_fail(r->c, s->a->span, "unroll needs a constant number");
	else if (s->a->value < 1)
		script_fail(r->c, s->a->span, "unroll needs at least one round");
	else if (s->a->value > UNROLL_MAX)
		script_fail(r->c, s->a->span, "unroll allows at most %d rounds", UNROLL_MAX);
	if (failed(r))
		script_hint(r->c, "use a loop for more: for ($i : 0..$n)");
	else
		resolve_body(r, s);
}

static void check_in_loop(struct resolve *r, const struct script_stmt *s)
{
	if (!r->loops)
		script_fail(r->c, s->span, "%s is outside of a loop",
			    s->kind == S_BREAK ? "break" : "continue");
}

static void resolve_discarded(struct resolve *r, struct script_expr *e)
{
	r->discarded = e;
	infer_expr(r, e);
	r->discarded = NULL;
	e->discards = true;
}

static void resolve_stmt(struct resolve *r, struct script_stmt *s)
{
	switch (s->kind) {
	case S_EXPR:
	case S_DISCARD: resolve_discarded(r, s->a); break;
	case S_ASSIGN: resolve_assign(r, s); break;
	case S_LET: resolve_let(r, s); break;
	case S_IF: resolve_if(r, s); break;
	case S_WHILE: resolve_while(r, s); break;
	case S_FOR_RANGE: resolve_for_range(r, s); break;
	case S_FOR_MAP: resolve_for_map(r, s); break;
	case S_UNROLL: resolve_unroll(r, s); break;
	case S_BREAK:
	case S_CONTINUE: check_in_loop(r, s); break;
	case S_RETURN: resolve_return(r, s); break;
	case S_BLOCK: resolve_block(r, s->body); break;
	}
}
