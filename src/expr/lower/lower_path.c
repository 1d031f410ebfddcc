/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_path.c - the address of the struct path, or of the dentry, that :path shows; and the text of
 * the path, which is compared.
 */
#include "expr/lower/lower_path.h"

#include "expr/ctype.h"
#include "expr/lower/ir_build.h"
#include "expr/lower/lower.h"
#include "expr/lower/lvalue.h"

static int path_address(struct compile *c, const struct node *n, int offset, bool is_dentry)
{
	bool pointer = ctype_is_pointer(c->in->btf, n->type);
	struct place at;

	if (is_dentry || (pointer && !offset))
		return plan_value_of(c, n);
	at = pointer ? place_behind(c, n) : place_of(c, n);
	at.off += offset;
	return place_address(c, &at);
}

void path_plan(struct compile *c, struct slot *s)
{
	s->result = path_address(c, s->root, s->path_offset, s->is_dentry);
	s->sink_link = link_add(c, s->root->span);
	if (!c->err)
		c->p->plan.values[s->result].users++;
}

int path_text_plan(struct compile *c, const struct node *n)
{
	struct vreg v = { .op = VREG_PATH, .other = -1, .imm = n->room, .sign = n->is_dentry };

	v.base = path_address(c, n->child, n->bit_offset / 8, n->is_dentry);
	return c->err ? -1 : ir_add(c, value_make(c, v), link_add(c, n->child->span));
}
