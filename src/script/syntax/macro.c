/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * macro.c - macro name($a, b, @c) { … }: parses definitions, and chooses the macro for a call.
 */
#include "script/syntax/macro.h"

/* ---- definition ---- */

static bool param_parse(struct parser *p, struct script_macro *m)
{
	struct macro_param *param = &m->params[m->param_count];
	const struct lexeme *t = &p->in.t;

	if (t->kind != LEX_VAR && t->kind != LEX_MAP && t->kind != LEX_NAME) {
		syn_expected(p, "a parameter: $name, @name, or a name for an expression");
		return false;
	}
	if (m->param_count == MACRO_PARAMS_MAX) {
		syn_fail(p, t->span, "a macro has at most %d parameters", MACRO_PARAMS_MAX);
		return false;
	}
	*param = (struct macro_param){ .name = t->bytes, .kind = t->kind };
	for (size_t i = 0; i < m->param_count; i++)
		if (m->params[i].kind == param->kind && !strcmp(m->params[i].name, param->name))
			syn_fail(p, t->span, "the macro has this parameter twice");
	if (t->kind == LEX_NAME)
		p->params[p->param_count++] = t->bytes;
	m->param_count++;
	syn_advance(p);
	return !p->c->err;
}

static bool params_parse(struct parser *p, struct script_macro *m)
{
	if (syn_is(p, "{"))
		return true;
	if (!syn_expect(p, "(", "after the name of the macro"))
		return false;
	if (syn_accept(p, ")"))
		return true;
	do {
		if (!param_parse(p, m))
			return false;
	} while (syn_accept(p, ","));
	return syn_expect(p, ")", "after the parameters of the macro");
}

static bool is_same(const struct script_macro *a, const struct script_macro *b)
{
	if (strcmp(a->name, b->name) || a->param_count != b->param_count)
		return false;
	for (size_t i = 0; i < a->param_count; i++)
		if (a->params[i].kind != b->params[i].kind)
			return false;
	return true;
}

void macro_add(struct parser *p, struct script_macro *m)
{
	for (const struct script_macro *o = p->macros; o; o = o->next) {
		if (!is_same(o, m))
			continue;
		if (!p->reads_library)
			syn_fail(p, m->span, "'%s' is defined twice", m->name);
		return;
	}
	m->is_library = p->reads_library;
	m->next = p->macros;
	p->macros = m;
}

void syn_macro(struct parser *p)
{
	struct script_macro *m = script_alloc(p->c, sizeof(*m));

	syn_advance(p);
	if (!m)
		return;
	m->span = p->in.t.span;
	m->name = syn_name(p, "the name of the macro");
	p->param_count = 0;
	if (m->name && params_parse(p, m))
		m->body = syn_block(p);
	p->param_count = 0;
	if (m->body)
		macro_add(p, m);
}

/* ---- choice ---- */

bool macro_exists(const struct parser *p, const char *name)
{
	for (const struct script_macro *m = p->macros; m; m = m->next)
		if (!strcmp(m->name, name))
			return true;
	return false;
}

/* Ranks how well the argument fits; -1: it does not. */
static int param_rank(const struct macro_param *param, const struct script_expr *arg)
{
	bool is_map = arg->kind == X_MAP && !arg->count;

	switch (param->kind) {
	case LEX_MAP: return is_map ? 2 : -1;
	case LEX_VAR: return arg->kind == X_VAR ? 2 : is_map ? -1 : 0;
	default: return 1;
	}
}

static int macro_rank(const struct script_macro *m, const struct script_expr *call)
{
	int rank = 0;

	for (size_t i = 0; i < m->param_count; i++) {
		int one = param_rank(&m->params[i], call->items[i]);

		if (one < 0)
			return -1;
		rank += one;
	}
	return rank;
}

/* Reports why no macro of that name fits. `m` has as many parameters as the call, or is NULL. */
static void choice_fail(struct parser *p, const struct script_macro *m,
			const struct script_expr *call)
{
	const struct script_macro *any = p->macros;

	for (size_t i = 0; m && i < m->param_count; i++)
		if (param_rank(&m->params[i], call->items[i]) < 0) {
			syn_fail(p, call->items[i]->span, "macro %s() expects %s here, as its %c%s",
				 m->name,
				 m->params[i].kind == LEX_MAP ? "a map without a key" :
								"a variable",
				 m->params[i].kind == LEX_MAP ? '@' : '$', m->params[i].name);
			return;
		}
	while (strcmp(any->name, call->name))
		any = any->next;
	syn_fail(p, call->name_span, "%s() has %zu argument%s, not %zu", any->name,
		 any->param_count, any->param_count == 1 ? "" : "s", call->count);
}

struct script_macro *macro_choose(struct parser *p, const struct script_expr *call)
{
	struct script_macro *best = NULL, *near = NULL;
	int best_rank = -1;

	for (struct script_macro *m = p->macros; m; m = m->next) {
		int rank;

		if (strcmp(m->name, call->name) || m->param_count != call->count)
			continue;
		near = m;
		rank = macro_rank(m, call);
		if (rank > best_rank) {
			best_rank = rank;
			best = m;
		}
	}
	if (!best)
		choice_fail(p, near, call);
	return best;
}
