/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_expr.c - the stack machine of DWARF 5, section 2.5: the operations that compute an address from registers and
 * memory. The time of an expression is bounded.
 */
#include "symbols/user/dwarf_expr.h"

#include "symbols/user/dwarf_bytes.h"
#include "symbols/user/dwarf_operations.h"

enum { STACK_MAX = 32, STEPS_MAX = 256 };

struct run {
	const struct dwarf_machine *m;
	const uint8_t *start;
	struct dwarf_bytes b;
	uint64_t stack[STACK_MAX];
	unsigned depth;
};

static void push(struct run *r, uint64_t value)
{
	if (r->depth == STACK_MAX)
		r->b.bad = true;
	else
		r->stack[r->depth++] = value;
}

static uint64_t pop(struct run *r)
{
	if (r->depth)
		return r->stack[--r->depth];
	r->b.bad = true;
	return 0;
}

static void pick(struct run *r, unsigned below)
{
	if (below >= r->depth)
		r->b.bad = true;
	else
		push(r, r->stack[r->depth - 1 - below]);
}

static void deref(struct run *r, size_t size)
{
	uint64_t address = pop(r), value = 0;

	if (!size || size > 8 || r->b.bad || !r->m->memory(r->m->ctx, address, size, &value))
		r->b.bad = true;
	push(r, value);
}

static void register_push(struct run *r, uint64_t reg)
{
	uint64_t offset = dwarf_sleb(&r->b), value = 0;

	if (reg > UINT32_MAX || !r->m->reg(r->m->ctx, reg, &value))
		r->b.bad = true;
	push(r, value + offset);
}

static void jump(struct run *r, bool taken)
{
	int64_t by = dwarf_signed(&r->b, 2);

	if (!taken || r->b.bad)
		return;
	if (by < r->start - r->b.at || by > r->b.end - r->b.at)
		r->b.bad = true;
	else
		r->b.at += by;
}

/* ---- operations on values ---- */

static bool two_step(struct run *r, unsigned op)
{
	uint64_t y = pop(r), x = pop(r);
	int64_t a = x, b = y;

	switch (op) {
	case OP_AND: push(r, x & y); break;
	case OP_MINUS: push(r, x - y); break;
	case OP_MUL: push(r, x * y); break;
	case OP_OR: push(r, x | y); break;
	case OP_PLUS: push(r, x + y); break;
	case OP_SHL: push(r, y < 64 ? x << y : 0); break;
	case OP_SHR: push(r, y < 64 ? x >> y : 0); break;
	case OP_SHRA: push(r, a >> (y < 63 ? y : 63)); break;
	case OP_XOR: push(r, x ^ y); break;
	case OP_EQ: push(r, a == b); break;
	case OP_GE: push(r, a >= b); break;
	case OP_GT: push(r, a > b); break;
	case OP_LE: push(r, a <= b); break;
	case OP_LT: push(r, a < b); break;
	case OP_NE: push(r, a != b); break;
	default: return false;
	}
	return true;
}

static bool one_step(struct run *r, unsigned op)
{
	uint64_t x = pop(r);

	switch (op) {
	case OP_ABS: push(r, (int64_t)x < 0 ? -x : x); break;
	case OP_NEG: push(r, -x); break;
	case OP_NOT: push(r, ~x); break;
	case OP_PLUS_CONST: push(r, x + dwarf_uleb(&r->b)); break;
	case OP_BRANCH: jump(r, x != 0); break;
	case OP_DROP: break;
	default: push(r, x); return two_step(r, op);
	}
	return true;
}

/* Reorders the topmost values. */
static void order_step(struct run *r, unsigned op)
{
	unsigned count = op == OP_ROT ? 3 : 2;
	uint64_t top = pop(r);

	if (r->depth < count - 1) {
		r->b.bad = true;
		return;
	}
	for (unsigned i = r->depth++; i > r->depth - count; i--)
		r->stack[i] = r->stack[i - 1];
	r->stack[r->depth - count] = top;
}

static void const_step(struct run *r, unsigned op)
{
	size_t size = 1u << (op - OP_CONST1U) / 2;

	push(r, op & 1 ? (uint64_t)dwarf_signed(&r->b, size) : dwarf_unsigned(&r->b, size));
}

static bool step(struct run *r)
{
	unsigned op = dwarf_unsigned(&r->b, 1);

	if (op >= OP_LITERAL && op < OP_LITERAL + OP_NUMBERED)
		push(r, op - OP_LITERAL);
	else if (op >= OP_REGISTER_AT && op < OP_REGISTER_AT + OP_NUMBERED)
		register_push(r, op - OP_REGISTER_AT);
	else if (op >= OP_CONST1U && op <= OP_CONST8S)
		const_step(r, op);
	else
		switch (op) {
		case OP_ADDRESS: push(r, dwarf_unsigned(&r->b, 8)); break;
		case OP_CONSTU: push(r, dwarf_uleb(&r->b)); break;
		case OP_CONSTS: push(r, dwarf_sleb(&r->b)); break;
		case OP_DEREF: deref(r, 8); break;
		case OP_DEREF_SIZE: deref(r, dwarf_unsigned(&r->b, 1)); break;
		case OP_DUP: pick(r, 0); break;
		case OP_OVER: pick(r, 1); break;
		case OP_PICK: pick(r, dwarf_unsigned(&r->b, 1)); break;
		case OP_SWAP:
		case OP_ROT: order_step(r, op); break;
		case OP_SKIP: jump(r, true); break;
		case OP_REGISTER_AT_ANY: register_push(r, dwarf_uleb(&r->b)); break;
		case OP_NOP: break;
		default: return one_step(r, op);
		}
	return true;
}

bool dwarf_expr(const uint8_t *expr, size_t size, const struct dwarf_machine *m,
		const uint64_t *first, uint64_t *result)
{
	struct run r = { .m = m, .start = expr, .b = dwarf_bytes(expr, size) };
	unsigned steps = 0;

	if (first)
		push(&r, *first);
	while (dwarf_left(&r.b) && !r.b.bad)
		if (steps++ == STEPS_MAX || !step(&r))
			return false;
	*result = pop(&r);
	return !r.b.bad;
}
