/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * point.c - emits code that determines which of its points a program runs at.
 */
#include <string.h>

#include "script/emit/gen.h"

void point_gen(struct sgen *g, int dst)
{
	const struct expr_input *in = g->in;

	if (in->point.index >= 0 || !in->run.points) {
		bool is_listed = in->point.index >= 0 && in->run.points;

		emit_move_imm(g->k, dst, is_listed ? in->point.index : (int)in->point.first);
		return;
	}
	emit_move(g->k, BPF_REG_1, context_reg(g, BPF_REG_1));
	emit_call(g->k, HELPER_ATTACH_COOKIE);
	emit_move32(g->k, dst, BPF_REG_0); /* removes the index of the program */
}

/* Returns the text of a point, for comparisons made at compile time. */
static const char *point_text(const struct sgen *g, const struct script_expr *e, unsigned point)
{
	const struct script_names *names = g->c->point->names;

	if (!names || point >= names->count)
		return "";
	return e->type.is_func ? names->all[point].func : names->all[point].probe;
}

void point_compare(struct sgen *g, struct script_expr *a, struct script_expr *b, int other)
{
	unsigned first = g->in->point.first, count = g->in->point.count ?: 1;
	int equal = label_new(g->k);

	if (!b->is_constant) {
		script_unsupported(g->c, b->span,
				   "comparing it with a text that is computed at run time");
		return;
	}
	point_gen(g, BPF_REG_0);
	for (unsigned i = first; i < first + count; i++)
		if (!strcmp(point_text(g, a, i), b->bytes))
			emit_jump(g->k, BPF_JEQ, BPF_REG_0, i, equal);
	emit_goto(g->k, other);
	label_bind(g->k, equal);
}
