/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_loop.c - @sum, @count and @any → values that a loop sets repeatedly.
 *
 *	again: over? → end
 *	       total = total + EXPR
 *	       round = round + 1; round < most? → again
 *	       over? → end
 *	       cut
 *	end:
 *
 * Every verifier since 5.3 follows such a loop round by round, so the number of rounds has a
 * constant bound, which also ends the walk of a list that is circular, or garbage. What the bound
 * leaves out is counted as a cut value.
 *
 * All rounds must look the same after the loop, or the verifier follows the code there once for
 * each. So it may not learn how many rounds were made (^ tells it less than <), nor the result.
 */
#include "expr/lower/lower.h"
#include "expr/ctype.h"

struct loop {
	const struct node *n;
	int total, round; /* PHIs */
	int at;		  /* list: PHI, the link of the current element */
	int limit;	  /* the number of rounds; of a list, the address that ends it */
	int again, end, next;
	int64_t most;
};

static struct ctype word(bool is_signed)
{
	return ctype_int(8, is_signed);
}

/* ---- lists ---- */

int plan_element(struct compile *c, const struct node *n)
{
	struct lvalue at = { .base = c->loop->value, .link = n->span };

	at.off = -(int64_t)(n->bit_offset / 8);
	return lvalue_address(c, &at);
}

static int head_address(struct compile *c, const struct node *n)
{
	struct lvalue at;

	if (ctype_is_pointer(c->in->btf, n->type))
		return plan_scalar(c, plan_value_of(c, n));
	at = lvalue_of(c, n);
	return plan_scalar(c, lvalue_address(c, &at));
}

/* Loads the pointer to the next element. */
static int link_read(struct compile *c, int base, int off, struct span link)
{
	struct lvalue at = { .base = base, .off = off, .link = link };

	return plan_scalar(c, lvalue_load(c, VREG_LOAD, &at, 8, true));
}

static void list_begin(struct compile *c, struct loop *l)
{
	const struct node *list = l->n->list;
	int head = head_address(c, list->child);

	l->limit = list->is_hlist ? plan_constant(c, 0) : head;
	l->at = plan_phi(c);
	ir_set(c, l->at, link_read(c, head, list->first_at, list->child->span));
}

/* ---- the loop ---- */

/* A 0 that the verifier does not know. */
static int unknown_zero(struct compile *c)
{
	int value = ir_source(c, VREG_BUILTIN, BUILTIN_UID);

	return plan_operation(c, OPER_SUB, value, value, word(false));
}

/* The number of rounds; a negative one counts as 0. */
static int limit_of(struct compile *c, const struct node *n)
{
	struct vreg not_negative = { .op = VREG_UNARY, .oper = OPER_COMPLEMENT, .other = -1 };
	int value = plan_number_of(c, n);

	if (!ctype_is_signed(c->in->btf, n->type) || n->kind == NODE_NUMBER)
		return value;
	not_negative.base = plan_operation(c, OPER_SHR, value, plan_constant(c, 63), word(true));
	return plan_operation(c, OPER_AND, ir_add(c, ir_value(c, not_negative), -1), value,
			      word(false));
}

static void loop_begin(struct compile *c, struct loop *l)
{
	const struct node *count = l->n->child;

	if (l->n->list)
		list_begin(c, l);
	else
		l->limit = limit_of(c, count);
	if (count && count->kind == NODE_NUMBER && !count->fact)
		l->most = count->number;
	l->total = plan_phi(c);
	l->round = plan_phi(c);
	ir_set(c, l->total, l->n->loop == LOOP_ANY ? plan_constant(c, 0) : unknown_zero(c));
	ir_set(c, l->round, plan_constant(c, 0));
}

/* Goes to the end if nothing is left. */
static void check_over(struct compile *c, const struct loop *l)
{
	int at = l->n->list ? l->at : l->round;

	ir_control(c, IR_IF_ZERO, plan_operation(c, OPER_XOR, at, l->limit, word(false)), l->end);
}

/* After the last round: counts a cut if something is left. */
static void check_cut(struct compile *c, const struct loop *l)
{
	int most = plan_constant(c, l->most);

	ir_control(c, IR_IF_ZERO,
		   l->n->list ? plan_operation(c, OPER_XOR, l->limit, l->at, word(false)) :
				plan_operation(c, OPER_GT, l->limit, most, word(false)),
		   l->end);
	ir_control(c, IR_CUT, -1, 0);
}

static void add_to_total(struct compile *c, const struct loop *l, int value)
{
	ir_set(c, l->total, plan_operation(c, OPER_ADD, l->total, value, word(false)));
}

static void loop_body(struct compile *c, const struct loop *l)
{
	const struct node *body = l->n->other;

	if (l->n->loop == LOOP_SUM) {
		add_to_total(c, l, plan_number_of(c, body));
	} else if (l->n->loop == LOOP_COUNT) {
		add_to_total(c, l, plan_truth(c, body));
	} else {
		ir_control(c, IR_IF_ZERO, plan_number_of(c, body), l->next);
		ir_set(c, l->total, plan_constant(c, 1));
		ir_control(c, IR_GOTO, -1, l->end);
		ir_control(c, IR_LABEL, -1, l->next);
	}
}

/* The counter is in a register at the jump back, so verifiers see that no two rounds are alike. */
static void loop_step(struct compile *c, const struct loop *l)
{
	const struct node *list = l->n->list;
	int next;

	if (list)
		ir_set(c, l->at, link_read(c, l->at, list->next_at, list->span));
	next = plan_operation(c, OPER_ADD, l->round, plan_constant(c, 1), word(false));
	ir_set(c, l->round, next);
	ir_control(c, IR_IF_NOT,
		   plan_operation(c, OPER_LT, next, plan_constant(c, l->most), word(false)),
		   l->again);
}

int plan_loop(struct compile *c, const struct node *n)
{
	struct loop l = {
		.n = n,
		.again = ir_label(c),
		.end = ir_label(c),
		.next = ir_label(c),
		.most = LOOP_ROUNDS,
	};
	struct loop_scope scope = { 0 };
	size_t branch;

	loop_begin(c, &l);
	scope.value = n->list ? l.at : l.round;
	branch = branch_begin(c);
	ir_control(c, IR_LABEL, -1, l.again);
	if (c->err)
		return -1;
	ir_add(c, l.total, -1);
	ir_add(c, l.round, -1);
	ir_add(c, scope.value, -1);
	check_over(c, &l);
	c->loop = &scope;
	if (!c->err)
		loop_body(c, &l);
	c->loop = NULL;
	if (!c->err)
		loop_step(c, &l);
	if (l.most == LOOP_ROUNDS)
		check_cut(c, &l);
	ir_control(c, IR_LABEL, -1, l.end);
	branch_end(c, branch);
	return ir_add(c, l.total, -1);
}
