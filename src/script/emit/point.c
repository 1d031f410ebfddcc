/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * point.c - emits code that determines which of its points a program runs at.
 */
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
