/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expression.c - parses operators with C's precedence, and prefixes and suffixes of a value.
 */
#include "script/syntax/parser.h"

/* ---- binary operators ---- */

struct binary {
	const char *text;
	enum script_expr_kind kind;
	enum oper oper;
	int rank; /* higher binds tighter */
};

static const struct binary *binary_next(const struct parser *p)
{
	static const struct binary all[] = {
		{ "||", X_OR, OPER_NONE, 1 },	 { "&&", X_AND, OPER_NONE, 2 },
		{ "|", X_BINARY, OPER_OR, 3 },	 { "^", X_BINARY, OPER_XOR, 4 },
		{ "&", X_BINARY, OPER_AND, 5 },	 { "==", X_BINARY, OPER_EQ, 6 },
		{ "!=", X_BINARY, OPER_NE, 6 },	 { "<", X_BINARY, OPER_LT, 7 },
		{ ">", X_BINARY, OPER_GT, 7 },	 { "<=", X_BINARY, OPER_LE, 7 },
		{ ">=", X_BINARY, OPER_GE, 7 },	 { "<<", X_BINARY, OPER_SHL, 8 },
		{ ">>", X_BINARY, OPER_SHR, 8 }, { "+", X_BINARY, OPER_ADD, 9 },
		{ "-", X_BINARY, OPER_SUB, 9 },	 { "*", X_BINARY, OPER_MUL, 10 },
		{ "/", X_BINARY, OPER_DIV, 10 }, { "%", X_BINARY, OPER_MOD, 10 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (syn_is(p, all[i].text))
			return &all[i];
	return NULL;
}

/* A slash before a brace ends a predicate. */
static bool predicate_ends(struct parser *p)
{
	return syn_is(p, "/") && syn_then(p, "{");
}

static struct script_expr *binary_climb(struct parser *p, struct script_expr *left, int rank)
{
	const struct binary *op;

	while (left && (op = binary_next(p)) && op->rank >= rank && !predicate_ends(p)) {
		struct script_expr *e = expr_new(p, op->kind, left->span.start);

		if (!e)
			return NULL;
		e->name_span = p->in.t.span;
		e->oper = op->oper;
		e->a = left;
		syn_advance(p);
		e->b = binary_climb(p, syn_unary(p), op->rank + 1);
		left = e->b ? expr_close(p, e) : NULL;
	}
	return left;
}

/* a ? b : c, a ?: c */
static struct script_expr *choice_parse(struct parser *p, struct script_expr *condition)
{
	struct script_expr *e = condition ? expr_new(p, X_CHOICE, condition->span.start) : NULL;

	if (!e)
		return NULL;
	e->name_span = p->in.t.span;
	e->a = condition;
	syn_advance(p);
	if (syn_accept(p, ":")) {
		e->kind = X_FALLBACK;
		e->b = syn_expression(p);
		return e->b ? expr_close(p, e) : NULL;
	}
	e->b = syn_expression(p);
	if (!e->b || !syn_expect(p, ":", "and the other value of '?'"))
		return NULL;
	e->c = syn_expression(p);
	return e->c ? expr_close(p, e) : NULL;
}

/* a ?? b */
static struct script_expr *else_parse(struct parser *p, struct script_expr *a)
{
	struct script_expr *e = expr_new(p, X_ELSE, a->span.start);

	if (!e)
		return NULL;
	e->name_span = p->in.t.span;
	e->a = a;
	syn_advance(p);
	e->b = syn_expression(p);
	return e->b ? expr_close(p, e) : NULL;
}

struct script_expr *syn_rest(struct parser *p, struct script_expr *value)
{
	struct script_expr *e = binary_climb(p, syn_suffixes(p, value), 0);

	if (e && syn_is(p, "?"))
		e = choice_parse(p, e);
	return e && syn_is(p, "??") ? else_parse(p, e) : e;
}

struct script_expr *syn_expression(struct parser *p)
{
	struct script_expr *e = NULL;

	if (syn_enter(p))
		e = syn_rest(p, syn_unary(p));
	syn_leave(p);
	return e;
}

bool expr_list_parse(struct parser *p, struct expr_list *l, const char *close)
{
	do {
		struct script_expr *e = syn_expression(p);

		if (!e || !expr_list_add(p, l, e, NULL))
			return false;
	} while (syn_accept(p, ","));
	if (syn_accept(p, close))
		return true;
	syn_expected(p,
		     *close == ')' ? "',' or ')' after the argument" : "',' or ']' after the key");
	return false;
}

/* ---- prefixes ---- */

static bool can_step(struct parser *p, const struct script_expr *e, struct span where)
{
	if (!e)
		return false;
	if (e->kind != X_VAR && e->kind != X_MAP)
		syn_fail(p, where, "++ and -- need a variable or a map");
	return !p->c->err;
}

static struct script_expr *prefix_close(struct parser *p, struct script_expr *e)
{
	if (!e || !e->a)
		return NULL;
	if (e->kind == X_STEP && !can_step(p, e->a, e->a->span))
		return NULL;
	if (e->kind == X_ADDRESS && e->a->kind != X_VAR && e->a->kind != X_MAP) {
		syn_fail(p, e->a->span, "only variables and maps have an address");
		script_hint(p->c,
			    "the value of a member that is a struct or an array is its address");
		return NULL;
	}
	return expr_close(p, e);
}

struct script_expr *syn_unary(struct parser *p)
{
	static const struct {
		const char *text;
		enum script_expr_kind kind;
		enum oper oper;
	} all[] = {
		{ "-", X_UNARY, OPER_NEGATE }, { "~", X_UNARY, OPER_COMPLEMENT },
		{ "!", X_UNARY, OPER_NOT },    { "*", X_DEREF, OPER_NONE },
		{ "&", X_ADDRESS, OPER_NONE }, { "++", X_STEP, OPER_ADD },
		{ "--", X_STEP, OPER_SUB },
	};
	struct script_expr *e;

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!syn_is(p, all[i].text))
			continue;
		e = expr_new(p, all[i].kind, p->in.t.span.start);
		if (!e)
			return NULL;
		e->name_span = p->in.t.span;
		e->oper = all[i].oper;
		e->is_prefix = e->kind == X_STEP;
		syn_advance(p);
		if (syn_enter(p))
			e->a = syn_unary(p);
		syn_leave(p);
		return prefix_close(p, e);
	}
	return syn_suffixes(p, syn_primary(p));
}

/* ---- suffixes ---- */

static struct script_expr *field_parse(struct parser *p, struct script_expr *e)
{
	const struct lexeme *t = &p->in.t;

	e->name_span = t->span;
	if (t->kind == LEX_NUMBER && !e->is_arrow) {
		e->kind = X_PART;
		e->number = t->number;
		syn_advance(p);
		return expr_close(p, e);
	}
	e->name = syn_name(p, "the name of a member");
	return e->name ? expr_close(p, e) : NULL;
}

static struct script_expr *index_parse(struct parser *p, struct script_expr *e)
{
	e->kind = X_INDEX;
	e->b = syn_expression(p);
	if (!e->b || !syn_expect(p, "]", "after the index"))
		return NULL;
	return expr_close(p, e);
}

static struct script_expr *step_parse(struct parser *p, struct script_expr *e)
{
	e->kind = X_STEP;
	e->name_span = p->in.last;
	e->oper = *p->in.last_text == '+' ? OPER_ADD : OPER_SUB;
	return can_step(p, e->a, e->name_span) ? expr_close(p, e) : NULL;
}

/* Accepts . or -> before a member. No #define replaces the member's name. */
static bool member_sign(struct parser *p)
{
	if (!syn_is(p, ".") && !syn_is(p, "->"))
		return false;
	syn_advance_plain(p);
	return true;
}

struct script_expr *syn_suffixes(struct parser *p, struct script_expr *value)
{
	while (value) {
		struct script_expr *e = expr_new(p, X_FIELD, value->span.start);

		if (!e)
			return NULL;
		e->a = value;
		e->is_arrow = syn_is(p, "->");
		if (member_sign(p))
			value = field_parse(p, e);
		else if (syn_accept(p, "["))
			value = index_parse(p, e);
		else if (syn_accept(p, "++") || syn_accept(p, "--"))
			value = step_parse(p, e);
		else
			return value;
	}
	return NULL;
}
