/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair.c - a pair of probes: the expressions of both sides become slots of one side each.
 *
 * A slot without @end( ) and $lat is the begin's. Any other is the end's: in it, each part
 * outside of @end( ) that is not constant becomes a hidden slot of the begin, and a node that
 * reads what the begin kept.
 *
 *	@end(nr) - nr	→	begin: nr, kept	  end: nr - kept
 *
 * Conditions are split at their outermost &&, so that each operand decides on its own side: the
 * begin's what begins, the end's what ends, and those that need both what is shown.
 */
#include "expr/resolve/format.h"
#include "expr/resolve/resolve.h"

#include <string.h>

#include "expr/ctype.h"
#include "expr/syntax/syntax.h"
#include "expr/syntax/parser.h"

/* ---- conditions ---- */

size_t pair_terms_most(const struct compile *c)
{
	size_t count = c->in->condition_count;

	for (size_t i = 0; i < c->in->condition_count; i++)
		for (const char *at = c->in->conditions[i]; (at = strstr(at, "&&")); at += 2)
			count++;
	return count;
}

/* The nesting of parentheses and brackets after the token. */
static int depth_after(const struct parser *p, const struct token *t, int depth)
{
	if (token_is(p, t, "(") || token_is(p, t, "["))
		return depth + 1;
	return depth - (token_is(p, t, ")") || token_is(p, t, "]"));
}

/* True if an operator that binds less than && is outside of parentheses. */
static bool is_one_term(const struct parser *p)
{
	int depth = 0;

	for (const struct token *t = p->t; t->kind != TOKEN_END; t++) {
		depth = depth_after(p, t, depth);
		if (!depth && (token_is(p, t, "||") || token_is(p, t, "?") || token_is(p, t, "??")))
			return true;
	}
	return false;
}

/* Sets the tokens of one operand. A TOKEN_END replaces the operator after it. */
static void term_tokens(struct compile *c, struct slot *s, const struct token *from, size_t count)
{
	struct token *tokens = compile_alloc(c, (count + 1) * sizeof(*tokens));

	if (!tokens)
		return;
	memcpy(tokens, from, (count + 1) * sizeof(*tokens));
	tokens[count] = (struct token){ .kind = TOKEN_END, .span = from[count].span };
	s->tokens = tokens;
	s->token_count = count + 1;
}

/* Splits condition `i`, whose tokens are in the last slot, at its outermost &&. That slot becomes the
 * slot of the first operand; a slot is added for each of the others. */
static void add_terms(struct compile *c, size_t i)
{
	struct slot *s = &c->p->slots[c->p->slot_count - 1];
	const struct parser p = { .c = c, .slot = s, .t = s->tokens };
	const struct token *from = p.t;
	bool whole = is_one_term(&p);
	int depth = 0;

	for (const struct token *t = from; !c->err; t++) {
		bool ends = t->kind == TOKEN_END || (!whole && !depth && token_is(&p, t, "&&"));

		depth = depth_after(&p, t, depth);
		if (!ends)
			continue;
		term_tokens(c, s, from, t - from);
		s->input = i;
		if (t->kind == TOKEN_END)
			return;
		slot_add(c, c->in->conditions[i]);
		s = &c->p->slots[c->p->slot_count - 1];
		from = t + 1;
	}
}

void pair_add_condition(struct compile *c, size_t i)
{
	slot_add(c, c->in->conditions[i]);
	if (c->err)
		return;
	c->slot = &c->p->slots[c->p->slot_count - 1];
	c->slot->input = i;
	if (c->in->pair)
		expr_lex(c, c->slot);
	if (c->in->pair && !c->err)
		add_terms(c, i);
	c->slot = NULL;
}

/* ---- keys ---- */

static struct slot *hidden_add(struct compile *c, enum slot_role role, const char *text,
			       size_t input)
{
	struct slot *s = &c->p->slots[c->p->hidden_first + c->p->hidden_count];

	if (c->p->hidden_count == PAIR_HIDDEN_MAX) {
		compile_fail(c, (struct span){}, "the end needs more than %d values of the begin",
			     PAIR_KEPT_MAX);
		return s - 1;
	}
	c->p->hidden_count++;
	s->role = role;
	s->text = text;
	s->input = input;
	return s;
}

/* The key without --on. An exec by another thread than the first one changes that thread's number, and the address of a
 * task is soon another one's: only the canary, a random number, is the task's own from its creation to its end. */
static const char *default_key(const struct compile *c)
{
	const struct expr_pair *pair = c->in->pair;
	const struct expr_target *t = &c->in->target;
	bool reads = pair->begin->target.probe_read && pair->end->target.probe_read;

	return t->task_struct_id && (t->current_task_btf || reads) ? "$task->stack_canary ?? $tid" :
								     "$tid";
}

void pair_add_keys(struct compile *c)
{
	const struct expr_pair *pair = c->in->pair;
	const struct expr_aggregate *a = c->in->run.aggregate;
	size_t first = c->in->count + c->in->condition_count +
		       (a ? a->count : c->in->run.diff_count);

	for (size_t i = 0; i < 2 * (pair->key_count ?: 1) && !c->err; i++) {
		const char *text = pair->key_count ? pair->keys[i / 2] : default_key(c);
		struct slot *s = hidden_add(
			c, SLOT_KEY, arena_text(&c->p->arena, text, strlen(text)), first + i / 2);

		if (!s->text)
			c->err = -ENOMEM;
		s->at_end = i % 2;
	}
}

/* ---- the side of a slot ---- */

static bool is_latency(const struct slot *s, const struct node *n)
{
	static const char name[] = "$lat";
	const size_t len = sizeof(name) - 1;

	return n->kind == NODE_BUILTIN && n->name.end - n->name.start == len &&
	       !memcmp(s->text + n->name.start, name, len);
}

static bool has_end(const struct slot *s, const struct node *n)
{
	return n && (n->kind == NODE_END || is_latency(s, n) || has_end(s, n->child) ||
		     has_end(s, n->other) || has_end(s, n->third));
}

static bool is_constant(const struct node *n)
{
	return !n || n->kind == NODE_NUMBER || n->kind == NODE_STRING ||
	       (n->kind != NODE_NAME && n->kind != NODE_INSIDE && n->kind != NODE_BUILTIN &&
		n->kind != NODE_SYMBOL && n->kind != NODE_KEPT && is_constant(n->child) &&
		is_constant(n->other) && is_constant(n->third));
}

/* Resolves a part of an expression at the begin. Returns the node that replaces it. */
static struct node *kept_node(struct compile *c, struct slot *s, struct node *n)
{
	struct node *kept;
	struct slot *hidden;

	if (is_constant(n))
		return n;
	compile_side(c, false);
	resolve_node(c, n);
	resolve_kept_check(c, n, "what the end computes with");
	compile_side(c, true);
	if (c->err || is_constant(n))
		return n;
	hidden = hidden_add(c, SLOT_KEPT, s->text, s->input);
	kept = compile_node(c, n, NODE_KEPT, n->type, NULL, NULL);
	if (c->err)
		return n;
	hidden->root = n;
	hidden->at_return = c->in->pair->begin->scope == EXPR_SCOPE_CALL;
	kept->name = n->name;
	kept->number = hidden - c->p->slots;
	s->needs_kept = true;
	return kept;
}

static struct node *part(struct compile *c, struct slot *s, struct node *n)
{
	if (!n || c->err)
		return n;
	if (n->kind == NODE_END) {
		if (has_end(s, n->child))
			compile_fail(c, n->span,
				     "inside @end( ) everything is evaluated at the end");
		return n->child;
	}
	if (is_latency(s, n)) {
		s->needs_kept = true;
		return n;
	}
	if (!has_end(s, n))
		return kept_node(c, s, n);
	if (n->kind == NODE_LOOP)
		compile_fail(c, n->span,
			     "a loop is evaluated at the begin or, inside @end( ), at the end");
	n->child = part(c, s, n->child);
	n->other = part(c, s, n->other);
	n->third = part(c, s, n->third);
	return n;
}

/* If the begin is a whole call, its return computes the key, what the end needs, and what is
 * counted, from the parameters that the entry kept. */
static void slot_of_return(const struct compile *c, struct slot *s)
{
	bool shown = s < c->p->slots + c->p->slot_count;

	if (s < c->p->slots + c->p->filter_count || (shown && !c->in->run.aggregate))
		return;
	s->at_return |= c->in->pair->begin->scope == EXPR_SCOPE_CALL && !s->at_end;
}

static void slot_split(struct compile *c, struct slot *s)
{
	if (!has_end(s, s->root) && !has_end(s, s->format.bytes)) {
		slot_of_return(c, s);
		return;
	}
	s->at_end = true;
	if (s->root->kind == NODE_END)
		s->ret = s->root->span;
	compile_side(c, true);
	s->root = part(c, s, s->root);
	s->format.bytes = part(c, s, s->format.bytes);
	compile_side(c, false);
	if (c->in->pair->open && s->needs_kept && s < c->p->slots + c->p->filter_count)
		compile_fail(
			c, s->root->span,
			"--open is about pairs without an end: they have no values of the end");
}

/* EXPR is the same text on both sides; EXPR == @end(EXPR) has one for each. */
static void key_split(struct compile *c, struct slot *s)
{
	struct node *n = s->root, *end = n->other;

	if (!has_end(s, n))
		return;
	if (n->kind != NODE_BINARY || n->oper != OPER_EQ ||
	    (n->child->kind != NODE_END) == (n->other->kind != NODE_END)) {
		compile_fail(c, n->span, "a key is EXPR, or EXPR == @end(EXPR)");
		return;
	}
	if (n->child->kind == NODE_END) {
		end = n->child;
		n->child = n->other;
	}
	s->root = s->at_end ? end->child : n->child;
}

/* Sorts conditions of one side before those that need both. */
static void filters_sort(struct compile *c)
{
	struct slot *slots = c->p->slots;

	for (size_t i = 1; i < c->p->filter_count; i++) {
		struct slot s = slots[i];
		size_t j = i;

		for (; j && slots[j - 1].needs_kept && !s.needs_kept; j--)
			slots[j] = slots[j - 1];
		slots[j] = s;
	}
}

void pair_split(struct compile *c)
{
	struct expr_program *p = c->p;
	size_t keys = p->hidden_first + p->hidden_count;

	for (size_t i = 0; i < p->slot_count && !c->err; i++) {
		c->slot = &p->slots[i];
		slot_split(c, c->slot);
	}
	for (size_t i = p->hidden_first; i < keys && !c->err; i++) {
		c->slot = &p->slots[i];
		key_split(c, c->slot);
		slot_of_return(c, c->slot);
	}
	c->slot = NULL;
	filters_sort(c);
}

void pair_format(struct compile *c, struct slot *s)
{
	format_scalar(s, FIELD_UINT, 8);
	format_refuse(c, s, s->role == SLOT_INSIDE ? "what @in( ) keeps" : "a key");
	if (s->role == SLOT_INSIDE) {
		compile_hint(c, "put the format after it: NAME=@in(EXPR):str");
		resolve_kept_check(c, s->root, "what @in( ) keeps");
	}
	if (s->role == SLOT_KEY)
		resolve_kept_check(c, s->root, "a key");
}
