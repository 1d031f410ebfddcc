/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_arith.c - operators → values. All arithmetic is on 64-bit numbers, extended by their
 * types, so one instruction serves every width.
 */
#include "expr/lower/lower.h"
#include "expr/ctype.h"

static int plan_bits_of(struct compile *c, int base, unsigned bits, bool is_signed)
{
	struct vreg v = {
		.op = VREG_BITS,
		.base = base,
		.other = -1,
		.width = bits,
		.sign = is_signed,
	};

	return c->err ? -1 : ir_add(c, ir_value(c, v), -1);
}

int plan_constant(struct compile *c, int64_t number)
{
	return ir_source(c, VREG_NUMBER, number);
}

int plan_fact(struct compile *c, enum expr_fact fact)
{
	struct vreg v = { .op = VREG_NUMBER, .base = -1, .other = -1, .fact = fact };

	return ir_add(c, ir_value(c, v), -1);
}

int plan_scalar(struct compile *c, int value)
{
	struct vreg v = { .op = VREG_SCALAR, .base = value, .other = -1 };
	const struct vreg *base = &c->p->plan.values[value < 0 ? 0 : value];

	if (c->err)
		return -1;
	/* a pointer plus a number is a pointer */
	while (base->op == VREG_ADD)
		base = &c->p->plan.values[base->base];
	if (!base->pointee)
		return value;
	return ir_add(c, ir_value(c, v), -1);
}

/* True if the register is a valid 64-bit number. Bytes above an integer's own are undefined; loads
 * zero them. */
static bool is_extended(const struct vreg *v, uint64_t size, bool is_signed)
{
	if (size >= 8)
		return true;
	switch (v->op) {
	case VREG_LOAD:
	case VREG_FIELD: return !is_signed && v->size == size;
	case VREG_BITS:
		return v->width <= size * 8 && (v->sign == is_signed || v->width < size * 8);
	case VREG_NUMBER:
	case VREG_UNARY:
	case VREG_BINARY:
	case VREG_PHI: return true;
	default: return false;
	}
}

int plan_number_of(struct compile *c, const struct node *n)
{
	uint64_t size = ctype_size(c->in->btf, n->type);
	bool is_signed = ctype_is_signed(c->in->btf, n->type);
	int value = plan_value_of(c, n);

	if (c->err)
		return -1;
	if (size >= 8 || ctype_is_array(c->in->btf, n->type))
		return plan_scalar(c, value);
	if (n->bit_size || is_extended(&c->p->plan.values[value], size, is_signed))
		return value;
	return plan_bits_of(c, value, size * 8, is_signed);
}

/* Truncates a 32-bit result, and extends it by its sign. */
static int plan_result(struct compile *c, struct vreg v, struct ctype t)
{
	int value = c->err ? -1 : ir_add(c, ir_value(c, v), -1);

	if (c->err || vreg_compares(&v) || v.oper == OPER_NOT || ctype_size(c->in->btf, t) == 8)
		return value;
	return plan_bits_of(c, value, 32, ctype_is_signed(c->in->btf, t));
}

int plan_operation(struct compile *c, enum oper oper, int a, int b, struct ctype t)
{
	struct vreg v = {
		.op = VREG_BINARY,
		.oper = oper,
		.base = a,
		.other = b,
		.width = ctype_size(c->in->btf, t) * 8,
		.sign = ctype_is_signed(c->in->btf, t),
	};

	return plan_result(c, v, t);
}

int plan_scaled(struct compile *c, int index, uint64_t size)
{
	if (size == 1 || c->err)
		return index;
	return plan_operation(c, OPER_MUL, index, plan_constant(c, size), ctype_int(8, false));
}

int plan_unary(struct compile *c, const struct node *n)
{
	struct vreg v = { .op = VREG_UNARY, .oper = n->oper, .other = -1 };

	v.base = plan_number_of(c, n->child);
	return plan_result(c, v, n->type);
}

/* ---- two operands ---- */

static bool is_pointer(struct compile *c, const struct node *n)
{
	return ctype_is_address(c->in->btf, n->type);
}

static uint64_t pointed_size(struct compile *c, const struct node *n)
{
	return ctype_size(c->in->btf, ctype_target(c->in->btf, n->type)) ?: 1;
}

/* pointer ± integer counts elements; so does pointer - pointer. */
static int plan_pointers(struct compile *c, const struct node *n)
{
	int a = plan_number_of(c, n->child), b = plan_number_of(c, n->other);
	struct ctype word = ctype_int(8, false);
	uint64_t size;

	if (is_pointer(c, n->child) && is_pointer(c, n->other)) {
		size = pointed_size(c, n->child);
		a = plan_operation(c, OPER_SUB, a, b, ctype_int(8, true));
		return size == 1 || c->err ? a :
					     plan_operation(c, OPER_DIV, a, plan_constant(c, size),
							    ctype_int(8, true));
	}
	if (is_pointer(c, n->child))
		b = plan_scaled(c, b, pointed_size(c, n->child));
	else
		a = plan_scaled(c, a, pointed_size(c, n->other));
	return plan_operation(c, n->oper, a, b, word);
}

/* The type that both sides of a comparison are converted to: that of the larger one, unsigned if
 * either is (C11 6.3.1.8). Pointers are unsigned. */
static struct ctype compared_type(struct compile *c, const struct node *n)
{
	const struct node *sides[] = { n->child, n->other };
	uint64_t size = 4;
	bool is_signed = true;

	for (int i = 0; i < 2; i++) {
		bool pointer = is_pointer(c, sides[i]);
		uint64_t own = pointer		  ? 8 :
			       sides[i]->bit_size ? (sides[i]->bit_size > 32 ? 8 : 4) :
						    ctype_size(c->in->btf, sides[i]->type);
		bool own_signed = !pointer &&
				  ((own < 4 || (sides[i]->bit_size && sides[i]->bit_size < 32)) ||
				   ctype_is_signed(c->in->btf, sides[i]->type));

		if (own > size)
			is_signed = own_signed;
		else if (own == size || (own < 4 && size == 4))
			is_signed &= own_signed;
		size = own > size ? own : size;
	}
	return ctype_int(size, is_signed);
}

/* A side as a number of type `t`: a negative int becomes large next to an unsigned one. */
static int plan_converted(struct compile *c, const struct node *n, struct ctype t)
{
	int value = plan_number_of(c, n);
	const struct vreg *v;

	if (c->err || t.int_size == 8 || t.int_signed || !ctype_is_signed(c->in->btf, n->type))
		return value;
	v = &c->p->plan.values[value];
	if (v->op == VREG_NUMBER) /* facts are small numbers */
		return v->fact ? value : plan_constant(c, (uint32_t)v->imm);
	return plan_bits_of(c, value, 32, false);
}

static int plan_comparison(struct compile *c, const struct node *n)
{
	struct ctype t = compared_type(c, n);
	int a = plan_converted(c, n->child, t), b = plan_converted(c, n->other, t);

	return plan_operation(c, n->oper, a, b, t);
}

static int plan_arithmetic(struct compile *c, const struct node *n)
{
	bool shift = n->oper == OPER_SHL || n->oper == OPER_SHR;
	int a = plan_converted(c, n->child, n->type);
	int b = shift ? plan_number_of(c, n->other) : plan_converted(c, n->other, n->type);
	struct vreg v = {
		.op = VREG_BINARY,
		.oper = n->oper,
		.base = a,
		.other = b,
		.width = n->type.int_size * 8,
		.sign = n->type.int_signed,
	};
	int value;

	if (c->err || (n->oper != OPER_DIV && n->oper != OPER_MOD) || n->other->kind == NODE_NUMBER)
		return plan_result(c, v, n->type);
	/* a divisor of 0 is reported like a NULL pointer */
	value = ir_add(c, ir_value(c, v), link_add(c, n->other->span));
	return c->err || n->type.int_size == 8 ? value :
						 plan_bits_of(c, value, 32, n->type.int_signed);
}

int plan_binary(struct compile *c, const struct node *n)
{
	if (n->oper == OPER_MATCH || n->other->kind == NODE_STRING)
		return plan_text(c, n);
	if (oper_compares(n->oper))
		return plan_comparison(c, n);
	if (is_pointer(c, n->child) || is_pointer(c, n->other))
		return plan_pointers(c, n);
	return plan_arithmetic(c, n);
}

/* ---- branches ---- */

int plan_phi(struct compile *c)
{
	struct vreg v = { .op = VREG_PHI, .base = -1, .other = -1 };

	v.imm = c->p->plan.value_count; /* makes it unique */
	return ir_value(c, v);
}

int plan_truth(struct compile *c, const struct node *n)
{
	int value = plan_number_of(c, n);
	const struct vreg *v = &c->p->plan.values[value < 0 ? 0 : value];

	if (c->err || n->kind == NODE_AND || n->kind == NODE_OR || v->oper == OPER_NOT ||
	    vreg_compares(v))
		return value;
	return plan_operation(c, OPER_NE, value, plan_constant(c, 0), ctype_int(8, false));
}

static void plan_branch_set(struct compile *c, const struct node *n, int phi, bool as_truth)
{
	size_t branch = branch_begin(c);
	int value = as_truth ? plan_truth(c, n) : plan_number_of(c, n);

	ir_set(c, phi, value);
	branch_end(c, branch);
}

/* a && b: phi = !!a; if it is 0, goes to the end; phi = !!b. */
int plan_logical(struct compile *c, const struct node *n)
{
	int end = ir_label(c), phi = plan_phi(c), value = plan_truth(c, n->child);

	ir_set(c, phi, value);
	ir_control(c, n->kind == NODE_AND ? IR_IF_ZERO : IR_IF_NOT, value, end);
	if (!c->err)
		plan_branch_set(c, n->other, phi, true);
	ir_control(c, IR_LABEL, -1, end);
	return ir_add(c, phi, -1);
}

int plan_choice(struct compile *c, const struct node *n)
{
	int otherwise = ir_label(c), end = ir_label(c), phi = plan_phi(c);
	int value = plan_number_of(c, n->child);

	ir_control(c, IR_IF_ZERO, value, otherwise);
	if (!c->err)
		plan_branch_set(c, n->other, phi, false);
	ir_control(c, IR_GOTO, -1, end);
	ir_control(c, IR_LABEL, -1, otherwise);
	if (!c->err)
		plan_branch_set(c, n->third, phi, false);
	ir_control(c, IR_LABEL, -1, end);
	return ir_add(c, phi, -1);
}

/* ---- casts ---- */

/* Pointers keep their value, integers are truncated or extended. Only the type changes for
 * pointers. */
int plan_cast(struct compile *c, const struct node *n)
{
	uint64_t to = ctype_size(c->in->btf, n->type);
	int value;

	if (is_pointer(c, n->child) && to == 8)
		return plan_value_of(c, n->child);
	value = plan_number_of(c, n->child);
	if (c->err || to >= 8 ||
	    (ctype_size(c->in->btf, n->child->type) < to && !n->child->bit_size &&
	     !ctype_is_signed(c->in->btf, n->child->type)))
		return value;
	return plan_bits_of(c, value, to * 8, ctype_is_signed(c->in->btf, n->type));
}
