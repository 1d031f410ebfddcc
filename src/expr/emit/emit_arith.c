/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_arith.c - operators as instructions on REG_VALUE, and r1 or a constant. Operands are
 * 64-bit numbers.
 */
#include "expr/emit/emit_slot.h"

void gen_bits(struct gen *g, const struct vreg *v)
{
	int left = 64 - v->width - (int)v->imm;

	if (v->width == 32 && !v->imm && !v->sign) {
		emit_move32(g->k, REG_VALUE, REG_VALUE);
		return;
	}
	if (left)
		emit_alu_imm(g->k, BPF_LSH, REG_VALUE, left);
	if (v->width < 64)
		emit_alu_imm(g->k, v->sign ? BPF_ARSH : BPF_RSH, REG_VALUE, 64 - v->width);
}

void gen_unary(struct gen *g, const struct vreg *v)
{
	int zero = label_new(g->k);

	if (v->oper == OPER_NEGATE) {
		emit_negate(g->k, REG_VALUE);
	} else if (v->oper == OPER_COMPLEMENT) {
		emit_alu_imm(g->k, BPF_XOR, REG_VALUE, -1);
	} else {
		emit_move_imm(g->k, BPF_REG_0, 1);
		emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, zero);
		emit_move_imm(g->k, BPF_REG_0, 0);
		label_bind(g->k, zero);
		emit_move(g->k, REG_VALUE, BPF_REG_0);
	}
}

/* ---- two operands ---- */

static int jump_of(enum oper oper, bool is_signed)
{
	switch (oper) {
	case OPER_LT: return is_signed ? BPF_JSLT : BPF_JLT;
	case OPER_GT: return is_signed ? BPF_JSGT : BPF_JGT;
	case OPER_LE: return is_signed ? BPF_JSLE : BPF_JLE;
	case OPER_GE: return is_signed ? BPF_JSGE : BPF_JGE;
	case OPER_EQ: return BPF_JEQ;
	default: return BPF_JNE;
	}
}

static enum oper opposite(enum oper oper)
{
	static const enum oper opposites[] = {
		[OPER_LT] = OPER_GE, [OPER_GE] = OPER_LT, [OPER_GT] = OPER_LE,
		[OPER_LE] = OPER_GT, [OPER_EQ] = OPER_NE, [OPER_NE] = OPER_EQ,
	};

	return opposites[oper];
}

void gen_branch(struct gen *g, const struct vreg *v, const int32_t *constant, bool if_true,
		int label)
{
	int op = jump_of(if_true ? v->oper : opposite(v->oper), v->sign);

	if (constant)
		emit_jump(g->k, op, REG_VALUE, *constant, label);
	else
		emit_jump_reg(g->k, op, REG_VALUE, BPF_REG_1, label);
}

static void gen_comparison(struct gen *g, const struct vreg *v, const int32_t *constant)
{
	int yes = label_new(g->k);

	emit_move_imm(g->k, BPF_REG_0, 1);
	gen_branch(g, v, constant, true, yes);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, yes);
	emit_move(g->k, REG_VALUE, BPF_REG_0);
}

static void gen_absolute(struct gen *g, int reg)
{
	int positive = label_new(g->k);

	emit_jump(g->k, BPF_JSGE, reg, 0, positive);
	emit_negate(g->k, reg);
	label_bind(g->k, positive);
}

/* BPF before 6.6 has only unsigned division: the sign is applied afterwards. */
static void gen_division(struct gen *g, const struct vreg *v)
{
	int op = v->oper == OPER_DIV ? BPF_DIV : BPF_MOD, positive = label_new(g->k);

	if (!v->sign) {
		emit_alu(g->k, op, REG_VALUE, BPF_REG_1);
		return;
	}
	emit_move(g->k, BPF_REG_2, REG_VALUE);
	if (v->oper == OPER_DIV)
		emit_alu(g->k, BPF_XOR, BPF_REG_2, BPF_REG_1);
	gen_absolute(g, REG_VALUE);
	gen_absolute(g, BPF_REG_1);
	emit_alu(g->k, op, REG_VALUE, BPF_REG_1);
	emit_jump(g->k, BPF_JSGE, BPF_REG_2, 0, positive);
	emit_negate(g->k, REG_VALUE);
	label_bind(g->k, positive);
}

static void gen_arithmetic(struct gen *g, const struct vreg *v, const int32_t *constant)
{
	static const uint8_t ops[] = {
		[OPER_MUL] = BPF_MUL, [OPER_ADD] = BPF_ADD, [OPER_SUB] = BPF_SUB,
		[OPER_SHL] = BPF_LSH, [OPER_AND] = BPF_AND, [OPER_XOR] = BPF_XOR,
		[OPER_OR] = BPF_OR,
	};
	int op = v->oper == OPER_SHR ? v->sign ? BPF_ARSH : BPF_RSH : ops[v->oper];

	if (constant) {
		emit_fact(g->k, g->p->plan.values[v->other].fact);
		emit_alu_imm(g->k, op, REG_VALUE, *constant);
	} else {
		emit_alu(g->k, op, REG_VALUE, BPF_REG_1);
	}
}

bool gen_accepts_constant(const struct vreg *v, const struct vreg *number)
{
	int64_t constant = number->imm;

	if (number->fact)
		return v->oper == OPER_SUB || v->oper == OPER_SHR;
	if (v->oper == OPER_DIV || v->oper == OPER_MOD || constant != (int32_t)constant)
		return false;
	/* the verifier refuses a constant shift that is out of range */
	return (v->oper != OPER_SHL && v->oper != OPER_SHR) || (constant >= 0 && constant < 64);
}

void gen_binary(struct gen *g, const struct vreg *v, const int32_t *constant)
{
	if (vreg_compares(v))
		gen_comparison(g, v, constant);
	else if (v->oper == OPER_DIV || v->oper == OPER_MOD)
		gen_division(g, v);
	else
		gen_arithmetic(g, v, constant);
}
