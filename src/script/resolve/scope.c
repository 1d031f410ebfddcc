/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scope.c - variables: visible from the first assignment or let to the end of the block.
 *
 * Each run finds the same variables again by the location of their first assignment, so that their types grow.
 */
#include <string.h>

#include "script/resolve/resolve.h"
#include "util/suggest.h"

struct scope scope_enter(struct resolve *r)
{
	return (struct scope){ .outer = r->scope };
}

void scope_leave(struct resolve *r, const struct scope *scope)
{
	r->scope = scope->outer;
}

/* Returns the name as the program has it: a variable of a macro or function has a number, $x#1. */
const char *var_name(struct resolve *r, const char *name)
{
	return script_print(r->c, "%.*s", (int)strcspn(name, "#"), name) ?: "";
}

struct script_var *var_find(const struct resolve *r, const char *name)
{
	for (const struct scope *s = r->scope; s; s = s->outer) {
		for (const struct scope_var *v = s->vars; v; v = v->next) {
			if (!strcmp(v->var->name, name))
				return v->var;
		}
	}
	return NULL;
}

static struct script_var *var_of_earlier_run(const struct resolve *r, const struct script_expr *e)
{
	struct script_var *v = r->c->vars;

	while (v && v->first != e)
		v = v->next;
	return v;
}

static struct script_var *var_new(struct resolve *r, const struct script_expr *e)
{
	struct script_var *v = script_alloc(r->c, sizeof(*v));

	if (!v)
		return NULL;
	*v = (struct script_var){ .name = e->name, .span = e->span, .first = e };
	v->next = r->c->vars;
	r->c->vars = v;
	return v;
}

struct script_var *var_declare(struct resolve *r, const struct script_expr *e, bool is_let)
{
	struct script_var *v = var_of_earlier_run(r, e);
	struct scope_var *entry = script_alloc(r->c, sizeof(*entry));

	if (!v)
		v = var_new(r, e);
	if (!v || !entry)
		return NULL;
	v->is_let = is_let;
	v->is_seen = true;
	entry->var = v;
	entry->next = r->scope->vars;
	r->scope->vars = entry;
	return v;
}

static void fail_types(struct resolve *r, const struct script_var *v,
		       const struct script_expr *value)
{
	script_fail(r->c, value->span, "$%s is %s, but this is %s", var_name(r, v->name),
		    type_text(r, &v->type), type_text(r, &value->type));
	if (v->is_fixed)
		script_hint(r->c, "let declares its type; convert the value with a cast like (%s)",
			    type_text(r, &v->type));
	else
		script_hint(r->c, "a variable keeps the type of its first value; use another one");
}

/* Reports a value that a variable cannot hold. */
static bool is_storable(struct resolve *r, const struct script_var *v,
			const struct script_expr *value)
{
	if (value->type.kind == SCRIPT_NONE)
		return type_is_known(r, value);
	if (value->type.kind == SCRIPT_VOID || value->type.kind == SCRIPT_MODE)
		script_fail(r->c, value->span, "$%s needs a value, but this has none",
			    var_name(r, v->name));
	else if (script_is_aggregate(&value->type))
		script_fail(r->c, value->span, "%s cannot be stored in a variable",
			    type_text(r, &value->type));
	else
		return true;
	return false;
}

void var_assign(struct resolve *r, struct script_expr *target, const struct script_expr *value)
{
	struct script_var *v = var_find(r, target->name);
	struct script_type was;
	enum grown grown;

	if (!v)
		v = var_declare(r, target, false);
	if (!v || failed(r))
		return;
	target->var = v;
	if (!is_storable(r, v, value))
		return;
	was = v->type;
	grown = type_grow(r, &v->type, &value->type, value);
	if (grown == GROWN && v->is_fixed && !script_type_equal(&was, &v->type)) {
		v->type = was;
		grown = GROWN_NEVER;
	}
	if (grown == GROWN_NEVER)
		fail_types(r, v, value);
	r->grew |= grown == GROWN;
	target->type = v->type;
}

void var_set(struct resolve *r, struct script_var *v, const struct script_type *type)
{
	enum grown grown = type_grow(r, &v->type, type, NULL);

	if (grown == GROWN_NEVER) { /* an earlier run knew less about the map */
		v->type = (struct script_type){};
		grown = type_grow(r, &v->type, type, NULL);
	}
	r->grew |= grown == GROWN;
}

/* ---- let ---- */

static void fail_again(struct resolve *r, const struct script_expr *e, const struct script_var *v)
{
	script_fail(r->c, e->span, "$%s exists already", var_name(r, v->name));
	script_hint(r->c, "one name cannot hide another: choose a new name, or leave out let");
}

void var_let(struct resolve *r, struct script_stmt *s)
{
	struct script_expr *e = s->target;
	struct script_var *v = var_find(r, e->name);

	if (v) {
		fail_again(r, e, v);
		return;
	}
	v = var_declare(r, e, true);
	if (!v)
		return;
	if (s->type_name && v->type.kind == SCRIPT_NONE) {
		v->type = type_named(r, s->type_name);
		v->is_fixed = v->type.size != 0;
		r->grew |= v->type.kind != SCRIPT_NONE;
	}
	if (script_is_aggregate(&v->type) || v->type.kind == SCRIPT_VOID)
		script_fail(r->c, s->type_name->span, "a variable cannot be %s",
			    type_text(r, &v->type));
	e->var = v;
	e->type = v->type;
}

/* ---- reads ---- */

static void fail_unknown(struct resolve *r, const struct script_expr *e)
{
	struct suggestion nearest;

	script_fail(r->c, e->span, "$%s has no value here", var_name(r, e->name));
	suggest_init(&nearest, e->name);
	for (const struct scope *s = r->scope; s; s = s->outer) {
		for (const struct scope_var *v = s->vars; v; v = v->next)
			suggest_offer(&nearest, v->var->name);
	}
	for (const struct script_var *v = r->c->vars; v; v = v->next) {
		if (!strcmp(v->name, e->name)) {
			script_hint(
				r->c,
				"it is assigned in another block and visible only there: declare it before that block with let $%s;",
				var_name(r, e->name));
			return;
		}
	}
	if (suggest_get(&nearest))
		script_suggest(r->c, &nearest, &(struct suggest_words){ .before = "$" });
	else
		script_hint(r->c, "assign it first: $%s = …", var_name(r, e->name));
}

void infer_var(struct resolve *r, struct script_expr *e)
{
	e->var = var_find(r, e->name);
	if (!e->var) {
		fail_unknown(r, e);
		return;
	}
	e->type = e->var->type;
	if (e->type.kind == SCRIPT_NONE && r->c->is_final) {
		script_fail(r->c, e->span, "the type of $%s is unknown", var_name(r, e->name));
		script_hint(r->c, "declare it: let $%s: uint64", var_name(r, e->name));
	}
}
