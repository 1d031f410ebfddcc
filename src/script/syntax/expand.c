/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expand.c - replaces calls of macros by blocks: copies of the macro's body with the arguments inserted.
 *
 * Variables of the body are hidden from the caller: they get a name that no program can write. Maps must be passed.
 */
#include "script/syntax/macro.h"

enum { COPIES_MAX = 100000 };

/* One expansion. While a probe itself is copied, macro is NULL and names stay. */
struct expansion {
	struct parser *p;
	struct script_macro *macro;
	struct script_expr **args;
	unsigned number;
	struct span where; /* of the call */
	const struct script_expansion *trace;
	bool is_argument; /* copies an argument that is already expanded */
};

static struct script_expr *expr_copy(struct expansion *x, const struct script_expr *e);
static struct script_stmt *stmts_copy(struct expansion *x, const struct script_stmt *s);

/* ---- copies ---- */

static bool copy_enter(struct expansion *x, struct span span)
{
	struct parser *p = x->p;

	if (++p->nesting > PARSE_DEPTH_MAX || ++p->copies > COPIES_MAX)
		syn_fail(p, span, "the macros of this program expand it too much");
	return !p->c->err;
}

/* The argument for this name, or NULL. */
static struct script_expr *arg_find(const struct expansion *x, enum lex_kind kind, const char *name)
{
	for (size_t i = 0; x->macro && name && i < x->macro->param_count; i++)
		if (x->macro->params[i].kind == kind && !strcmp(x->macro->params[i].name, name))
			return x->args[i];
	return NULL;
}

/* Replaces the type `t`, which names a parameter and may have stars and brackets, by `arg`. */
static void type_replace(struct expansion *x, struct script_type_name *t,
			 const struct script_expr *arg)
{
	const struct script_type_name *by = arg->type_name;
	struct script_type_name own = *t;

	if (arg->kind == X_WORD) {
		t->name = arg->name;
		return;
	}
	if (arg->kind != X_TYPE) {
		syn_fail(x->p, arg->span, "macro %s() needs a type here, as its %s", x->macro->name,
			 t->name);
		script_hint(x->p->c, "use typeof(uint64) or typeof(struct file)");
		return;
	}
	*t = *by;
	t->stars = by->is_array ? by->stars : by->stars + own.stars;
	if (own.is_array && !by->is_array) {
		t->is_array = true;
		t->count = own.count;
	} else if (by->is_array && (own.stars || own.is_array)) {
		script_unsupported(x->p->c, arg->span,
				   "types that are arrays of arrays, or pointers to arrays");
	}
}

static const struct script_type_name *type_copy(struct expansion *x,
						const struct script_type_name *t)
{
	const struct script_expr *arg = t ? arg_find(x, LEX_NAME, t->name) : NULL;
	struct script_type_name *copy;

	if (!t || (!t->of && !arg))
		return t;
	copy = script_alloc(x->p->c, sizeof(*copy));
	if (!copy)
		return NULL;
	*copy = *t;
	if (arg)
		type_replace(x, copy, arg);
	else
		copy->of = expr_copy(x, t->of);
	return copy;
}

/* Returns a.b.c, which was parsed as a value, as the name of a member; NULL if it is not one. */
static const char *member_name(struct expansion *x, const struct script_expr *e)
{
	const char *before;

	if (e->kind == X_WORD)
		return e->name;
	before = e->kind == X_FIELD && !e->is_arrow ? member_name(x, e->a) : NULL;
	return before ? script_print(x->p->c, "%s.%s", before, e->name) : NULL;
}

/* sizeof(a), offsetof(a, b): after expansion, `a` may be a type, and `b` another name. */
static void measure_settle(struct expansion *x, struct script_expr *copy)
{
	const struct script_expr *member = copy->kind == X_OFFSETOF ?
						   arg_find(x, LEX_NAME, copy->name) :
						   NULL;

	if (copy->a && copy->a->kind == X_TYPE) {
		copy->type_name = copy->a->type_name;
		copy->a = NULL;
	}
	if (!member)
		return;
	copy->name = member_name(x, member);
	if (!copy->name)
		syn_fail(x->p, member->span, "this is not the name of a member");
}

/* Errors in a library's macro are reported at the call: its text is not the program's. */
static struct span span_copy(const struct expansion *x, struct span span)
{
	return x->macro && x->macro->is_library ? x->where : span;
}

/* Keeps where the call in a macro's body comes from. */
static void trace_keep(struct expansion *x, const struct script_expr *copy)
{
	struct script_expansion *t = script_alloc(x->p->c, sizeof(*t));

	if (!t)
		return;
	*t = *x->trace;
	t->of = copy;
	t->next = x->p->c->s->expansions;
	x->p->c->s->expansions = t;
}

/* Returns a copy of the node and its children. */
static struct script_expr *node_copy(struct expansion *x, const struct script_expr *e)
{
	struct script_expr *copy = script_alloc(x->p->c, sizeof(*copy));

	if (!copy)
		return NULL;
	*copy = *e;
	copy->span = span_copy(x, e->span);
	copy->name_span = span_copy(x, e->name_span);
	if (e->kind == X_CALL && x->trace)
		trace_keep(x, copy);
	copy->a = expr_copy(x, e->a);
	copy->b = expr_copy(x, e->b);
	copy->c = expr_copy(x, e->c);
	copy->body = stmts_copy(x, e->body);
	copy->type_name = type_copy(x, e->type_name);
	if (copy->kind == X_SIZEOF || copy->kind == X_OFFSETOF || copy->kind == X_TYPEINFO)
		measure_settle(x, copy);
	if (e->count)
		copy->items = script_alloc(x->p->c, e->count * sizeof(*copy->items));
	for (size_t i = 0; i < e->count && copy->items; i++)
		copy->items[i] = expr_copy(x, e->items[i]);
	return x->p->c->err || !expr_measure(x->p, copy) ? NULL : copy;
}

/* ---- names in a macro ---- */

/* Copies an argument. It belongs to the caller, so its names stay. */
static struct script_expr *arg_copy(struct expansion *x, const struct script_expr *arg)
{
	struct expansion plain = { .p = x->p, .is_argument = true };

	return expr_copy(&plain, arg);
}

static struct script_expr *var_copy(struct expansion *x, const struct script_expr *e)
{
	struct script_expr *arg = arg_find(x, LEX_VAR, e->name), *copy;

	if (arg && arg->kind != X_VAR)
		return arg_copy(x, arg);
	copy = node_copy(x, e);
	if (copy && arg)
		copy->name = arg->name;
	else if (copy && x->macro)
		copy->name = script_print(x->p->c, "%s#%u", e->name, x->number);
	return copy;
}

static struct script_expr *map_copy(struct expansion *x, const struct script_expr *e)
{
	struct script_expr *arg = arg_find(x, LEX_MAP, e->name), *copy = node_copy(x, e);

	if (copy && arg)
		copy->name = arg->name;
	else if (copy && x->macro && !x->macro->is_function) {
		syn_fail(x->p, e->span, "macro %s() uses @%s, which is not one of its parameters",
			 x->macro->name, e->name);
		script_hint(x->p->c, "pass the map to the macro: macro %s(@%s) { … }",
			    x->macro->name, *e->name ? e->name : "map");
	}
	return copy;
}

/* Copies a map that is passed for a NAME parameter: its value, { @map }. */
static struct script_expr *value_copy(struct expansion *x, const struct script_expr *arg)
{
	struct script_expr *copy = arg_copy(x, arg), *block;

	if (!copy || arg->kind != X_MAP || arg->count)
		return copy;
	block = script_alloc(x->p->c, sizeof(*block));
	if (!block)
		return NULL;
	*block = (struct script_expr){
		.kind = X_BLOCK, .span = arg->span, .name_span = arg->span, .a = copy
	};
	return expr_measure(x->p, block) ? block : NULL;
}

/* ---- calls ---- */

/* A library's text is not shown. */
static const struct script_expansion *trace_add(const struct expansion *x,
						const struct expansion *inner)
{
	struct script_expansion *t;

	if (inner->macro->is_library)
		return x->trace;
	t = script_alloc(x->p->c, sizeof(*t));
	if (t)
		*t = (struct script_expansion){ .call = inner->where, .outer = x->trace };
	return t;
}

static struct script_expr *macro_expand(struct expansion *x, const struct script_expr *call)
{
	struct expansion inner = {
		.p = x->p, .args = call->items, .number = ++x->p->expansions, .where = call->span
	};
	struct script_expr *block;

	inner.macro = macro_choose(x->p, call);
	if (!inner.macro)
		return NULL;
	for (size_t i = 0; call->formats && i < call->count; i++)
		if (call->formats[i].name || call->formats[i].has_title)
			syn_fail(
				x->p, call->items[i]->span,
				"this program redefines emit() as a macro, whose arguments must be plain values");
	if (inner.macro->is_active) {
		syn_fail(x->p, call->name_span, "%s() calls itself", call->name);
		return NULL;
	}
	inner.macro->is_active = true;
	inner.trace = trace_add(x, &inner);
	block = node_copy(&inner, inner.macro->body);
	inner.macro->is_active = false;
	if (block)
		block->span = block->name_span = call->span;
	return block;
}

static struct script_expr *call_copy(struct expansion *x, const struct script_expr *e)
{
	struct script_expr *copy = node_copy(x, e);

	if (!copy || x->is_argument || !macro_exists(x->p, e->name))
		return copy;
	return macro_expand(x, copy);
}

static struct script_expr *any_copy(struct expansion *x, const struct script_expr *e)
{
	const struct script_expr *arg;

	switch (e->kind) {
	case X_VAR: return var_copy(x, e);
	case X_MAP: return map_copy(x, e);
	case X_WORD:
		arg = arg_find(x, LEX_NAME, e->name);
		return arg ? value_copy(x, arg) : call_copy(x, e);
	case X_CALL: return call_copy(x, e);
	default: return node_copy(x, e);
	}
}

static bool is_target(const struct script_expr *e)
{
	return e->kind == X_VAR || e->kind == X_MAP;
}

/* Checks the argument that replaces a variable on the left of an assignment. */
static void target_check(struct expansion *x, const struct script_expr *before,
			 const struct script_expr *after)
{
	if (!after || !before || before->kind != X_VAR || is_target(after))
		return;
	syn_fail(x->p, after->span, "macro %s() changes its $%s: it needs a variable here",
		 x->macro->name, before->name);
}

static struct script_expr *expr_copy(struct expansion *x, const struct script_expr *e)
{
	struct script_expr *copy = NULL;

	if (!e || x->p->c->err)
		return NULL;
	if (copy_enter(x, e->span))
		copy = any_copy(x, e);
	x->p->nesting--;
	if (copy && (e->kind == X_STEP || e->kind == X_ADDRESS))
		target_check(x, e->a, copy->a);
	return copy;
}

/* ---- statements ---- */

static void let_check(struct expansion *x, const struct script_stmt *s)
{
	if (s->kind != S_LET || !arg_find(x, LEX_VAR, s->target->name))
		return;
	syn_fail(x->p, s->target->span, "$%s is a parameter of macro %s(): let needs another name",
		 s->target->name, x->macro->name);
}

static struct script_stmt *stmt_copy(struct expansion *x, const struct script_stmt *s)
{
	struct script_stmt *copy = script_alloc(x->p->c, sizeof(*copy));

	if (!copy)
		return NULL;
	let_check(x, s);
	*copy = *s;
	copy->span = span_copy(x, s->span);
	copy->next = NULL;
	copy->target = expr_copy(x, s->target);
	target_check(x, s->target, copy->target);
	copy->a = expr_copy(x, s->a);
	copy->b = expr_copy(x, s->b);
	copy->type_name = type_copy(x, s->type_name);
	copy->body = stmts_copy(x, s->body);
	copy->otherwise = stmts_copy(x, s->otherwise);
	return x->p->c->err || !stmt_measure(x->p, copy) ? NULL : copy;
}

static struct script_stmt *stmts_copy(struct expansion *x, const struct script_stmt *s)
{
	struct script_stmt *first = NULL, **end = &first;

	for (; s && !x->p->c->err; s = s->next) {
		*end = stmt_copy(x, s);
		if (!*end)
			break;
		end = &(*end)->next;
	}
	return first;
}

void macros_expand(struct parser *p)
{
	struct expansion none = { .p = p };

	if (!p->macros)
		return;
	for (size_t i = 0; i < p->probe_count && !p->c->err; i++) {
		p->probes[i].condition = expr_copy(&none, p->probes[i].condition);
		p->probes[i].body = stmts_copy(&none, p->probes[i].body);
	}
}
