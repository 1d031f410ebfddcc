/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settle.c - decides which blocks and ifs are statements, and checks that all others have a value.
 */
#include "script/syntax/parser.h"

/* True if this if or block has a value. */
static bool has_value(const struct script_expr *e)
{
	if (e->kind == X_BLOCK)
		return e->a && has_value(e->a);
	if (e->is_if)
		return e->c && has_value(e->b) && has_value(e->c);
	return true;
}

/* Returns the statements of a block whose value is not used. */
static struct script_stmt *block_stmts(struct parser *p, struct script_expr *block)
{
	struct script_stmt **end = &block->body;

	while (*end)
		end = &(*end)->next;
	if (block->a) {
		*end = stmt_new(p, S_EXPR, block->a->span.start);
		if (!*end)
			return NULL;
		(*end)->span = block->a->span;
		(*end)->a = block->a;
		block->a = NULL;
	}
	stmts_settle(p, block->body);
	return block->body;
}

/* Turns `if … else …` into a statement. Either branch may be empty. */
static void if_settle(struct parser *p, struct script_stmt *s, struct script_expr *e)
{
	s->kind = S_IF;
	s->a = e->a;
	expr_settle(p, e->a);
	s->body = block_stmts(p, e->b);
	if (!e->c)
		return;
	if (e->c->kind == X_BLOCK) {
		s->otherwise = block_stmts(p, e->c);
		return;
	}
	s->otherwise = stmt_new(p, S_IF, e->c->span.start);
	if (!s->otherwise)
		return;
	s->otherwise->span = e->c->span;
	if_settle(p, s->otherwise, e->c);
}

static void value_check(struct parser *p, const struct script_expr *e)
{
	if ((e->kind != X_BLOCK && !e->is_if) || has_value(e))
		return;
	if (e->is_if)
		syn_fail(p, e->span,
			 "this 'if' has no value: it needs an else, and a value in both blocks");
	else
		syn_fail(p, e->span,
			 "this block has no value: end it with an expression without a ';'");
	script_hint(p->c, "if ($a > 0) { $a } else { 0 }");
}

void expr_settle(struct parser *p, struct script_expr *e)
{
	if (!e || p->c->err)
		return;
	value_check(p, e);
	expr_settle(p, e->a);
	expr_settle(p, e->b);
	expr_settle(p, e->c);
	for (size_t i = 0; i < e->count; i++)
		expr_settle(p, e->items[i]);
	stmts_settle(p, e->body);
	if (e->type_name && e->type_name->of)
		expr_settle(p, (struct script_expr *)e->type_name->of);
}

void stmts_settle(struct parser *p, struct script_stmt *s)
{
	for (; s && !p->c->err; s = s->next) {
		struct script_expr *e = s->a;

		if (s->kind == S_EXPR && e->kind == X_BLOCK) {
			s->kind = S_BLOCK;
			s->a = NULL;
			s->body = block_stmts(p, e);
			continue;
		}
		if (s->kind == S_EXPR && e->is_if) {
			if_settle(p, s, e);
			continue;
		}
		expr_settle(p, s->target);
		expr_settle(p, s->a);
		expr_settle(p, s->b);
		stmts_settle(p, s->body);
		stmts_settle(p, s->otherwise);
	}
}
