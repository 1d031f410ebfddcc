/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve.c - the entry: runs over one probe until the types of its variables are known; and what all files need.
 */
#include "script/resolve/resolve.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS_MAX = 64 }; /* types grow at each; only nested tuples need more than a few */

const char *type_text(struct resolve *r, const struct script_type *t)
{
	struct buf o;
	const char *text;

	buf_init(&o, -1);
	script_type_write(r->c->btf, t, &o);
	text = script_print(r->c, "%.*s", (int)o.len, o.len ? o.data : "");
	buf_free(&o);
	return text ? text : "";
}

bool type_is_known(struct resolve *r, const struct script_expr *e)
{
	if (e->type.kind != SCRIPT_NONE)
		return true;
	if (r->c->is_final)
		script_fail(r->c, e->span, "the type of this is not known");
	return false;
}

size_t script_append(struct resolve *r, void ***all, size_t *count, size_t *room, void *item)
{
	if (*count == *room) {
		size_t more = *room ? 2 * *room : 16;
		void **grown = realloc(*all, more * sizeof(*grown));

		if (!grown) {
			r->c->err = -ENOMEM;
			return 0;
		}
		*all = grown;
		*room = more;
	}
	(*all)[*count] = item;
	return (*count)++;
}

void *keep(struct resolve *r, size_t size)
{
	void *p = arena_alloc(&r->c->s->arena, size);

	if (!p)
		r->c->err = -ENOMEM;
	return p;
}

/* ---- constants ---- */

bool expr_is_text(const struct script_expr *e)
{
	return e->is_constant && e->type.kind == SCRIPT_STRING;
}

bool expr_is_number(const struct script_expr *e)
{
	return e->is_constant && e->type.kind == SCRIPT_INT;
}

void expr_set_number(struct script_expr *e, int64_t value, bool is_big)
{
	e->type = script_int_of(value, is_big);
	e->is_constant = true;
	e->value = value;
}

void expr_set_text(struct script_expr *e, const char *bytes, uint32_t length)
{
	e->type = script_string(length + 1);
	e->is_constant = true;
	e->bytes = bytes;
	e->length = length;
}

void expr_set_bool(struct script_expr *e, bool value)
{
	e->type = (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
	e->is_constant = true;
	e->value = value;
}

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

/* Forgets variables of earlier runs that became one with another. */
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

/* Runs until no type grows; the last run of all reports what is unknown. */
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

void script_resolve(struct script_state *c, const struct script_probe *probe)
{
	struct resolve r = { .c = c, .probe = probe, .in = c->point->in };

	c->vars = NULL;
	c->btf = script_view(c, r.in->btf);
	if (!c->err)
		resolve_runs(&r);
}
