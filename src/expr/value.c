// SPDX-License-Identifier: GPL-2.0
/*
 * value.c - the plan's values, each made once, and a slot's steps and links.
 */
#include <string.h>

#include "expr/plan.h"

enum {
	TEMPS_MAX = 6, /* each one doubles, at worst, what the verifier has to look at */
};

/* ---- values ---- */

static bool value_equal(const struct plan_value *a, const struct plan_value *b)
{
	return a->op == b->op && a->way == b->way && a->base == b->base && a->imm == b->imm &&
	       a->size == b->size && a->width == b->width && a->sign == b->sign &&
	       a->within == b->within;
}

static bool values_grow(struct compile *c)
{
	struct plan *plan = &c->p->plan;
	size_t room = plan->value_room ? plan->value_room * 2 : 32;
	struct plan_value *values;

	if (plan->value_count < plan->value_room)
		return true;
	values = compile_alloc(c, room * sizeof(*values));
	if (!values)
		return false;
	if (plan->value_count)
		memcpy(values, plan->values, plan->value_count * sizeof(*values));
	plan->values = values;
	plan->value_room = room;
	return true;
}

/* The index of a value like `v`, which is made when there is none; -1 on error. */
int value_make(struct compile *c, struct plan_value v)
{
	struct plan *plan = &c->p->plan;

	for (size_t i = 0; i < plan->value_count; i++) {
		if (value_equal(&plan->values[i], &v))
			return i;
	}
	if (!values_grow(c))
		return -1;
	v.temp = -1;
	v.made_by = c->slot - c->p->slots;
	if (v.base >= 0) {
		plan->values[v.base].users++;
		plan->values[v.base].is_base = true;
	}
	plan->values[plan->value_count] = v;
	return plan->value_count++;
}

/* ---- steps and links ---- */

int link_add(struct compile *c, struct span span)
{
	struct slot *s = c->slot;

	if (s->link_count == LINKS_MAX) {
		compile_fail(c, span, "more than %d pointers to follow", LINKS_MAX);
		return -1;
	}
	if (!s->links)
		s->links = compile_alloc(c, (LINKS_MAX + 1) * sizeof(*s->links));
	if (c->err)
		return -1;
	s->links[s->link_count] =
		arena_text(&c->p->arena, s->text + span.start, span.end - span.start);
	if (!s->links[s->link_count])
		c->err = -ENOMEM;
	return s->link_count++;
}

/* Every node makes at most two values, so there are no more steps than twice the tokens. */
int step_add(struct compile *c, int value, int link)
{
	struct slot *s = c->slot;

	if (c->err)
		return -1;
	if (!s->steps)
		s->steps = compile_alloc(c, 2 * (s->token_count + 1) * sizeof(*s->steps));
	if (s->steps)
		s->steps[s->step_count++] = (struct plan_step){ value, link };
	return value;
}

/* ---- what slots share ---- */

/* Keeps pointers that later slots go on from. */
void expr_plan_share(struct compile *c)
{
	struct plan *plan = &c->p->plan;

	for (size_t i = 0; i < plan->value_count && plan->temps < TEMPS_MAX; i++) {
		struct plan_value *v = &plan->values[i];

		if (v->op == PLAN_LOAD && v->size == 8 && v->is_base && v->users > 1)
			v->temp = plan->temps++;
	}
}
