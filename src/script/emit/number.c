/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * number.c - emits operations on numbers in registers: sizes, operators, constants. Of expressions it knows only
 * constants and the size of an operand.
 */
#include "script/emit/gen.h"

/* ---- sizes ---- */

void extend_gen(struct sgen *g, int reg, uint32_t size, bool is_signed)
{
	if (size >= 8)
		return;
	if (is_signed) {
		emit_alu_imm(g->k, BPF_LSH, reg, 64 - 8 * size);
		emit_alu_imm(g->k, BPF_ARSH, reg, 64 - 8 * size);
	} else if (size == 4) {
		emit_move32(g->k, reg, reg);
	} else {
		emit_alu_imm(g->k, BPF_AND, reg, (1 << 8 * size) - 1);
	}
}

static bool has_operand_size(const struct script_expr *e)
{
	return e->kind == X_UNARY && e->oper != OPER_NOT && !e->is_constant;
}

uint32_t unary_size(const struct script_expr *e)
{
	while (has_operand_size(e))
		e = e->a;
	return e->type.size ?: 8;
}

void number_to_store(struct sgen *g, struct script_expr *e)
{
	number_gen(g, e);
	if (has_operand_size(e))
		extend_gen(g, BPF_REG_0, unary_size(e), false);
}

void scalar_load(struct sgen *g, int dst, int base, int off, const struct script_type *t)
{
	uint32_t size = t->size ?: 8;

	emit_load(g->k, size, dst, base, off);
	if (t->is_signed)
		extend_gen(g, dst, size, true);
}

/* Negates twice: the verifier does not track the value of a negation. */
void number_hide(struct sgen *g)
{
	emit_move(g->k, BPF_REG_1, g->frame);
	emit_negate(g->k, BPF_REG_1);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
	emit_alu(g->k, BPF_SUB, BPF_REG_0, BPF_REG_1);
}

bool fits_imm(const struct script_expr *e)
{
	return e->is_constant && script_is_scalar(&e->type) && e->value == (int32_t)e->value;
}

bool is_simple(const struct script_expr *e)
{
	return script_is_scalar(&e->type) && (e->is_constant || e->kind == X_VAR);
}

/* ---- operators on r0 and r1 ---- */

int alu_op(enum oper oper)
{
	switch (oper) {
	case OPER_MUL: return BPF_MUL;
	case OPER_DIV: return BPF_DIV;
	case OPER_MOD: return BPF_MOD;
	case OPER_ADD: return BPF_ADD;
	case OPER_SUB: return BPF_SUB;
	case OPER_SHL: return BPF_LSH;
	case OPER_SHR: return BPF_RSH;
	case OPER_AND: return BPF_AND;
	case OPER_XOR: return BPF_XOR;
	case OPER_OR: return BPF_OR;
	default: return -1;
	}
}

static bool takes_bits(enum oper oper)
{
	return oper == OPER_DIV || oper == OPER_MOD || oper == OPER_SHR;
}

static void divisor_check(struct sgen *g, int end)
{
	static const char warning[] = "Divide or modulo by 0 detected. This can lead to unexpected "
				      "results. 1 is being used as the result.";
	int fine = label_new(g->k);

	emit_jump(g->k, BPF_JNE, BPF_REG_1, 0, fine);
	warning_gen(g, warning);
	emit_move_imm(g->k, BPF_REG_0, 1);
	emit_goto(g->k, end);
	label_bind(g->k, fine);
}

void oper_gen(struct sgen *g, enum oper oper, const struct script_type *t)
{
	uint32_t size = t->kind == SCRIPT_INT && t->size ? t->size : 8;
	int end = label_new(g->k);

	if (takes_bits(oper))
		extend_gen(g, BPF_REG_0, size, false);
	if (oper == OPER_SHL || oper == OPER_SHR)
		emit_alu_imm(g->k, BPF_AND, BPF_REG_1, 63);
	if (oper == OPER_DIV || oper == OPER_MOD) {
		extend_gen(g, BPF_REG_1, size, false);
		divisor_check(g, end);
	}
	emit_alu(g->k, alu_op(oper), BPF_REG_0, BPF_REG_1);
	label_bind(g->k, end);
	extend_gen(g, BPF_REG_0, size, t->is_signed);
}

/* r0 = r0 oper a constant that is neither negative nor a divisor of 0 */
void oper_constant(struct sgen *g, enum oper oper, int32_t by, const struct script_type *t)
{
	uint32_t size = t->kind == SCRIPT_INT && t->size ? t->size : 8;

	if (takes_bits(oper))
		extend_gen(g, BPF_REG_0, size, false);
	if (oper == OPER_SHL || oper == OPER_SHR)
		by &= 63;
	if ((oper == OPER_DIV || oper == OPER_MOD) && !(by & (by - 1))) {
		/* faster, and the verifier knows the result: it leaves loops whose rounds depend on it */
		by = oper == OPER_DIV ? __builtin_ctz((unsigned)by) : by - 1;
		oper = oper == OPER_DIV ? OPER_SHR : OPER_AND;
	}
	emit_alu_imm(g->k, alu_op(oper), BPF_REG_0, by);
	extend_gen(g, BPF_REG_0, size, t->is_signed);
}

bool is_plain_constant(const struct script_expr *e, enum oper oper)
{
	return fits_imm(e) && e->value >= 0 && (e->value || (oper != OPER_DIV && oper != OPER_MOD));
}

uint32_t pointee_size(struct sgen *g, const struct script_type *t)
{
	struct script_type of = script_type_target(t);

	(void)g;
	return of.size ?: 1;
}

bool constant_truth(const struct script_expr *e)
{
	return e->type.kind == SCRIPT_STRING ? e->length > 0 : e->value != 0;
}
