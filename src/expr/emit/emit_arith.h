/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_arith.h - operators.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_ARITH_H
#define CORETAP_EXPR_EMIT_EMIT_ARITH_H

#include "expr/emit/emit_common.h"

/* BITS, SCALAR and UNARY of REG_VALUE; BINARY of REG_VALUE and r1, or a constant that fits the
 * instruction. */
void gen_bits(struct gen *g, const struct vreg *v);
void gen_scalar(struct gen *g);
void gen_unary(struct gen *g, const struct vreg *v);
bool gen_takes_constant(const struct vreg *v, const struct vreg *number);
void gen_binary(struct gen *g, const struct vreg *v, const int32_t *constant);
static inline bool is_comparison(const struct vreg *v)
{
	return v->op == VREG_BINARY && v->oper >= OPER_LT && v->oper <= OPER_NE;
}
/* Jumps to `label` if the comparison of REG_VALUE with r1 (or the constant) is true, or if it is
 * false. */
void gen_branch(struct gen *g, const struct vreg *v, const int32_t *constant, bool if_true,
		int label);

#endif
