/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function.c - fn name($a: type, …): type { … }: a macro whose parameters are variables of its own.
 *
 * Its body becomes a block whose value is the returned one. After `if (a) { return b; }` the rest becomes the else
 * branch. A return in a loop cannot be converted.
 */
#include "script/syntax/macro.h"

struct function {
	struct parser *p;
	struct script_macro *macro;
	const struct script_type_name *type; /* of the function's value */
	bool has_value;
	struct script_stmt *first, **end; /* let $a: type = argument */
};

static struct script_expr *block_of(struct function *f, struct script_stmt *first);

/* ---- returns ---- */

static bool stmts_return(const struct script_stmt *s);

static bool expr_returns(const struct script_expr *e)
{
	return e && (stmts_return(e->body) || expr_returns(e->a) || expr_returns(e->b) ||
		     expr_returns(e->c));
}

static bool stmt_returns(const struct script_stmt *s)
{
	return s->kind == S_RETURN || stmts_return(s->body) || expr_returns(s->a);
}

/* True if the statements contain a return. */
static bool stmts_return(const struct script_stmt *s)
{
	for (; s; s = s->next)
		if (stmt_returns(s))
			return true;
	return false;
}

static const struct script_stmt *stmt_last(const struct script_stmt *s)
{
	while (s && s->next)
		s = s->next;
	return s;
}

/* True if nothing after it runs. */
static bool always_returns(const struct script_expr *e)
{
	const struct script_stmt *last;

	if (!e)
		return false;
	if (e->is_if)
		return always_returns(e->b) && always_returns(e->c);
	if (e->kind != X_BLOCK)
		return false;
	last = stmt_last(e->body);
	return always_returns(e->a) ||
	       (last &&
		(last->kind == S_RETURN || (last->kind == S_EXPR && always_returns(last->a))));
}

/* ---- statements as a value ---- */

static struct script_expr *block_new(struct function *f, struct script_stmt *first,
				     struct span span)
{
	struct script_expr *e = script_alloc(f->p->c, sizeof(*e));

	if (!e)
		return NULL;
	*e = (struct script_expr){
		.kind = X_BLOCK, .span = span, .name_span = span, .body = first
	};
	return e;
}

/* Makes an integer of the function's type of the value. */
static struct script_expr *cast_of(struct function *f, struct script_expr *value)
{
	struct script_expr *e = script_alloc(f->p->c, sizeof(*e));

	if (!e)
		return NULL;
	*e = (struct script_expr){ .kind = X_CAST,
				   .span = value->span,
				   .name_span = value->span,
				   .a = value,
				   .type_name = f->type };
	return expr_measure(f->p, e) ? e : NULL;
}

/* Checks the type of a value: { let $f(): type = value; $f() }. No program can write that name. */
static struct script_expr *checked_of(struct function *f, struct script_expr *value)
{
	struct script_expr *e = block_new(f, stmt_new(f->p, S_LET, value->span.start), value->span);
	struct script_expr *target = script_alloc(f->p->c, sizeof(*target));

	if (!e || !target || !e->body)
		return NULL;
	e->a = script_alloc(f->p->c, sizeof(*e->a));
	if (!e->a)
		return NULL;
	*target = (struct script_expr){ .kind = X_VAR,
					.span = value->span,
					.name_span = value->span,
					.name = script_print(f->p->c, "%s()", f->macro->name) };
	expr_measure(f->p, target);
	*e->a = *target;
	e->body->target = target;
	e->body->type_name = f->type;
	e->body->a = value;
	e->body->span = value->span;
	return stmt_measure(f->p, e->body) && expr_measure(f->p, e) ? e : NULL;
}

/* Returns the value of a `return`, converted to the function's type. */
static struct script_expr *value_of(struct function *f, const struct script_stmt *s)
{
	const struct script_type_name *t = f->type;

	if (!s->a || !f->has_value) {
		if (s->a || f->has_value)
			syn_fail(f->p, s->span,
				 s->a ? "function %s() has no value to return" :
					"function %s() returns a value",
				 f->macro->name);
		return NULL;
	}
	return t->stars || t->is_array || !t->name || !strstr(t->name, "int") ?
		       checked_of(f, s->a) :
		       cast_of(f, s->a);
}

/* Makes a statement of a value that is not used. */
static struct script_stmt *stmt_of(struct function *f, struct script_expr *e)
{
	struct script_stmt *s = stmt_new(f->p, S_EXPR, e->span.start);

	if (!s)
		return NULL;
	s->span = e->span;
	s->a = e;
	return stmt_measure(f->p, s) ? s : NULL;
}

/* Returns the statements of a branch. A block without a return keeps all of them, and its value. */
static struct script_stmt *branch_stmts(struct function *f, struct script_expr *branch)
{
	struct script_stmt **end;

	if (!branch)
		return NULL;
	if (branch->is_if)
		return stmt_of(f, branch);
	for (end = &branch->body; *end; end = &(*end)->next)
		;
	if (branch->a)
		*end = stmt_of(f, branch->a);
	return branch->body;
}

/* Makes a block with a value of the branch, and appends the rest unless it always returns. */
static struct script_expr *branch_of(struct function *f, struct script_expr *branch,
				     struct script_stmt *rest)
{
	bool returns = always_returns(branch);
	struct script_stmt *first = branch_stmts(f, branch), **end = &first;

	while (*end)
		end = &(*end)->next;
	if (!returns)
		*end = rest;
	return block_of(f, first);
}

/* Converts an `if` with a branch that returns, and the statements after it. */
static struct script_expr *choice_of(struct function *f, struct script_stmt *s)
{
	struct script_expr *e = s->a;
	bool first = always_returns(e->b), second = always_returns(e->c);

	if (s->kind != S_EXPR || !e->is_if || expr_returns(e->a) || (!first && !second)) {
		script_unsupported(
			f->p->c, s->span,
			"return in a loop or block, or in part of an 'if', in a function (fn)");
		return NULL;
	}
	e->b = branch_of(f, e->b, s->next);
	e->c = branch_of(f, e->c, first ? s->next : NULL);
	return e->b && e->c && expr_measure(f->p, e) ? e : NULL;
}

/* Makes a block of the statements; its value is what they return. */
static struct script_expr *block_of(struct function *f, struct script_stmt *first)
{
	struct script_stmt **at = &first, *s;
	struct script_expr *value = NULL, *block;

	while ((s = *at) && !stmt_returns(s))
		at = &s->next;
	*at = NULL;
	if (s)
		value = s->kind == S_RETURN ? value_of(f, s) : choice_of(f, s);
	else if (f->has_value)
		syn_fail(f->p, f->macro->span, "function %s() may end without a return",
			 f->macro->name);
	block = block_new(f, first, f->macro->span);
	if (!block || f->p->c->err)
		return NULL;
	block->a = value;
	return expr_measure(f->p, block) ? block : NULL;
}

/* ---- parameters ---- */

/* Emits let $a: type = the argument, under a name that no program can write. */
static void param_let(struct function *f, struct script_expr *var,
		      const struct script_type_name *type, const char *word)
{
	struct script_stmt *s = stmt_new(f->p, S_LET, var->span.start);
	struct script_expr *argument = script_alloc(f->p->c, sizeof(*argument));

	if (!s || !argument)
		return;
	*argument = (struct script_expr){
		.kind = X_WORD, .span = var->span, .name_span = var->span, .name = word
	};
	expr_measure(f->p, argument);
	s->target = var;
	s->type_name = type;
	s->a = argument;
	stmt_measure(f->p, s);
	*f->end = s;
	f->end = &s->next;
}

static bool param_parse(struct function *f)
{
	struct parser *p = f->p;
	struct script_macro *m = f->macro;
	const struct script_type_name *type;
	struct script_expr *var;
	const char *word;

	if (p->in.t.kind != LEX_VAR) {
		syn_expected(p, "a parameter: $name: type");
		return false;
	}
	if (m->param_count == MACRO_PARAMS_MAX) {
		syn_fail(p, p->in.t.span, "a function has at most %d parameters", MACRO_PARAMS_MAX);
		return false;
	}
	word = script_print(p->c, "$%s", p->in.t.bytes);
	for (size_t i = 0; word && i < m->param_count; i++)
		if (!strcmp(m->params[i].name, word))
			syn_fail(p, p->in.t.span, "the function has this parameter twice");
	var = syn_primary(p);
	if (!word || !var || !syn_expect(p, ":", "and a type after the parameter") ||
	    !(type = syn_type(p)))
		return false;
	m->params[m->param_count++] = (struct macro_param){ .name = word, .kind = LEX_NAME };
	param_let(f, var, type, word);
	return !p->c->err;
}

static bool head_parse(struct function *f)
{
	struct parser *p = f->p;

	f->macro->span = p->in.t.span;
	f->macro->name = syn_name(p, "the name of the function");
	if (!f->macro->name || !syn_expect(p, "(", "after the name of the function"))
		return false;
	while (!syn_is(p, ")")) {
		if (!param_parse(f))
			return false;
		if (!syn_accept(p, ","))
			break;
	}
	if (!syn_expect(p, ")", "after the parameters of the function") ||
	    !syn_expect(p, ":", "and the type of its value after the function"))
		return false;
	f->type = syn_type(p);
	f->has_value = f->type &&
		       (f->type->stars || !f->type->name || strcmp(f->type->name, "void"));
	return f->type;
}

void syn_function(struct parser *p)
{
	struct function f = { .p = p, .macro = script_alloc(p->c, sizeof(*f.macro)) };
	struct span span;
	struct script_stmt *body;

	syn_advance(p);
	if (!f.macro)
		return;
	f.end = &f.first;
	f.macro->is_function = true;
	if (!head_parse(&f))
		return;
	body = syn_body(p, &span);
	if (p->c->err)
		return;
	*f.end = body;
	f.macro->body = block_of(&f, f.first);
	if (f.macro->body)
		macro_add(p, f.macro);
}
