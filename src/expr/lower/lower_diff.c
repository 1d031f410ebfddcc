/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_diff.c - the address of the memory that --diff compares (resolve/expand_diff.c).
 */
#include "expr/lower/lower.h"

#include "expr/ctype.h"

/* DIFF_PLACE: the address from which DIFF_BEFORE reads. */
int diff_plan_place(struct compile *c, struct slot *s)
{
	const struct slot *before = s->part;
	struct place at;

	if (before->sink == STORE_STRING)
		return plan_value_of(c, s->root);
	at = before->behind ? place_behind(c, s->root) : place_of(c, s->root);
	s->user = at.user;
	return place_address(c, &at);
}

/* DIFF_AFTER: reads from the address that the entry stored. */
struct place diff_place(struct compile *c, const struct slot *s)
{
	struct vreg v = { .op = VREG_KEPT, .base = -1, .other = -1, .imm = s->part - c->p->slots };
	struct ctype t = s->root->type;

	return (struct place){
		.base = ir_add(c, value_make(c, v), -1),
		.within = ctype_is_composite(c->in->btf, t) ? btf_view_strip(c->in->btf, t.id) : 0,
		.user = s->part->user,
		.link = s->root->span,
	};
}
