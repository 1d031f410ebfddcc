/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exprs.c - resolves expressions by kind; literals, parameters of the command line, tuples, choices, blocks.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "script/resolve/resolve.h"

void walk_items(struct resolve *r, struct script_expr *e)
{
	for (size_t i = 0; i < e->count && !failed(r); i++)
		infer_expr(r, e->items[i]);
}

/* ---- $1, $# ---- */

/* Parses a number of the language, with an optional sign. */
static bool text_is_number(const char *text, int64_t *value, bool *is_big)
{
	bool is_negative = *text == '-';
	const char *digits = text + (is_negative || *text == '+');
	unsigned long long u;
	char *end;

	errno = 0;
	u = strtoull(digits, &end, 0);
	if (*digits < '0' || *digits > '9' || *end || errno)
		return false;
	if (is_negative && u > 1ULL << 63)
		return false;
	*value = is_negative ? -(int64_t)u : (int64_t)u;
	*is_big = !is_negative && u >> 63;
	return true;
}

static void resolve_param(struct script_expr *e, const struct script_args *args)
{
	const char *word;
	int64_t value;
	bool is_big;

	if (!e->number) {
		expr_set_number(e, args->count, false);
		return;
	}
	word = e->number <= args->count ? args->words[e->number - 1] : NULL;
	if (!word)
		expr_set_number(e, 0, false);
	else if (text_is_number(word, &value, &is_big))
		expr_set_number(e, value, is_big);
	else
		expr_set_text(e, word, strlen(word));
}

/* ---- tuples ---- */

static bool same_parts(const struct script_type *was, const struct script_part *parts,
		       const struct script_expr *e)
{
	if (was->kind != SCRIPT_TUPLE || was->count != e->count)
		return false;
	for (size_t i = 0; i < e->count; i++) {
		struct script_type part = type_stored(&e->items[i]->type);

		if (!script_type_equal(&parts[i].type, &part) ||
		    parts[i].type.is_user != part.is_user ||
		    parts[i].type.is_literal != part.is_literal)
			return false;
	}
	return true;
}

static bool is_part(struct resolve *r, const struct script_expr *item)
{
	enum script_kind kind = item->type.kind;

	if (kind != SCRIPT_VOID && kind != SCRIPT_MODE && !script_is_aggregate(&item->type))
		return type_is_known(r, item);
	script_fail(r->c, item->span, "%s cannot be a part of a tuple", type_text(r, &item->type));
	return false;
}

/* `was` is the type of an earlier run; its parts are reused. */
static void resolve_tuple(struct resolve *r, struct script_expr *e, const struct script_type *was)
{
	struct script_part *parts;

	infer_items(r, e);
	for (size_t i = 0; i < e->count; i++) {
		if (failed(r) || !is_part(r, e->items[i]))
			return;
	}
	if (e->count && same_parts(was, was->parts, e)) {
		e->type = *was;
		return;
	}
	parts = alloc_lasting(r, (e->count + 1) * sizeof(*parts));
	if (!parts)
		return;
	for (size_t i = 0; i < e->count; i++) {
		parts[i].type = type_stored(&e->items[i]->type);
		parts[i].name = e->names ? e->names[i] : NULL;
	}
	script_tuple_layout(&e->type, parts, e->count);
}

/* ---- a ? b : c, a ?: b, { …; a } ---- */

/* No side is a constant that decides: the value may be that of either. */
static void resolve_sides(struct resolve *r, struct script_expr *e, struct script_expr *a,
			  struct script_expr *b)
{
	if (failed(r))
		return;
	if (a->type.kind == SCRIPT_NONE || b->type.kind == SCRIPT_NONE) {
		e->type = type_stored(a->type.kind ? &a->type : &b->type);
		type_is_known(r, a->type.kind ? b : a);
		return;
	}
	if (!type_join(r, a, b, &e->type))
		script_fail(r->c, e->span, "one side of the choice is %s, the other is %s",
			    type_text(r, &a->type), type_text(r, &b->type));
}

static void resolve_choice(struct resolve *r, struct script_expr *e)
{
	struct script_expr *taken;

	infer_condition(r, e->a);
	if (failed(r))
		return;
	if (!e->a->is_constant) {
		infer_expr(r, e->b);
		if (!failed(r))
			infer_expr(r, e->c);
		resolve_sides(r, e, e->b, e->c);
		return;
	}
	taken = e->a->value ? e->b : e->c;
	infer_expr(r, taken);
	value_copy(e, taken);
}

/* a ?: b */
static void resolve_fallback(struct resolve *r, struct script_expr *e)
{
	infer_condition(r, e->a);
	if (failed(r))
		return;
	if (e->a->is_constant && e->a->value) {
		value_copy(e, e->a);
		return;
	}
	infer_expr(r, e->b);
	if (e->a->is_constant)
		value_copy(e, e->b);
	else
		resolve_sides(r, e, e->a, e->b);
}

/* Finds reads of memory, and parameters that another kernel may lack. */
static void find_uncertain(struct script_expr *e, void *ctx)
{
	bool is_memory = (e->kind == X_FIELD || e->kind == X_INDEX) &&
			 e->a->type.kind != SCRIPT_TUPLE;

	*(bool *)ctx |= is_memory || e->kind == X_DEREF || (e->kind == X_CALL && e->count);
}

static void find_statements(struct script_expr *e, void *ctx)
{
	*(bool *)ctx |= e->kind == X_BLOCK;
}

static bool finds(struct script_expr *e, void (*fn)(struct script_expr *e, void *ctx))
{
	bool found = false;

	script_walk(e, fn, &found);
	return found;
}

/* Returns false, without an error, if this kernel lacks the member or parameter: the value is the other side then. */
static bool is_there(struct resolve *r, struct script_expr *e)
{
	r->c->is_missing = false;
	infer_expr(r, e);
	if (!failed(r) || !r->c->is_missing)
		return true;
	r->c->err = 0;
	if (r->c->error)
		*r->c->error = (struct script_error){};
	return false;
}

/* arg(TYPE) ?? nothing is of one type in all functions, if this kernel has the type. */
static void absent_type_set(struct resolve *r, struct script_expr *e)
{
	const struct script_type_name *name = e->a->type_name;
	struct script_type t;
	struct ctype c;

	if (!name || name->stars || e->b->func != FUNC_NOTHING || !ctype_parse(r, name->name, &c))
		return;
	t = script_type_of(r->c->btf, c);
	if (t.kind != SCRIPT_INT)
		return;
	e->type = t;
	e->type.size = sizeof(uint64_t); /* `nothing` has as many */
}

static bool is_parameter(const struct script_expr *e)
{
	return e->kind == X_FIELD && e->a->type.by_arg;
}

/* a ?? b */
static void resolve_else(struct resolve *r, struct script_expr *e)
{
	bool has = is_there(r, e->a);

	if (!failed(r))
		infer_expr(r, e->b);
	if (failed(r))
		return;
	if (!has) {
		value_copy(e, e->b);
		e->is_absent = true;
		absent_type_set(r, e);
		return;
	}
	if (is_parameter(e->a)) { /* there is nothing on the way to it: it keeps its type */
		e->type = e->a->type;
		return;
	}
	resolve_sides(r, e, e->a, e->b);
	if (finds(e->a, find_statements))
		script_fail(r->c, e->a->span, "the left side of ?? cannot contain statements");
	else if (!finds(e->a, find_uncertain) && !failed(r))
		script_fail(
			r->c, e->name_span,
			"?? needs a parameter or a read of memory on its left: this value always exists");
}

static void resolve_block_value(struct resolve *r, struct script_expr *e)
{
	struct scope scope = scope_enter(r);

	r->scope = &scope;
	infer_stmts(r, e->body);
	if (e->a && !failed(r)) {
		infer_expr(r, e->a);
		e->type = e->a->type;
	} else {
		e->type.kind = SCRIPT_VOID;
	}
	if (e->a && !e->body)
		value_copy(e, e->a);
	scope_leave(r, &scope);
}

/* ---- all ---- */

static void clear(struct script_expr *e)
{
	e->type = (struct script_type){};
	e->is_constant = e->discards = e->is_absent = false;
	e->value = 0;
	e->var = NULL;
	e->map = NULL;
	e->func = FUNC_NONE;
	e->action = NULL;
	e->param = e->text = e->bit_offset = e->bit_size = 0;
	if (e->kind == X_WORD || e->kind == X_DEREF)
		e->count = 0; /* removes what args_value added */
}

static void resolve_literal(struct resolve *r, struct script_expr *e)
{
	if (e->kind == X_INT)
		expr_set_number(e, (int64_t)e->number, e->number >> 63);
	else if (e->kind == X_BOOL)
		expr_set_bool(e, e->number);
	else if (e->kind == X_STRING)
		expr_set_text(e, e->bytes, e->length);
	else
		resolve_param(e, &r->c->s->args);
}

static void resolve_type(struct resolve *r, const struct script_expr *e)
{
	script_fail(r->c, e->span, "this is a type, but a value is needed");
	script_hint(r->c, "types are for casts, let, sizeof, offsetof, and as arguments of macros");
}

void walk_place(struct resolve *r, struct script_expr *e)
{
	struct script_type was = e->type;

	clear(e);
	switch (e->kind) {
	case X_INT:
	case X_BOOL:
	case X_STRING:
	case X_PARAM: resolve_literal(r, e); break;
	case X_WORD: infer_word(r, e); break;
	case X_VAR: infer_var(r, e); break;
	case X_MAP: infer_map(r, e); break;
	case X_CALL: infer_call(r, e); break;
	case X_FIELD: infer_field(r, e); break;
	case X_PART: infer_part(r, e); break;
	case X_INDEX: infer_index(r, e); break;
	case X_UNARY: infer_unary(r, e); break;
	case X_DEREF: infer_deref(r, e); break;
	case X_ADDRESS: infer_address(r, e); break;
	case X_STEP: infer_step(r, e); break;
	case X_BINARY: infer_binary(r, e); break;
	case X_AND:
	case X_OR: infer_logical(r, e); break;
	case X_CHOICE: resolve_choice(r, e); break;
	case X_FALLBACK: resolve_fallback(r, e); break;
	case X_ELSE: resolve_else(r, e); break;
	case X_CAST: infer_cast(r, e); break;
	case X_SIZEOF: infer_sizeof(r, e); break;
	case X_OFFSETOF: infer_offsetof(r, e); break;
	case X_TYPEINFO: infer_typeinfo(r, e); break;
	case X_TUPLE: resolve_tuple(r, e, &was); break;
	case X_BLOCK: resolve_block_value(r, e); break;
	case X_TYPE: resolve_type(r, e); break;
	}
}

void walk_expr(struct resolve *r, struct script_expr *e)
{
	infer_place(r, e);
	if (!failed(r) && e->type.by_arg)
		args_value(r, e);
}
