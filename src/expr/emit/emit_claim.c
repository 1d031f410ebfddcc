/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_claim.c - claims memory: adds 1 to the word behind it, and has it if the result is 1; else takes the 1 back
 * and tries the next.
 *
 * What the result is must be read after the addition, as the only atomic operation of 5.10 has none. Of two that add at
 * once both may see a 2: both go on. All are on one CPU, so one of them is either before or within the other.
 */
#include "expr/emit/emit_common.h"

static void claim_add(struct gen *g, int reg, int size, int n)
{
	emit_move_imm(g->k, BPF_REG_1, n);
	emit_atomic_add(g->k, reg, size, BPF_REG_1, false);
}

void gen_claim(struct gen *g, uint32_t map, uint32_t first, int size, int none)
{
	int ours = label_new(g->k);

	for (unsigned i = 0; i < CLAIMS; i++) {
		gen_look_up(g, map, first + i);
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
		claim_add(g, BPF_REG_0, size, 1);
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_0, size);
		emit_jump(g->k, BPF_JEQ, BPF_REG_1, 1, ours);
		claim_add(g, BPF_REG_0, size, -1);
	}
	emit_goto(g->k, none);
	label_place(g->k, ours);
}

void gen_unclaim(struct gen *g, int reg, int size)
{
	claim_add(g, reg, size, -1);
}
