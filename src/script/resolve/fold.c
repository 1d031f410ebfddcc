/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fold.c - computes operations on constants at compile time: exactly, or with an error.
 */
#include <string.h>

#include "script/resolve/resolve.h"

typedef __int128 number;

static const number number_least = -((number)1 << 63);
static const number number_most = ((number)1 << 64) - 1;

static number number_of(const struct script_expr *e)
{
	if (e->type.kind == SCRIPT_INT && !e->type.is_signed)
		return (uint64_t)e->value;
	return e->value;
}

static bool number_set(struct resolve *r, struct script_expr *e, number n)
{
	if (n < number_least || n > number_most) {
		script_fail(r->c, e->span, "the result needs more than 64 bits");
		return false;
	}
	expr_set_number(e, (int64_t)n, n >> 63 == 1);
	return true;
}

/* ---- numbers ---- */

static bool compare(enum oper oper, number a, number b)
{
	switch (oper) {
	case OPER_LT: return a < b;
	case OPER_GT: return a > b;
	case OPER_LE: return a <= b;
	case OPER_GE: return a >= b;
	case OPER_EQ: return a == b;
	default: return a != b;
	}
}

/* Shifts like the kernel: bits shifted out are lost. */
static number shift(enum oper oper, number a, number b)
{
	if (oper == OPER_SHL)
		return a < 0 ? (number)(int64_t)((uint64_t)a << b) : (number)((uint64_t)a << b);
	return a < 0 ? (number)((int64_t)a >> b) : (number)((uint64_t)a >> b);
}

static bool divide(struct resolve *r, struct script_expr *e, number a, number b)
{
	if (b)
		return number_set(r, e, e->oper == OPER_DIV ? a / b : a % b);
	script_fail(r->c, e->b->span, "a division by 0");
	return false;
}

/* True for -7 and 3 - 10, but not for (int8)-7: a cast gives a type, even the one that the number has anyway. */
static bool is_plain(const struct script_expr *e)
{
	if (e->kind == X_CAST || !expr_is_number(e))
		return false;
	if (e->kind == X_UNARY)
		return is_plain(e->a);
	return e->kind == X_BINARY ? is_plain(e->a) && is_plain(e->b) : expr_is_literal(e);
}

static bool compute(struct resolve *r, struct script_expr *e, number a, number b)
{
	switch (e->oper) {
	case OPER_ADD: return number_set(r, e, a + b);
	case OPER_SUB: return number_set(r, e, a - b);
	case OPER_MUL:
		if (a &&
		    (b > number_most / (a < 0 ? -a : a) || b < -number_most / (a < 0 ? -a : a)))
			return number_set(r, e, number_most + 1);
		return number_set(r, e, a * b);
	case OPER_DIV:
	case OPER_MOD: return divide(r, e, a, b);
	case OPER_AND: return number_set(r, e, a & b);
	case OPER_OR: return number_set(r, e, a | b);
	case OPER_XOR: return number_set(r, e, a ^ b);
	case OPER_SHL:
	case OPER_SHR:
		if (b >= 0 && b < 64)
			return number_set(r, e, shift(e->oper, a, b));
		script_fail(r->c, e->b->span, "a shift must be by 0 to 63 bits");
		return false;
	default: return false;
	}
}

/* Computes like the program: in 64 bits, without a sign, and what needs more is lost. Returns false for a constant that
 * no program may have: those are errors of compute. */
static bool compute_typed(struct script_expr *e)
{
	uint64_t a = (uint64_t)e->a->value, b = (uint64_t)e->b->value, n;
	bool divides = e->oper == OPER_DIV || e->oper == OPER_MOD;
	bool shifts = e->oper == OPER_SHL || e->oper == OPER_SHR;

	if ((divides && !b) || (shifts && b >= 64))
		return false;
	switch (e->oper) {
	case OPER_ADD: n = a + b; break;
	case OPER_SUB: n = a - b; break;
	case OPER_MUL: n = a * b; break;
	case OPER_DIV: n = a / b; break;
	case OPER_MOD: n = a % b; break;
	case OPER_AND: n = a & b; break;
	case OPER_OR: n = a | b; break;
	case OPER_XOR: n = a ^ b; break;
	case OPER_SHL: n = a << b; break;
	case OPER_SHR: n = a >> b; break;
	default: return false;
	}
	expr_set_number(e, (int64_t)n, false);
	return true;
}

static bool is_wide_unsigned(const struct script_expr *e)
{
	return !e->type.is_signed && e->value < 0;
}

/* Compares like the program (compare_numbers), whose operands are signed if one is. */
static bool compare_folded(const struct script_expr *e)
{
	bool is_unsigned = is_wide_unsigned(e->a) || is_wide_unsigned(e->b);

	if (!(is_plain(e->a) && is_plain(e->b)) && is_unsigned &&
	    script_sign_join(&e->a->type, &e->b->type))
		return compare(e->oper, e->a->value, e->b->value);
	return compare(e->oper, number_of(e->a), number_of(e->b));
}

static bool fold_numbers(struct resolve *r, struct script_expr *e)
{
	bool are_bools = e->a->type.kind == SCRIPT_BOOL && e->b->type.kind == SCRIPT_BOOL;
	bool has_type = !is_plain(e->a) || !is_plain(e->b);
	bool is_signed = script_sign_join(&e->a->type, &e->b->type) || e->oper == OPER_SUB;

	if (oper_compares(e->oper)) {
		expr_set_bool(e, compare_folded(e));
		return true;
	}
	if (!(has_type && compute_typed(e)) && !compute(r, e, number_of(e->a), number_of(e->b)))
		return false;
	if (are_bools)
		expr_set_bool(e, e->value);
	else if (has_type)
		e->type = script_int(8, is_signed);
	return true;
}

/* ---- texts ---- */

static int texts_order(const struct script_expr *a, const struct script_expr *b)
{
	uint32_t length = a->length < b->length ? a->length : b->length;
	int order = memcmp(a->bytes, b->bytes, length);

	return order ?: (int)(a->length > b->length) - (int)(a->length < b->length);
}

static bool add_texts(struct resolve *r, struct script_expr *e, const struct script_expr *a,
		      const struct script_expr *b)
{
	char *bytes = alloc_lasting(r, (size_t)a->length + b->length + 1);

	if (!bytes)
		return false;
	memcpy(bytes, a->bytes, a->length);
	memcpy(bytes + a->length, b->bytes, b->length);
	expr_set_text(e, bytes, a->length + b->length);
	return true;
}

/* Only literals can be ordered and added; other strings cannot. */
static bool fold_texts(struct resolve *r, struct script_expr *e)
{
	if (e->oper == OPER_ADD)
		return add_texts(r, e, e->a, e->b);
	if (oper_compares(e->oper))
		expr_set_bool(e, compare(e->oper, texts_order(e->a, e->b), 0));
	return oper_compares(e->oper);
}

/* "hello" + 1 is the rest of the text from that offset. */
static bool cut_text(struct script_expr *e, const struct script_expr *text,
		     const struct script_expr *by)
{
	uint32_t skip = by->value >= 0 && by->value < text->length ? by->value : text->length;

	expr_set_text(e, text->bytes + skip, text->length - skip);
	return true;
}

/* Returns the item of `b` that has the place or, in a record, the name of a's item; NULL: none. */
static const struct script_expr *item_like(const struct script_expr *a, size_t i,
					   const struct script_expr *b)
{
	if (!a->names)
		return b->items[i];
	for (size_t j = 0; j < b->count; j++)
		if (!strcmp(a->names[i], b->names[j]))
			return b->items[j];
	return NULL;
}

/* True if both are tuples, or records, of constants of the same kinds. */
static bool are_alike(const struct script_expr *a, const struct script_expr *b)
{
	if (a->kind != X_TUPLE || b->kind != X_TUPLE || !a->count || a->count != b->count ||
	    !a->names != !b->names)
		return false;
	for (size_t i = 0; i < a->count; i++) {
		const struct script_expr *x = a->items[i], *y = item_like(a, i, b);

		if (!y)
			return false;
		if (!(expr_is_text(x) && expr_is_text(y)) &&
		    !(expr_is_number(x) && expr_is_number(y)))
			return false;
	}
	return true;
}

static bool tuples_equal(const struct script_expr *a, const struct script_expr *b)
{
	bool equal = true;

	for (size_t i = 0; i < a->count && equal; i++) {
		const struct script_expr *x = a->items[i], *y = item_like(a, i, b);

		equal = expr_is_text(x) ? !texts_order(x, y) : x->value == y->value;
	}
	return equal;
}

bool fold_binary(struct resolve *r, struct script_expr *e)
{
	const struct script_expr *a = e->a, *b = e->b;

	if ((e->oper == OPER_EQ || e->oper == OPER_NE) && are_alike(a, b)) {
		expr_set_bool(e, tuples_equal(a, b) == (e->oper == OPER_EQ));
		return true;
	}

	if (!a->is_constant || !b->is_constant)
		return false;
	if (expr_is_text(a) && expr_is_text(b))
		return fold_texts(r, e);
	if (e->oper == OPER_ADD && expr_is_text(a) && expr_is_number(b))
		return cut_text(e, a, b);
	if (e->oper == OPER_ADD && expr_is_text(b) && expr_is_number(a))
		return cut_text(e, b, a);
	return type_is_number(&a->type) && type_is_number(&b->type) && fold_numbers(r, e);
}

/* An operand with a type of its own has the bits of that type, and is not folded. */
bool fold_unary(struct resolve *r, struct script_expr *e)
{
	if (!e->a->is_constant || (e->oper != OPER_NOT && !expr_is_literal(e->a)))
		return false;
	if (e->oper == OPER_NOT)
		expr_set_bool(e, !e->a->value);
	else if (e->oper == OPER_NEGATE)
		number_set(r, e, -number_of(e->a));
	else
		expr_set_number(e, ~e->a->value, ~e->a->value < 0);
	return true;
}
