/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_filter.c - the plan of a filter: the operands of && are evaluated one after the other, the
 * cheapest first, and the first false one ends the program.
 *
 * The order has no visible effect: an operand that cannot be evaluated rejects the call, just as a
 * false one does.
 */
#include "expr/lower/lower.h"


enum { PARTS_MAX = 64 };

struct part {
	const struct node *n;
	unsigned cost;
};

/* The approximate number of instructions: a typed hop 3, one by helper 60 or more. */
static unsigned cost_of(struct compile *c, const struct node *n)
{
	unsigned cost = 1;

	if (!n)
		return 0;
	if (n->kind == NODE_BUILTIN)
		cost = n->builtin && n->builtin->header < 0 ? 100 : 5;
	else if (n->place == CATEGORY_LVALUE && (n->kind == NODE_ARROW || n->kind == NODE_DEREF))
		cost = c->in->target.typed_loads ? 3 : 90;
	else if (n->kind == NODE_STRING)
		cost = 150;
	if (n->kind == NODE_BINARY && n->oper == OPER_MATCH)
		cost += 200;
	if (n->kind == NODE_PATH)
		cost += 1000;
	return cost + cost_of(c, n->child) + cost_of(c, n->other) + cost_of(c, n->third);
}

static size_t parts_take(struct compile *c, const struct node *n, struct part *parts, size_t count)
{
	if (n->kind == NODE_AND && count + 2 <= PARTS_MAX) {
		count = parts_take(c, n->child, parts, count);
		return parts_take(c, n->other, parts, count);
	}
	if (count < PARTS_MAX)
		parts[count] = (struct part){ n, cost_of(c, n) };
	return count + 1;
}

/* A stable sort. */
static void parts_sort(struct part *parts, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct part p = parts[i];
		size_t j = i;

		for (; j && parts[j - 1].cost > p.cost; j--)
			parts[j] = parts[j - 1];
		parts[j] = p;
	}
}

void plan_condition(struct compile *c, const struct node *n)
{
	struct part parts[PARTS_MAX];
	size_t count = parts_take(c, n, parts, 0);

	if (count > PARTS_MAX) {
		compile_fail(c, n->span, "more than %d conditions", PARTS_MAX);
		return;
	}
	parts_sort(parts, count);
	for (size_t i = 0; i < count && !c->err; i++)
		ir_control(c, IR_IF_ZERO, plan_number_of(c, parts[i].n), LABEL_REJECT);
}
