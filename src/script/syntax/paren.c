/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paren.c - parses what an opening parenthesis begins: a cast, a tuple, a record, or an expression.
 */
#include <ctype.h>

#include "script/syntax/parser.h"

/* ---- casts ---- */

/* True for a name in capitals, which is a constant. */
static bool word_is_constant(const char *name)
{
	for (; *name; name++)
		if (islower((unsigned char)*name))
			return false;
	return true;
}

/* True if a value can begin here and the lexeme cannot continue a complete value. */
static bool value_begins(struct parser *p, bool or_sign)
{
	const struct lexeme *t = &p->in.t;

	if (t->kind != LEX_PUNCT)
		return t->kind != LEX_END;
	if (syn_is(p, "(") || syn_is(p, "!") || syn_is(p, "~"))
		return true;
	return or_sign && (syn_is(p, "-") || syn_is(p, "*") || syn_is(p, "&"));
}

/* A parameter of the macro stands for a type if the parentheses cannot contain a value. */
static bool param_cast_is_next(struct parser *p)
{
	struct parse_place here = syn_mark(p);
	bool has_stars = false, is_cast = false;

	if (syn_is_param(p)) {
		syn_advance(p);
		for (; syn_is(p, "*"); has_stars = true)
			syn_advance(p);
		if (syn_accept(p, "[") && p->in.t.kind == LEX_NUMBER) {
			syn_advance(p);
			syn_accept(p, "]");
		}
		is_cast = syn_accept(p, ")") && value_begins(p, has_stars);
	}
	syn_return(p, &here);
	return is_cast;
}

/* After the (: true if it begins a cast. (a) is a cast if a may be a type and a value follows. */
static bool cast_is_next(struct parser *p)
{
	struct parse_place here = syn_mark(p);
	bool is_sure = type_is_sure(p), is_bare, is_cast;

	if (param_cast_is_next(p))
		return true;
	is_bare = p->in.t.kind == LEX_NAME && syn_then(p, ")");
	is_cast = type_skip(p) && syn_accept(p, ")") &&
		  value_begins(p, is_sure || !is_bare || !word_is_constant(here.t.bytes));
	syn_return(p, &here);
	return is_cast;
}

static struct script_expr *cast_parse(struct parser *p, uint32_t start)
{
	struct script_expr *e = expr_new(p, X_CAST, start);

	if (!e)
		return NULL;
	e->type_name = syn_type(p);
	if (!e->type_name || !syn_expect(p, ")", "after the type"))
		return NULL;
	if (syn_enter(p))
		e->a = syn_unary(p);
	syn_leave(p);
	return e->a ? expr_close(p, e) : NULL;
}

/* ---- tuples, records ---- */

static bool record_has(const struct expr_list *l, const char *name)
{
	for (size_t i = 0; i < l->count; i++)
		if (!strcmp(l->names[i], name))
			return true;
	return false;
}

/* name=value, … ) */
static struct script_expr *record_parse(struct parser *p, struct script_expr *e)
{
	struct expr_list l = {};

	do {
		struct span where = p->in.t.span;
		const char *name = syn_is(p, ")") ?
					   NULL :
					   syn_name(p, "the name of a value: (name=value, …)");
		struct script_expr *value;

		if (!name)
			break;
		if (record_has(&l, name))
			syn_fail(p, where, "the record has '%s' twice", name);
		if (!syn_expect(p, "=", "after the name in the record"))
			return NULL;
		value = syn_expression(p);
		if (!value || !expr_list_add(p, &l, value, name))
			return NULL;
	} while (syn_accept(p, ","));
	if (!syn_expect(p, ")", "at the end of the record"))
		return NULL;
	e->items = l.items;
	e->names = l.names;
	e->count = l.count;
	return expr_close(p, e);
}

/* Parses the parts after the first comma. */
static struct script_expr *tuple_parse(struct parser *p, struct script_expr *e,
				       struct script_expr *first)
{
	struct expr_list l = {};

	if (!expr_list_add(p, &l, first, NULL))
		return NULL;
	while (!syn_is(p, ")")) {
		struct script_expr *value = syn_expression(p);

		if (!value || !expr_list_add(p, &l, value, NULL))
			return NULL;
		if (!syn_accept(p, ","))
			break;
	}
	if (!syn_expect(p, ")", "at the end of the tuple"))
		return NULL;
	e->items = l.items;
	e->count = l.count;
	return expr_close(p, e);
}

struct script_expr *syn_paren(struct parser *p)
{
	uint32_t start = p->in.t.span.start;
	struct script_expr *e = expr_new(p, X_TUPLE, start), *first;

	if (!e)
		return NULL;
	syn_advance(p);
	if (syn_accept(p, ")"))
		return expr_close(p, e);
	if (p->in.t.kind == LEX_NAME && syn_then(p, "="))
		return record_parse(p, e);
	if (cast_is_next(p))
		return cast_parse(p, start);
	first = syn_expression(p);
	if (!first)
		return NULL;
	if (syn_accept(p, ","))
		return tuple_parse(p, e, first);
	if (!syn_expect(p, ")", "to end the parentheses"))
		return NULL;
	first->span = (struct span){ start, p->in.last.end };
	return first;
}
