/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * load_mode.c - chooses how to read through a pointer: the cheapest mode that this kernel's
 * verifier accepts.
 *
 * Typed loads first, then typed loads after a cast, then helpers. Nothing here knows about
 * expressions.
 */
#include "expr/lower/load_mode.h"

#include "expr/lower/verifier.h"

static bool helper_only(const struct compile *c)
{
	return !c->in->target.typed_loads;
}

/* Does the verifier accept the load through a pointer to struct `id`? It does not allow the bits of
 * a pointer to be shifted. */
static bool typed_takes(struct compile *c, struct vreg *v, uint32_t id, bool as_number)
{
	enum typed_result result;

	if (v->op == VREG_BYTES)
		return typed_bytes(c->in->btf, id, v->imm, v->size);
	result = typed_load(c->in->btf, id, v->imm, v->size, &v->pointee);
	return result == TYPED_SCALAR || (result == TYPED_POINTER && !as_number);
}

/* For a number at any address: a cast to a type that can be loaded from offset 0 on. */
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

static bool cast_takes(struct compile *c, struct vreg *v, bool as_number)
{
	if (helper_only(c) || !c->in->target.rdonly_cast_id)
		return false;
	v->cast_id = v->within;
	return (v->within && typed_takes(c, v, v->within, as_number)) || cast_anything(c, v);
}

/* For more bytes than this, one helper call is cheaper than typed loads, each of which checks its
 * address. */
static bool is_long(const struct compile *c, const struct vreg *v)
{
	return v->op == VREG_BYTES && v->size > TYPED_BYTES_MAX && c->in->target.probe_read;
}

void load_mode_choose(struct compile *c, struct vreg *v, bool user, bool as_number)
{
	uint32_t pointee = c->p->plan.values[v->base].pointee;

	if (user)
		v->way = LOAD_USER;
	else if (is_long(c, v))
		v->way = LOAD_PROBE;
	else if (pointee && !helper_only(c) && typed_takes(c, v, pointee, as_number))
		v->way = LOAD_DIRECT;
	else if (cast_takes(c, v, as_number))
		v->way = LOAD_CAST;
	else
		v->way = LOAD_PROBE;
	if (v->way == LOAD_USER || v->way == LOAD_PROBE)
		v->pointee = 0;
}
