// SPDX-License-Identifier: GPL-2.0
/*
 * plan.c - nodes → values and the steps that compute them, and for each hop the way to read.
 *
 * A value is made once for all slots, so common prefixes become one chain; what two slots share
 * is kept on the stack by the first. Operators with two operands will be values with a second
 * base. It must not know registers, and not the record.
 */
#include "expr/plan.h"

/* Memory at the value `base` plus `off` bytes: what a pointer with additions points at. */
struct place {
	int base;
	int64_t off;
	uint32_t within;  /* struct at `base`, by the types; 0: none */
	bool user;        /* the pointer is tagged __user */
	struct span link; /* the pointer's text */
};

static int plan_value_of(struct compile *c, const struct node *n);
static struct place place_of(struct compile *c, const struct node *n);

static int plan_read(struct compile *c, enum plan_op op, const struct place *at, uint32_t size,
                     bool as_number)
{
	struct plan_value v = {
		.op = op,
		.base = at->base,
		.imm = at->off,
		.size = size,
		.within = at->within,
	};

	if (c->err)
		return -1;
	choose_way(c, &v, at->user, as_number);
	return step_add(c, value_make(c, v), link_add(c, at->link));
}

/* ---- arguments ---- */

/* In which u64 of the arguments parameter `n` begins: structs by value may take two. */
static unsigned argument_place(struct compile *c, unsigned n)
{
	const struct btf_param *params = btf_params(btf_view_type(c->in->btf, c->p->proto));
	unsigned place = 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t size = btf_view_size(c->in->btf, params[i].type);

		if (size <= 16 || !ctype_is_composite(c->in->btf, ctype_of(params[i].type)))
			place += size > 8 ? 2 : 1;
	}
	return place;
}

static unsigned argument_registers(const struct compile *c)
{
	return c->in->target.arch == EXPR_ARCH_X86_64 ? 6 : 8;
}

static int plan_argument(struct compile *c, const struct node *n)
{
	const struct expr_target *t = &c->in->target;
	struct plan_value v = { .op = PLAN_ARG, .base = -1, .imm = argument_place(c, n->param) };
	uint32_t pointee;

	if (t->rung == EXPR_RUNG_KPROBE) {
		v.way = WAY_DIRECT;
		if (v.imm >= argument_registers(c))
			compile_fail(c, n->span,
			             "parameter %u is on the stack: a kprobe has the first %u",
			             n->param + 1, argument_registers(c));
	} else if (typed_argument(c->in->btf, t, n->type.id, &pointee)) {
		v.way = WAY_DIRECT;
		v.pointee = pointee;
	} else {
		v.way = t->func_arg ? WAY_HELPER : WAY_PROBE;
	}
	return step_add(c, value_make(c, v), -1);
}

static int plan_builtin(struct compile *c, const struct node *n)
{
	struct plan_value v = { .op = PLAN_BUILTIN, .base = -1, .imm = n->builtin->id };

	return step_add(c, value_make(c, v), -1);
}

static int plan_number(struct compile *c, const struct node *n)
{
	struct plan_value v = { .op = PLAN_NUMBER, .base = -1, .imm = n->number };

	return step_add(c, value_make(c, v), -1);
}

/* ---- places ---- */

static uint32_t struct_id(struct compile *c, struct ctype t)
{
	return ctype_is_composite(c->in->btf, t) ? btf_view_strip(c->in->btf, t.id) : 0;
}

/* Where the pointer `n` points; &x and arrays are places already, nothing is loaded for them. */
static struct place place_behind(struct compile *c, const struct node *n)
{
	struct place at;

	if (n->kind == NODE_ADDRESS)
		return place_of(c, n->child);
	if (ctype_is_array(c->in->btf, n->type))
		return place_of(c, n);
	at = (struct place){ .base = plan_value_of(c, n), .link = n->span };
	at.within = struct_id(c, ctype_target(c->in->btf, n->type));
	at.user = ctype_is_user(c->in->btf, n->type);
	return at;
}

/* By the elements that an index asks for. */
static void place_move(struct compile *c, struct place *at, const struct node *n)
{
	uint64_t size = ctype_size(c->in->btf, n->type);
	int64_t by;

	if (size > INT32_MAX || __builtin_mul_overflow(n->other->number, (int64_t)size, &by) ||
	    by > INT32_MAX || by < INT32_MIN)
		compile_fail(c, n->span, "too far from its pointer");
	else
		at->off += by;
}

/* Where the node that lies in memory lies. */
static struct place place_of(struct compile *c, const struct node *n)
{
	struct place at;

	switch (n->kind) {
	case NODE_MEMBER:
		at = place_of(c, n->child);
		at.off += n->bit_offset / 8;
		break;
	case NODE_ARROW:
		at = place_behind(c, n->child);
		at.off += n->bit_offset / 8;
		break;
	case NODE_INDEX:
		at = place_behind(c, n->child);
		place_move(c, &at, n);
		break;
	default: /* NODE_DEREF: resolve lets nothing else here */
		at = place_behind(c, n->child);
		break;
	}
	if (!c->err && (at.off > INT32_MAX || at.off < INT32_MIN))
		compile_fail(c, n->span, "too far from its pointer");
	return at;
}

static int plan_address(struct compile *c, const struct place *at)
{
	struct plan_value v = { .op = PLAN_ADD, .base = at->base, .imm = at->off };

	if (c->err)
		return -1;
	return step_add(c, value_make(c, v), link_add(c, at->link));
}

/* ---- bitfields ---- */

static uint32_t bits_load_size(uint32_t bits)
{
	uint32_t size = 1;

	while (size * 8 < bits)
		size *= 2;
	return size;
}

/* The smallest load from the field's first byte on; where the struct ends too early for that, the
 * whole integer that the field is part of. */
static int plan_bits_load(struct compile *c, const struct node *n, struct place at, uint32_t *bit)
{
	uint32_t size, unit = ctype_size(c->in->btf, n->type) * 8;

	*bit = n->bit_offset % 8;
	size = bits_load_size(*bit + n->bit_size);
	if (at.within && !typed_bytes(c->in->btf, at.within, at.off, size) && unit && unit <= 64 &&
	    n->bit_offset % unit + n->bit_size <= unit) {
		at.off -= n->bit_offset % unit / 8;
		*bit = n->bit_offset % unit;
		size = unit / 8;
	}
	return plan_read(c, PLAN_LOAD, &at, size, true);
}

static int plan_bits(struct compile *c, const struct node *n)
{
	const struct btf_type *t =
		btf_view_type(c->in->btf, btf_view_strip(c->in->btf, n->type.id));
	struct plan_value v = { .op = PLAN_BITS, .width = n->bit_size };
	uint32_t bit = 0;

	v.base = plan_bits_load(c, n, place_of(c, n), &bit);
	v.imm = bit;
	v.sign = t && btf_kind(t) == BTF_KIND_INT &&
	         BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_SIGNED;
	return c->err ? -1 : step_add(c, value_make(c, v), -1);
}

/* ---- values of nodes ---- */

static int plan_value_of(struct compile *c, const struct node *n)
{
	struct place at;

	if (c->err)
		return -1;
	switch (n->kind) {
	case NODE_NAME:
		return plan_argument(c, n);
	case NODE_BUILTIN:
		return n->builtin ? plan_builtin(c, n) : plan_argument(c, n);
	case NODE_NUMBER:
		return plan_number(c, n);
	case NODE_ADDRESS:
		at = place_of(c, n->child);
		return plan_address(c, &at);
	default:
		break;
	}
	if (n->bit_size)
		return plan_bits(c, n);
	at = place_of(c, n);
	if (ctype_is_array(c->in->btf, n->type))
		return plan_address(c, &at);
	return plan_read(c, PLAN_LOAD, &at, ctype_size(c->in->btf, n->type), false);
}

void expr_plan(struct compile *c, struct slot *s)
{
	struct place at;
	int value;

	s->sink_link = -1;
	if (s->sink == SINK_HEADER)
		return;
	if (s->sink == SINK_BYTES) {
		at = s->behind ? place_behind(c, s->root) : place_of(c, s->root);
		plan_read(c, PLAN_BYTES, &at, s->size, false);
		return;
	}
	value = plan_value_of(c, s->root);
	if (c->err)
		return;
	c->p->plan.values[value].users++;
	if (s->sink == SINK_STRING)
		s->sink_link = link_add(c, s->root->span);
}
