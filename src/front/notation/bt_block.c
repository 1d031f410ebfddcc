/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_block.c - blocks of statements: those under a condition, and loops, which are written out.
 */
#include "front/notation/bt.h"

enum { IFS_MAX = 16, ROUNDS_MAX = 256 };

/* ---- if ---- */

static struct notation_node *both(struct bt_block *k, struct notation_node *a,
				  struct notation_node *b)
{
	struct notation *n = k->b->n;
	struct notation_node *left = a ? notation_node(n, NOTATION_PAREN, "", a) : NULL;
	struct notation_node *right = notation_node(n, NOTATION_PAREN, "", b);

	if (!left || !right)
		return right;
	left->next = right;
	return notation_node(n, NOTATION_BINARY, "&&", left);
}

static struct notation_node *opposite(struct bt_block *k, struct notation_node *a)
{
	struct notation_node *paren = notation_node(k->b->n, NOTATION_PAREN, "", a);

	return paren ? notation_node(k->b->n, NOTATION_PREFIX, "!", paren) : NULL;
}

static void block_take(struct bt_block *k)
{
	struct notation *n = k->b->n;

	notation_expect(n, "{");
	while (!n->failed && n->token != NOTATION_END && !notation_is(n, "}")) {
		bt_statement_take(k);
		k->is_skipped |= k->is_left && *k->is_left;
	}
	notation_expect(n, "}");
}

/* A block that may not be done: what it gives its own $x is not known behind it. */
static void block_maybe_take(struct bt_block *k, bool is_known)
{
	size_t vars = k->b->n->var_count;

	block_take(k);
	if (!is_known)
		k->b->n->var_count = vars;
}

/* ---- loops whose rounds are known: each is written out ---- */

/* while (condition) { … }, unroll (count) { … } */
void bt_loop_take(struct bt_block *k, bool is_counted)
{
	struct notation *n = k->b->n;
	size_t word = n->start, word_end = n->end, from, limit = n->limit;
	bool is_left = false;

	from = n->end;
	for (int64_t round = 0; !n->failed; round++) {
		struct bt_block inner = *k;
		struct notation_node *asked;
		struct notation_const value;
		bool goes_on;

		notation_read(n, from, limit);
		asked = notation_expr(n);
		if (!asked)
			return;
		if (++inner.ifs > IFS_MAX || round == ROUNDS_MAX)
			notation_fail(
				n, word, word_end,
				"a loop is written out: at most 256 rounds, which end by what is known beforehand",
				"there are too many rounds");
		else if (!notation_const(n, asked, &value) || value.text)
			notation_fail(
				n, word, word_end,
				"only loops whose rounds are known beforehand can be written out",
				"a program of argdump's has no loops");
		goes_on = !n->failed && !k->is_skipped &&
			  (is_counted ? round < value.number : value.number);
		inner.is_skipped |= !goes_on;
		inner.is_left = &is_left;
		inner.outside = k->condition;
		block_take(&inner);
		if (!goes_on || is_left)
			return;
	}
}

void bt_break_take(struct bt_block *k)
{
	struct notation *n = k->b->n;

	if (!k->is_left || k->condition != k->outside)
		notation_fail(n, n->start, n->end, NULL,
			      "when this loop ends must be known beforehand");
	else if (!k->is_skipped)
		*k->is_left = k->is_skipped = true;
	notation_next(n);
}

void bt_if_take(struct bt_block *k)
{
	struct notation *n = k->b->n;
	struct bt_block inner = *k;
	struct notation_node *condition;
	struct notation_const known;
	bool is_known;

	if (++inner.ifs > IFS_MAX)
		notation_fail(n, n->start, n->end, NULL, "this is nested too deeply");
	notation_next(n);
	condition = notation_expr(n);
	if (!condition)
		return;
	is_known = notation_const(n, condition, &known);
	inner.is_skipped |= is_known && !known.text && !known.number;
	if (!is_known)
		inner.condition = both(k, k->condition, condition);
	block_maybe_take(&inner, is_known);
	if (!notation_accept(n, "else"))
		return;
	inner.is_skipped = k->is_skipped || (is_known && (known.text || known.number));
	if (!is_known)
		inner.condition = both(k, k->condition, opposite(k, condition));
	if (notation_is(n, "if"))
		bt_if_take(&inner);
	else
		block_maybe_take(&inner, is_known);
}
