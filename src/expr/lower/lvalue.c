/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lvalue.c - the memory of a node: the value of a pointer, and an offset from it.
 *
 * Members and constant indexes only change the offset; nothing is loaded for them.
 */
#include "expr/lower/lower.h"
#include "expr/ctype.h"

/* ---- how to read through a pointer ---- */

static bool helper_only(const struct compile *c)
{
	return !c->in->target.typed_loads;
}

/* True if the verifier accepts the load through a pointer to struct `id`. It does not allow shifts
 * of a pointer. */
static bool typed_accepts(struct compile *c, struct vreg *v, uint32_t id, bool as_number)
{
	enum typed_result result;

	if (v->op == VREG_BYTES)
		return typed_bytes(c->in->btf, id, v->imm, v->size);
	result = typed_load(c->in->btf, id, v->imm, v->size, &v->pointee);
	return result == TYPED_SCALAR || (result == TYPED_POINTER && !as_number);
}

/* Casts any address to a type that can be loaded from offset 0 on. */
static bool cast_anything(struct compile *c, struct vreg *v)
{
	const struct expr_target *t = &c->in->target;
	bool pieces = v->op == VREG_BYTES && v->size > CAST_BYTES && !t->rdonly_cast_void;

	if (!t->rdonly_cast_void && (!t->pt_regs_id || !typed_bytes(c->in->btf, t->pt_regs_id, 0,
								    pieces ? CAST_BYTES : v->size)))
		return false;
	v->cast_in_pieces = pieces;
	v->cast_id = t->rdonly_cast_void ? 0 : t->pt_regs_id;
	v->cast_add = v->imm;
	v->pointee = 0;
	return true;
}

static bool cast_accepts(struct compile *c, struct vreg *v, bool as_number)
{
	if (helper_only(c) || !c->in->target.rdonly_cast_id)
		return false;
	v->cast_id = v->within;
	return (v->within && typed_accepts(c, v, v->within, as_number)) || cast_anything(c, v);
}

/* For more bytes one helper call is cheaper than typed loads, each of which checks its address. */
static bool is_long(const struct compile *c, const struct vreg *v)
{
	return v->op == VREG_BYTES && v->size > TYPED_BYTES_MAX && c->in->target.probe_read;
}

/* True if the verifier trusts the pointer: that of the running task, and a tracepoint's. */
static bool is_trusted(const struct compile *c, const struct vreg *base)
{
	return (base->op == VREG_BUILTIN && base->imm == BUILTIN_TASK) ||
	       (base->op == VREG_ARG && c->in->site.args_trusted);
}

/* Through a trusted pointer, a load of a pointer takes the verifier 5 ms: after a cast it is no more than an address. */
static bool trust_is_slow(const struct compile *c, const struct vreg *v)
{
	const struct expr_target *t = &c->in->target;

	return v->pointee && t->types_unsorted && t->rdonly_cast_id &&
	       is_trusted(c, &c->p->plan.values[v->base]);
}

static void direct_choose(const struct compile *c, struct vreg *v, uint32_t pointee)
{
	v->way = LOAD_DIRECT;
	if (!trust_is_slow(c, v))
		return;
	v->way = LOAD_CAST;
	v->cast_id = (int)pointee;
	v->cast_add = 0;
}

static void load_mode_choose(struct compile *c, struct vreg *v, bool user, bool as_number)
{
	uint32_t pointee = c->p->plan.values[v->base].pointee;

	if (user)
		v->way = LOAD_USER;
	else if (is_long(c, v))
		v->way = LOAD_PROBE;
	else if (pointee && !helper_only(c) && typed_accepts(c, v, pointee, as_number))
		direct_choose(c, v, pointee);
	else if (cast_accepts(c, v, as_number))
		v->way = LOAD_CAST;
	else
		v->way = LOAD_PROBE;
	if (v->way == LOAD_USER || v->way == LOAD_PROBE)
		v->pointee = 0;
}

static uint32_t struct_id(struct compile *c, struct ctype t)
{
	return ctype_is_composite(c->in->btf, t) ? btf_view_strip(c->in->btf, t.id) : 0;
}

/* &x and arrays are lvalues already. */
struct lvalue lvalue_target(struct compile *c, const struct node *n)
{
	struct lvalue at;

	if (c->slot->diff.part == DIFF_AFTER && n == c->slot->root)
		return diff_lvalue(c, c->slot);
	if (n->kind == NODE_ADDRESS)
		return lvalue_of(c, n->child);
	if (ctype_is_array(c->in->btf, n->type))
		return lvalue_of(c, n);
	at = (struct lvalue){ .base = plan_value_of(c, n), .link = n->span };
	at.within = struct_id(c, ctype_target(c->in->btf, n->type));
	at.user = ctype_is_user(c->in->btf, n->type);
	return at;
}

/* An index known only at run time: computes the address after checking its pointer for NULL. */
static void lvalue_index_by(struct compile *c, struct lvalue *at, const struct node *n)
{
	int base = plan_scalar(c, lvalue_address(c, at));
	int by = plan_scaled(c, plan_number_of(c, n->other), ctype_size(c->in->btf, n->type));

	at->base = plan_operation(c, OPER_ADD, base, by, ctype_int(8, false));
	at->off = 0;
	at->within = struct_id(c, n->type);
	at->link = n->span;
}

/* Adds the index, in elements. */
static void lvalue_index(struct compile *c, struct lvalue *at, const struct node *n)
{
	uint64_t size = ctype_size(c->in->btf, n->type);
	int64_t by;

	if (n->other->kind != NODE_NUMBER)
		lvalue_index_by(c, at, n);
	else if (size > INT32_MAX || __builtin_mul_overflow(n->other->number, (int64_t)size, &by) ||
		 by > INT32_MAX || by < INT32_MIN)
		compile_fail(c, n->span, "too far from the pointer");
	else
		at->off += by;
}

static struct lvalue lvalue_of_symbol(struct compile *c, const struct node *n)
{
	return (struct lvalue){
		.base = n->percpu ? ir_source(c, VREG_PERCPU, n->percpu) :
				    ir_source(c, VREG_NUMBER, n->address),
		.within = struct_id(c, n->type),
		.link = n->span,
	};
}

struct lvalue lvalue_of(struct compile *c, const struct node *n)
{
	struct lvalue at;

	if (c->slot->diff.part == DIFF_AFTER && n == c->slot->root)
		return diff_lvalue(c, c->slot);
	switch (n->kind) {
	case NODE_SYMBOL: return lvalue_of_symbol(c, n);
	case NODE_MEMBER:
		at = lvalue_of(c, n->child);
		at.off += n->bit_offset / 8;
		break;
	case NODE_ARROW:
		at = lvalue_target(c, n->child);
		at.off += n->bit_offset / 8;
		break;
	case NODE_INDEX:
		at = lvalue_target(c, n->child);
		lvalue_index(c, &at, n);
		break;
	default: /* NODE_DEREF: resolve allows nothing else here */
		at = lvalue_target(c, n->child);
		break;
	}
	if (!c->err && (at.off > INT32_MAX || at.off < INT32_MIN))
		compile_fail(c, n->span, "too far from the pointer");
	return at;
}

int lvalue_address(struct compile *c, const struct lvalue *at)
{
	struct vreg v = { .op = VREG_ADD, .base = at->base, .other = -1, .imm = at->off };

	if (c->err)
		return -1;
	return ir_add(c, ir_value(c, v), link_add(c, at->link));
}

int lvalue_load(struct compile *c, enum vreg_op op, const struct lvalue *at, uint32_t size,
		bool as_number)
{
	struct vreg v = {
		.op = op,
		.base = at->base,
		.other = -1,
		.imm = at->off,
		.size = size,
		.within = at->within,
	};

	if (c->err)
		return -1;
	load_mode_choose(c, &v, at->user, as_number);
	return ir_add(c, ir_value(c, v), link_add(c, at->link));
}

/* ---- the address of the memory that --diff compares (resolve/expand.c) ---- */

/* DIFF_PLACE: the address from which DIFF_BEFORE reads. */
int plan_diff_address(struct compile *c, struct slot *s)
{
	const struct slot *before = s->diff.other;
	struct lvalue at;

	if (before->store.kind == STORE_STRING)
		return plan_value_of(c, s->root);
	at = before->store.by_pointer ? lvalue_target(c, s->root) : lvalue_of(c, s->root);
	s->diff.user = at.user;
	return lvalue_address(c, &at);
}

/* DIFF_AFTER: reads from the address that the entry stored. */
struct lvalue diff_lvalue(struct compile *c, const struct slot *s)
{
	struct ctype t = s->root->type;

	return (struct lvalue){
		.base = ir_source(c, VREG_KEPT, s->diff.other - c->p->slots),
		.within = ctype_is_composite(c->in->btf, t) ? btf_view_strip(c->in->btf, t.id) : 0,
		.user = s->diff.other->diff.user,
		.link = s->root->span,
	};
}
