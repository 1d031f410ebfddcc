/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_path.c - the address of the struct path, or of the dentry, that :path shows.
 */
#include "expr/lower/lower_path.h"

#include "expr/ctype.h"
#include "expr/lower/ir_build.h"
#include "expr/lower/lower.h"
#include "expr/lower/lvalue.h"

void path_plan(struct compile *c, struct slot *s)
{
	const struct node *n = s->root;
	struct place at;

	if (s->is_dentry || (ctype_is_pointer(c->in->btf, n->type) && !s->path_offset)) {
		s->result = plan_value_of(c, n);
	} else {
		at = ctype_is_pointer(c->in->btf, n->type) ? place_behind(c, n) : place_of(c, n);
		at.off += s->path_offset;
		s->result = place_address(c, &at);
	}
	s->sink_link = link_add(c, n->span);
	if (!c->err)
		c->p->plan.values[s->result].users++;
}
