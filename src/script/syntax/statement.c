/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * statement.c - parses statements and blocks.
 *
 * if and { } are values or statements. Here they are always values; settle.c turns those whose value is not used into
 * statements.
 */
#include "script/syntax/parser.h"

/* ---- assignments ---- */

static enum oper assign_oper(const struct parser *p, bool *is)
{
	static const struct {
		const char *text;
		enum oper oper;
	} all[] = {
		{ "=", OPER_NONE }, { "+=", OPER_ADD },	 { "-=", OPER_SUB },  { "*=", OPER_MUL },
		{ "/=", OPER_DIV }, { "%=", OPER_MOD },	 { "&=", OPER_AND },  { "|=", OPER_OR },
		{ "^=", OPER_XOR }, { "<<=", OPER_SHL }, { ">>=", OPER_SHR },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (syn_is(p, all[i].text)) {
			*is = true;
			return all[i].oper;
		}
	*is = false;
	return OPER_NONE;
}

static bool can_assign(struct parser *p, const struct script_expr *target)
{
	if (target->kind == X_VAR || target->kind == X_MAP)
		return true;
	if (target->kind == X_PART || target->kind == X_FIELD)
		syn_fail(p, target->span,
			 "members cannot be changed: tuples, records and memory are read-only");
	else
		syn_fail(p, target->span,
			 "only variables ($name) and maps (@name) can be assigned to");
	return false;
}

static bool is_aggregate(const struct script_expr *e)
{
	static const char *const names[] = { "count", "sum",  "min",   "max",	 "avg",
					     "stats", "hist", "lhist", "tseries" };

	for (size_t i = 0; e && e->kind == X_CALL && i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(e->name, names[i]))
			return true;
	return false;
}

/* Converts @m = { …; avg($a) } to { …; @m = avg($a); }: only a statement may aggregate. */
static struct script_stmt *assign_inside(struct parser *p, struct script_stmt *s)
{
	struct script_expr *block = s->a;
	struct script_stmt *outer, **end = &block->body;

	s->a = block->a;
	outer = stmt_close(p, s) ? stmt_new(p, S_BLOCK, s->span.start) : NULL;
	if (!outer)
		return NULL;
	while (*end)
		end = &(*end)->next;
	*end = s;
	outer->body = block->body;
	return stmt_close(p, outer);
}

static struct script_stmt *assign_parse(struct parser *p, struct script_expr *target,
					enum oper oper)
{
	struct script_stmt *s = stmt_new(p, S_ASSIGN, target->span.start);

	if (!s || !can_assign(p, target))
		return NULL;
	s->target = target;
	s->oper = oper;
	syn_advance(p);
	s->a = syn_expression(p);
	if (s->a && target->kind == X_MAP && s->a->kind == X_BLOCK && is_aggregate(s->a->a))
		return assign_inside(p, s);
	return s->a ? stmt_close(p, s) : NULL;
}

/* let $x: type = value */
static struct script_stmt *let_parse(struct parser *p)
{
	struct script_stmt *s = stmt_new(p, S_LET, p->in.t.span.start);

	syn_advance(p);
	if (!s)
		return NULL;
	if (p->in.t.kind != LEX_VAR) {
		syn_expected(p, "a variable ($name) after let");
		if (p->in.t.kind == LEX_MAP)
			script_hint(p->c,
				    "maps are declared outside of probes: let @name = hash(100);");
		return NULL;
	}
	s->target = syn_primary(p);
	if (syn_accept(p, ":") && !(s->type_name = syn_type(p)))
		return NULL;
	if (syn_accept(p, "=") && !(s->a = syn_expression(p)))
		return NULL;
	return s->target ? stmt_close(p, s) : NULL;
}

/* ---- loops ---- */

/* while condition { }, unroll count { } */
static struct script_stmt *while_parse(struct parser *p, enum script_stmt_kind kind)
{
	struct script_stmt *s = stmt_new(p, kind, p->in.t.span.start);
	struct span span;

	syn_advance(p);
	if (!s)
		return NULL;
	s->a = syn_unary(p);
	if (!s->a)
		return NULL;
	s->body = syn_body(p, &span);
	return stmt_close(p, s);
}

/* Parses the range of a for: @map, a..b */
static bool range_parse(struct parser *p, struct script_stmt *s)
{
	s->a = syn_unary(p);
	if (!s->a)
		return false;
	if (syn_accept(p, "..")) {
		s->b = syn_unary(p);
		return s->b;
	}
	s->kind = S_FOR_MAP;
	if (s->a->kind == X_MAP && !s->a->count)
		return true;
	syn_fail(p, s->a->span, "a loop goes over a map or over numbers");
	script_hint(p->c, "for ($kv : @map) { … } or for ($i : 0..10) { … }");
	return false;
}

static struct script_stmt *for_parse(struct parser *p)
{
	struct script_stmt *s = stmt_new(p, S_FOR_RANGE, p->in.t.span.start);
	struct span span;
	bool has_paren;

	syn_advance(p);
	if (!s)
		return NULL;
	has_paren = syn_accept(p, "(");
	if (p->in.t.kind != LEX_VAR) {
		syn_expected(p, "the variable of the loop: for ($i : …)");
		return NULL;
	}
	s->target = syn_primary(p);
	if (!syn_expect(p, ":", "after the variable of the loop") || !range_parse(p, s) ||
	    (has_paren && !syn_expect(p, ")", "to end the head of the loop")))
		return NULL;
	s->body = syn_body(p, &span);
	return stmt_close(p, s);
}

/* ---- statements ---- */

static struct script_stmt *jump_parse(struct parser *p, enum script_stmt_kind kind)
{
	struct script_stmt *s = stmt_new(p, kind, p->in.t.span.start);

	syn_advance(p);
	if (s && kind == S_RETURN && !syn_is(p, ";") && !syn_is(p, "}") &&
	    !(s->a = syn_expression(p)))
		return NULL;
	return stmt_close(p, s);
}

/* _ = value */
static struct script_stmt *discard_parse(struct parser *p)
{
	struct script_stmt *s = stmt_new(p, S_DISCARD, p->in.t.span.start);

	syn_advance(p);
	syn_advance(p);
	if (s)
		s->a = syn_expression(p);
	return s && s->a ? stmt_close(p, s) : NULL;
}

/* Parses a statement that begins with a keyword; *is is set if there is one. */
static struct script_stmt *keyword_stmt(struct parser *p, bool *is)
{
	static const struct {
		const char *word;
		enum script_stmt_kind kind;
	} all[] = {
		{ "while", S_WHILE }, { "unroll", S_UNROLL },	  { "for", S_FOR_RANGE },
		{ "break", S_BREAK }, { "continue", S_CONTINUE }, { "return", S_RETURN },
		{ "let", S_LET },
	};

	*is = true;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (!syn_is_word(p, all[i].word))
			continue;
		switch (all[i].kind) {
		case S_WHILE:
		case S_UNROLL: return while_parse(p, all[i].kind);
		case S_FOR_RANGE: return for_parse(p);
		case S_LET: return let_parse(p);
		default: return jump_parse(p, all[i].kind);
		}
	}
	if (syn_is_word(p, "_") && syn_then(p, "="))
		return discard_parse(p);
	*is = false;
	return NULL;
}

static bool stmt_needs_end(const struct script_stmt *s)
{
	switch (s->kind) {
	case S_WHILE:
	case S_FOR_MAP:
	case S_FOR_RANGE:
	case S_UNROLL: return false;
	case S_EXPR: return s->a->kind != X_BLOCK && !s->a->is_if;
	default: return true;
	}
}

static struct script_stmt *stmt_of(struct parser *p, struct script_expr *e)
{
	struct script_stmt *s = stmt_new(p, S_EXPR, e->span.start);

	if (!s)
		return NULL;
	s->span = e->span;
	s->a = e;
	return stmt_close(p, s);
}

/* Parses an expression or an assignment. If it is the block's value, sets *value and returns no statement. */
static struct script_stmt *expr_stmt(struct parser *p, struct script_expr **value)
{
	bool is_whole = syn_is_word(p, "if") || syn_is(p, "{"), is_assign;
	struct script_expr *e = is_whole ? syn_primary(p) : syn_unary(p);
	enum oper oper;

	if (!e)
		return NULL;
	oper = assign_oper(p, &is_assign);
	if (is_assign && !is_whole)
		return assign_parse(p, e, oper);
	if (!is_whole)
		e = syn_rest(p, e);
	if (!e || !syn_is(p, "}"))
		return e ? stmt_of(p, e) : NULL;
	*value = e;
	return NULL;
}

static struct script_stmt *stmt_parse(struct parser *p, struct script_expr **value)
{
	struct script_stmt *s;
	bool is;

	s = keyword_stmt(p, &is);
	if (!is)
		s = expr_stmt(p, value);
	if (!s || p->c->err)
		return NULL;
	if (syn_accept(p, ";") || !stmt_needs_end(s) || syn_is(p, "}"))
		return s;
	syn_expected(p, "';' after the statement");
	return NULL;
}

/* ---- blocks ---- */

static struct script_expr *block_parse(struct parser *p)
{
	struct script_expr *e = expr_new(p, X_BLOCK, p->in.t.span.start);
	struct script_stmt **end;

	if (!e || !syn_expect(p, "{", "before the statements"))
		return NULL;
	end = &e->body;
	while (!syn_is(p, "}") && !syn_ended(p) && !e->a) {
		if (syn_accept(p, ";") || syn_import_here(p))
			continue;
		*end = stmt_parse(p, &e->a);
		if (*end)
			end = &(*end)->next;
		else if (!e->a)
			return NULL;
	}
	if (!syn_expect(p, "}", "at the end of the block"))
		return NULL;
	return expr_close(p, e);
}

struct script_expr *syn_block(struct parser *p)
{
	struct script_expr *e = NULL;

	if (syn_enter(p))
		e = block_parse(p);
	syn_leave(p);
	return e;
}

struct script_stmt *syn_body(struct parser *p, struct span *span)
{
	struct script_expr *block = syn_block(p);
	struct script_stmt **end = block ? &block->body : NULL;

	if (!block)
		return NULL;
	*span = block->span;
	while (*end)
		end = &(*end)->next;
	if (block->a)
		*end = stmt_of(p, block->a);
	return block->body;
}

/* if condition { } else { } */
static struct script_expr *if_parse(struct parser *p)
{
	struct script_expr *e = expr_new(p, X_CHOICE, p->in.t.span.start);

	if (!e)
		return NULL;
	e->is_if = true;
	e->name_span = p->in.t.span;
	syn_advance(p);
	e->a = syn_unary(p);
	e->b = e->a ? syn_block(p) : NULL;
	if (!e->b)
		return NULL;
	if (!syn_accept_word(p, "else"))
		return expr_close(p, e);
	e->c = syn_is_word(p, "if") ? syn_if(p) : syn_block(p);
	return e->c ? expr_close(p, e) : NULL;
}

struct script_expr *syn_if(struct parser *p)
{
	struct script_expr *e = NULL;

	if (syn_enter(p))
		e = if_parse(p);
	syn_leave(p);
	return e;
}
