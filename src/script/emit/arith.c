/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arith.c - emits operators and conditions.
 *
 * A comparison is signed if one operand is signed and not a literal. Division, remainder and right shift are
 * unsigned, and a division by 0 gives 1, as in bpftrace.
 */
#include "script/emit/gen.h"

/* ---- operators on r0 and r1 ---- */

/* p + n: n counts elements. */
static void pointer_gen(struct sgen *g, struct script_expr *e)
{
	bool left = e->a->type.kind == SCRIPT_POINTER, right = e->b->type.kind == SCRIPT_POINTER;
	uint32_t size = pointee_size(g, left ? &e->a->type : &e->b->type);

	operands_gen(g, e->a, e->b);
	if (size > 1 && left != right)
		emit_alu_imm(g->k, BPF_MUL, left ? BPF_REG_1 : BPF_REG_0, size);
	emit_alu(g->k, alu_op(e->oper), BPF_REG_0, BPF_REG_1);
}

static bool is_pointer(const struct script_expr *e)
{
	return e->type.kind == SCRIPT_POINTER;
}

void binary_gen(struct sgen *g, struct script_expr *e)
{
	if (oper_compares(e->oper)) {
		truth_gen(g, e);
		return;
	}
	if ((is_pointer(e->a) || is_pointer(e->b)) && e->type.kind == SCRIPT_POINTER) {
		pointer_gen(g, e);
		return;
	}
	if (is_plain_constant(e->b, e->oper)) {
		number_gen(g, e->a);
		oper_constant(g, e->oper, e->b->value, &e->type);
		return;
	}
	operands_gen(g, e->a, e->b);
	oper_gen(g, e->oper, &e->type);
}

void unary_gen(struct sgen *g, struct script_expr *e)
{
	if (e->oper == OPER_NOT) {
		truth_gen(g, e);
		return;
	}
	number_gen(g, e->a);
	if (e->oper == OPER_NEGATE)
		emit_negate(g->k, BPF_REG_0);
	else if (e->oper == OPER_COMPLEMENT)
		emit_alu_imm(g->k, BPF_XOR, BPF_REG_0, -1);
	extend_gen(g, BPF_REG_0, unary_size(e), e->type.is_signed);
}

/* ---- conditions ---- */

static bool is_wide_unsigned(const struct script_expr *e)
{
	if (e->is_constant)
		return !e->type.is_signed && e->value < 0;
	return e->type.kind == SCRIPT_POINTER || (!e->type.is_signed && e->type.size == 8);
}

static int jump_op(enum oper oper, bool is_unsigned)
{
	switch (oper) {
	case OPER_EQ: return BPF_JEQ;
	case OPER_NE: return BPF_JNE;
	case OPER_LT: return is_unsigned ? BPF_JLT : BPF_JSLT;
	case OPER_LE: return is_unsigned ? BPF_JLE : BPF_JSLE;
	case OPER_GT: return is_unsigned ? BPF_JGT : BPF_JSGT;
	default: return is_unsigned ? BPF_JGE : BPF_JSGE;
	}
}

static enum oper oper_not(enum oper oper)
{
	switch (oper) {
	case OPER_EQ: return OPER_NE;
	case OPER_NE: return OPER_EQ;
	case OPER_LT: return OPER_GE;
	case OPER_LE: return OPER_GT;
	case OPER_GT: return OPER_LE;
	default: return OPER_LT;
	}
}

static void compare_numbers(struct sgen *g, struct script_expr *e, enum oper oper, int label)
{
	bool is_unsigned = (is_wide_unsigned(e->a) || is_wide_unsigned(e->b)) &&
			   !script_sign_join(&e->a->type, &e->b->type);
	int op = jump_op(oper, is_unsigned);

	if (fits_imm(e->b)) {
		number_gen(g, e->a);
		emit_jump(g->k, op, BPF_REG_0, e->b->value, label);
		return;
	}
	operands_gen(g, e->a, e->b);
	emit_jump_reg(g->k, op, BPF_REG_0, BPF_REG_1, label);
}

static void compare_gen(struct sgen *g, struct script_expr *e, bool if_true, int label)
{
	enum oper oper = if_true ? e->oper : oper_not(e->oper);
	enum script_kind a = e->a->type.kind, b = e->b->type.kind;

	if (a == SCRIPT_STRING || b == SCRIPT_STRING)
		text_branch(g, e->a, e->b, oper == OPER_EQ, label);
	else if (script_is_scalar(&e->a->type) || script_is_number_of_map(&e->a->type))
		compare_numbers(g, e, oper, label);
	else
		bytes_branch(g, e->a, e->b, oper == OPER_EQ, label);
}

/* True if the constant left side decides the result. The right side has no types then. */
static bool decides(const struct script_expr *e)
{
	return e->a->is_constant && constant_truth(e->a) == (e->kind == X_OR);
}

/* Jumps if a && b is true, or if a
 *
 * b is false. */
static void branch_both(struct sgen *g, struct script_expr *e, bool if_true, int label)
{
	int other = label_new(g->k);

	branch_gen(g, e->a, !if_true, other);
	if (!decides(e))
		branch_gen(g, e->b, if_true, label);
	label_bind(g->k, other);
}

static void branch_either(struct sgen *g, struct script_expr *e, bool if_true, int label)
{
	branch_gen(g, e->a, if_true, label);
	if (!decides(e))
		branch_gen(g, e->b, if_true, label);
}

/* A string is true if it is not empty. */
static void branch_text(struct sgen *g, struct script_expr *e, bool if_true, int label)
{
	struct mark m = frame_mark(g);

	place_load(g, 1, BPF_REG_0, image_place(g, e));
	emit_jump(g->k, if_true ? BPF_JNE : BPF_JEQ, BPF_REG_0, 0, label);
	frame_drop(g, m);
}

static void branch_constant(struct sgen *g, struct script_expr *e, bool if_true, int label)
{
	if (constant_truth(e) == if_true)
		emit_goto(g->k, label);
}

void branch_emit(struct sgen *g, struct script_expr *e, bool if_true, int label)
{
	if (g->c->err)
		return;
	if (e->is_constant)
		branch_constant(g, e, if_true, label);
	else if (e->kind == X_UNARY && e->oper == OPER_NOT)
		branch_gen(g, e->a, !if_true, label);
	else if (e->kind == X_AND || e->kind == X_OR)
		((e->kind == X_AND) == if_true ? branch_both : branch_either)(g, e, if_true, label);
	else if (e->kind == X_BINARY && oper_compares(e->oper))
		compare_gen(g, e, if_true, label);
	else if (e->type.kind == SCRIPT_STRING)
		branch_text(g, e, if_true, label);
	else {
		number_gen(g, e);
		emit_jump(g->k, if_true ? BPF_JNE : BPF_JEQ, BPF_REG_0, 0, label);
	}
}

void truth_gen(struct sgen *g, struct script_expr *e)
{
	int is_true = label_new(g->k), end = label_new(g->k);

	branch_gen(g, e, true, is_true);
	emit_move_imm(g->k, BPF_REG_0, 0);
	emit_goto(g->k, end);
	label_bind(g->k, is_true);
	emit_move_imm(g->k, BPF_REG_0, 1);
	label_bind(g->k, end);
}
