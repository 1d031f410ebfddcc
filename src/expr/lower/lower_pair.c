/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_pair.c - the plan of a pair of probes.
 *
 * Later slots may use what earlier ones have loaded, so the order is that of emit/emit_pair.c.
 */
#include "expr/lower/lower.h"

void expr_plan_pair(struct compile *c)
{
	struct expr_program *p = c->p;
	size_t hidden_end = p->hidden_first + p->hidden_count, keys = p->hidden_first, both = 0;

	while (both < p->filter_count && !p->slots[both].needs_kept)
		both++;
	while (keys < hidden_end && p->slots[keys].role == SLOT_KEY)
		keys++;
	slots_visit(c, 0, both, expr_plan);
	slots_visit(c, p->hidden_first, keys - p->hidden_first, expr_plan);
	slots_visit(c, both, p->slot_count - both, expr_plan);
	slots_visit(c, keys, hidden_end - keys, expr_plan);
}
