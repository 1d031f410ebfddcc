// SPDX-License-Identifier: GPL-2.0
/*
 * way.c - how to read behind a pointer: the cheapest way that this kernel's verifier takes.
 *
 * Typed loads first, then typed loads after a cast, then helpers. It must not know expressions.
 */
#include "expr/plan.h"

static bool helper_only(const struct compile *c)
{
	return !c->in->target.typed_loads;
}

/* Does the verifier take the load through a pointer to struct `id`? Bits of a pointer it would
 * not let be shifted. */
static bool typed_takes(struct compile *c, struct plan_value *v, uint32_t id, bool as_number)
{
	enum typed_result result;

	if (v->op == PLAN_BYTES)
		return typed_bytes(c->in->btf, id, v->imm, v->size);
	result = typed_load(c->in->btf, id, v->imm, v->size, &v->pointee);
	return result == TYPED_SCALAR || (result == TYPED_POINTER && !as_number);
}

/* A number at any address: cast to something that may be loaded from its beginning on. */
static bool cast_anything(struct compile *c, struct plan_value *v)
{
	const struct expr_target *t = &c->in->target;
	bool pieces = v->op == PLAN_BYTES && v->size > CAST_BYTES && !t->rdonly_cast_void;

	if (!t->rdonly_cast_void &&
	    (!t->pt_regs_id ||
	     !typed_bytes(c->in->btf, t->pt_regs_id, 0, pieces ? CAST_BYTES : v->size)))
		return false;
	v->cast_in_pieces = pieces;
	v->cast_id = t->rdonly_cast_void ? 0 : t->pt_regs_id;
	v->cast_add = v->imm;
	v->pointee = 0;
	return true;
}

static bool cast_takes(struct compile *c, struct plan_value *v, bool as_number)
{
	if (helper_only(c) || !c->in->target.rdonly_cast_id)
		return false;
	v->cast_id = v->within;
	return (v->within && typed_takes(c, v, v->within, as_number)) || cast_anything(c, v);
}

/* Beyond that one helper's call is cheaper than typed loads, each of which checks its address. */
static bool is_long(const struct compile *c, const struct plan_value *v)
{
	return v->op == PLAN_BYTES && v->size > TYPED_BYTES_MAX && c->in->target.probe_read;
}

void choose_way(struct compile *c, struct plan_value *v, bool user, bool as_number)
{
	uint32_t pointee = c->p->plan.values[v->base].pointee;

	if (user)
		v->way = WAY_USER;
	else if (is_long(c, v))
		v->way = WAY_PROBE;
	else if (pointee && !helper_only(c) && typed_takes(c, v, pointee, as_number))
		v->way = WAY_DIRECT;
	else if (cast_takes(c, v, as_number))
		v->way = WAY_CAST;
	else
		v->way = WAY_PROBE;
	if (v->way == WAY_USER || v->way == WAY_PROBE)
		v->pointee = 0;
}
