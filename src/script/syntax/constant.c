/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * constant.c - evaluates constants that the parser itself needs: sizes of arrays, enumerators, conditions of #if.
 */
#include "script/syntax/parser.h"

static bool word_read(struct parser *p, const struct script_expr *e, bool words_are_zero,
		      int64_t *value)
{
	*value = 0;
	for (const struct script_cdef *def = p->c->s->types; def; def = def->next)
		for (size_t i = 0; def->kind == CDEF_ENUM && i < def->count; i++)
			if (!strcmp(def->members[i].name, e->name)) {
				*value = def->values[i];
				return true;
			}
	if (!words_are_zero)
		syn_fail(p, e->span, "'%s' is not a constant of this program", e->name);
	return words_are_zero;
}

static bool divide(struct parser *p, const struct script_expr *e, int64_t a, int64_t b,
		   int64_t *value)
{
	if (!b || (b == -1 && a == INT64_MIN)) {
		syn_fail(p, e->span, "the constant divides by %s", b ? "-1" : "0");
		return false;
	}
	*value = e->oper == OPER_DIV ? a / b : a % b;
	return true;
}

static bool binary_read(struct parser *p, const struct script_expr *e, int64_t a, int64_t b,
			int64_t *value)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

	switch (e->oper) {
	case OPER_ADD: *value = (int64_t)(ua + ub); return true;
	case OPER_SUB: *value = (int64_t)(ua - ub); return true;
	case OPER_MUL: *value = (int64_t)(ua * ub); return true;
	case OPER_DIV:
	case OPER_MOD: return divide(p, e, a, b, value);
	case OPER_SHL: *value = ub > 63 ? 0 : (int64_t)(ua << ub); return true;
	case OPER_SHR: *value = ub > 63 ? 0 : (int64_t)(ua >> ub); return true;
	case OPER_AND: *value = a & b; return true;
	case OPER_OR: *value = a | b; return true;
	case OPER_XOR: *value = a ^ b; return true;
	case OPER_LT: *value = a < b; return true;
	case OPER_GT: *value = a > b; return true;
	case OPER_LE: *value = a <= b; return true;
	case OPER_GE: *value = a >= b; return true;
	case OPER_EQ: *value = a == b; return true;
	case OPER_NE: *value = a != b; return true;
	default: return false;
	}
}

static int64_t unary_value(enum oper oper, int64_t a)
{
	return oper == OPER_NOT ? !a : oper == OPER_COMPLEMENT ? ~a : (int64_t) - (uint64_t)a;
}

bool constant_read(struct parser *p, const struct script_expr *e, bool words_are_zero,
		   int64_t *value)
{
	int64_t a = 0, b = 0;

	if (e->kind == X_INT || e->kind == X_BOOL) {
		*value = (int64_t)e->number;
		return true;
	}
	if (e->kind == X_WORD)
		return word_read(p, e, words_are_zero, value);
	if (e->kind != X_UNARY && e->kind != X_BINARY && e->kind != X_AND && e->kind != X_OR &&
	    e->kind != X_CHOICE) {
		syn_fail(p, e->span,
			 "the parser needs the number here: use only numbers and enumerators");
		return false;
	}
	if (!constant_read(p, e->a, words_are_zero, &a))
		return false;
	if (e->kind == X_CHOICE)
		return constant_read(p, a ? e->b : e->c, words_are_zero, value);
	if (e->b && !constant_read(p, e->b, words_are_zero, &b))
		return false;
	if (e->kind == X_BINARY)
		return binary_read(p, e, a, b, value);
	*value = e->kind == X_UNARY ? unary_value(e->oper, a) : e->kind == X_AND ? a && b : a || b;
	return true;
}

bool syn_constant(struct parser *p, int64_t *value)
{
	struct script_expr *e = syn_expression(p);

	return e && constant_read(p, e, false, value);
}
