/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bt_pair_check.c - what keeps two probes from being a pair. A map of bpftrace's holds a value until it is
 * stored again or deleted; a pair's begin is gone with its end. Both say the same of a program only if its end
 * deletes what it reads, whenever it has read it, and nobody else uses it.
 */
#include <string.h>

#include "front/notation/bt.h"

/* ---- the maps of a begin ---- */

static bool keeps(const struct bt_clause *begin, const struct notation_node *store)
{
	return store && store->kind == NOTATION_STORE && bt_keep_find(begin, store->text);
}

struct looking {
	struct bt *b;
	const struct bt_clause *begin;
	const struct notation_node *found; /* the first of its maps */
};

static void look(void *ctx, const struct notation_node *node)
{
	struct looking *l = ctx;

	if (!l->found && keeps(l->begin, node))
		l->found = node;
}

static const struct notation_node *read_in(struct bt *b, const struct bt_clause *begin,
					   const struct notation_node *node)
{
	struct looking l = { b, begin, NULL };

	notation_walk(node, look, &l);
	return l.found;
}

/* ---- what the begin does ---- */

static bool is_unconditional(const struct bt_clause *begin)
{
	for (const struct bt_action *a = begin->actions; a; a = a->next)
		if (a->what == BT_KEEP && a->condition)
			return false;
	return !begin->filter;
}

static void keeps_check(struct bt *b, const struct bt_clause *begin)
{
	const struct bt_action *first = NULL;

	for (const struct bt_action *a = begin->actions; a; a = a->next) {
		if (a->what != BT_KEEP)
			continue;
		if (bt_keep_find(begin, a->target->text) != a)
			notation_fail_node(b->n, a->target, "COND ? A : B is one value",
					   "%s is stored twice", a->target->text);
		first = first ?: a;
		if (a->condition != first->condition)
			notation_fail(b->n, a->start, a->end, "/FILTER/ of the whole probe",
				      "what a begin keeps has one condition");
		else if (!notation_same_list(first->target->kid, a->target->kid))
			notation_fail_node(b->n, a->target, "a pair has one key",
					   "this has other keys than %s", first->target->text);
	}
}

/* ---- what the end does ---- */

static bool is_cleared_at_end(const struct bt *b, const char *map)
{
	for (size_t i = 0; i < b->clause_count; i++)
		for (const struct bt_action *a = b->clauses[i].actions; a; a = a->next)
			if (b->clauses[i].probes[0].kind == BT_ENDING && a->what == BT_CLEAR &&
			    !strcmp(a->target->text, map))
				return true;
	return false;
}

static bool is_deleted(const struct bt_clause *end, const struct notation_node *store)
{
	for (const struct bt_action *a = end->actions; a; a = a->next)
		if (a->what == BT_DELETE && !a->condition && notation_same(a->target, store))
			return true;
	return false;
}

/* Every entry of a call stores anew what the return reads: nothing of an older one is left. */
static bool is_renewed(const struct bt *b, const struct bt_clause *end, const char *map)
{
	return end->is_return && is_unconditional(end->begin) && is_cleared_at_end(b, map);
}

static void deleted_check(struct bt *b, const struct bt_clause *end,
			  const struct notation_node *read)
{
	if (is_deleted(end, read) || is_renewed(b, end, read->text))
		return;
	notation_fail_node(b->n, read,
			   notation_print(b->n,
					  "delete(%s), whenever it was there: a pair ends once",
					  notation_copy(b->n, read->start, read->end)),
			   "%s keeps its value, as nothing deletes it", read->text);
}

struct reads {
	struct bt *b;
	const struct bt_clause *end;
};

static void read_check(void *ctx, const struct notation_node *node)
{
	const struct reads *r = ctx;
	const struct bt_action *keep;

	if (!keeps(r->end->begin, node))
		return;
	keep = bt_keep_find(r->end->begin, node->text);
	if (!notation_same_list(node->kid, r->end->read->kid))
		notation_fail_node(r->b->n, node, "a pair has one key",
				   "this has other keys than %s before it", r->end->read->text);
	else if (!node->kid != !keep->target->kid)
		notation_fail_node(r->b->n, node, NULL, "this is stored with other keys");
	else
		deleted_check(r->b, r->end, node);
}

static void list_check(struct reads *r, const struct notation_node *node)
{
	for (; node; node = node->next)
		notation_walk(node, read_check, r);
}

static void end_check(struct bt *b, const struct bt_clause *end)
{
	struct reads r = { b, end };

	if (end->filter)
		list_check(&r, end->filter);
	for (const struct bt_action *a = end->actions; a && !b->n->failed; a = a->next) {
		if (a->what == BT_KEEP && keeps(end->begin, a->target))
			notation_fail(b->n, a->start, a->end, "delete(@x[KEY]) ends a pair",
				      "the end of a pair cannot store again what it reads");
		if (a->what == BT_DELETE && a->condition && keeps(end->begin, a->target))
			notation_fail(b->n, a->start, a->end, "delete it behind the if",
				      "a pair ends whenever its end finds what began");
		if (a->condition)
			notation_walk(a->condition, read_check, &r);
		list_check(&r, a->what == BT_REPORT ? NULL : a->value);
		list_check(&r, a->target && a->what != BT_DELETE ? a->target->kid : NULL);
	}
}

/* ---- conditions ---- */

struct asking {
	struct bt *b;
	const struct bt_clause *end;
	bool is_filter;
	bool asks; /* one is whether it has begun */
};

/* In a pair that is no call, the filter decides which events end it; an if only decides what is
 * shown. */
static void side_check(struct asking *a, const struct notation_node *node)
{
	bool of_begin = read_in(a->b, a->end->begin, node);

	if (a->end->is_return && is_unconditional(a->end->begin))
		return;
	if (a->is_filter && of_begin)
		notation_fail_node(a->b->n, node,
				   "an if () { … } around what is printed, with delete() behind it",
				   "what this leaves alone would not be deleted");
	else if (!a->is_filter && !of_begin)
		notation_fail_node(a->b->n, node, "as a /FILTER/ it decides what ends the pair",
				   "this pair would go on where this is false");
}

static void operands_check(struct asking *a, const struct notation_node *node)
{
	node = notation_bare(node);
	if (node->kind == NOTATION_BINARY && !strcmp(node->text, "&&")) {
		operands_check(a, node->kid);
		operands_check(a, node->kid->next);
	} else if (bt_asks_begin(a->end, node)) {
		a->asks = true;
	} else {
		side_check(a, node);
	}
}

static void asked_check(struct bt *b, const struct bt_clause *end)
{
	struct asking a = { b, end, true, false };
	const struct bt_action *first = NULL;

	if (end->filter)
		operands_check(&a, end->filter);
	a.is_filter = false;
	for (const struct bt_action *x = end->actions; x && !b->n->failed; x = x->next) {
		if (!x->condition ||
		    (x->what != BT_PRINTF && x->what != BT_VALUES && x->what != BT_MEASURE))
			continue;
		first = first ?: x;
		if (x == first || x->condition != first->condition)
			operands_check(&a, x->condition);
	}
	if (a.asks || (end->is_return && is_unconditional(end->begin)) || b->n->failed)
		return;
	notation_fail_node(
		b->n, end->read,
		notation_print(b->n, "/%s/ { … }",
			       notation_copy(b->n, end->read->start, end->read->end)),
		"where %s was not stored, this is 0: argdump shows ends of what has begun",
		end->read->text);
}

/* ---- who else uses it ---- */

static void other_check(struct bt *b, const struct bt_clause *c, const struct bt_clause *end)
{
	enum bt_kind kind = c->probes[0].kind;

	if (c->begin == end->begin)
		notation_fail(b->n, c->start, c->end, "two runs",
			      "a second probe ends the same pair");
	for (const struct bt_action *a = c->actions; a && !b->n->failed; a = a->next)
		if (keeps(end->begin, a->target) && !(kind == BT_ENDING && a->what == BT_CLEAR) &&
		    !(kind == BT_BEGIN && a->what != BT_KEEP))
			notation_fail_node(
				b->n, a->target,
				a->what == BT_KEEP ? "KIND:A,KIND:B { … } keeps it at both" :
						     "only the end of the pair deletes it",
				a->what == BT_KEEP ? "a second probe stores %s" :
						     "%s belongs to a pair of other probes",
				a->target->text);
}

/* A pair of two different probes has its own tables of what has begun. */
static void third_check(struct bt *b, const struct bt_clause *end)
{
	for (size_t i = 0; i < b->clause_count; i++) {
		const struct bt_clause *c = &b->clauses[i];

		if (c != end && c != end->begin && c->probes[0].kind < BT_INTERVAL)
			notation_fail(b->n, c->start, c->end,
				      "run it by itself: argdump PROBE --until PROBE2",
				      "a pair of two probes cannot be combined with a third");
	}
}

static void begin_check(struct bt *b, const struct bt_clause *end)
{
	const struct bt_clause *begin = end->begin;

	if (begin->begin)
		notation_fail(b->n, begin->start, begin->end, "two of the three in a run",
			      "this probe ends one pair, and begins another");
	for (const struct bt_action *a = begin->actions; a; a = a->next)
		if (a->what == BT_DELETE || a->what == BT_CLEAR)
			notation_fail(b->n, a->start, a->end, NULL,
				      "the begin of a pair cannot delete");
	if (!b->n->failed)
		keeps_check(b, begin);
}

void bt_pair_check(struct bt *b, const struct bt_clause *end)
{
	begin_check(b, end);
	for (size_t i = 0; i < b->clause_count && !b->n->failed; i++)
		if (&b->clauses[i] != end && &b->clauses[i] != end->begin)
			other_check(b, &b->clauses[i], end);
	if (!b->n->failed)
		end_check(b, end);
	if (!b->n->failed)
		asked_check(b, end);
	if (!b->n->failed && !end->is_call)
		third_check(b, end);
}
