/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_kept.c - values that the entry of a call kept for the return.
 */
#include "expr/emit/emit_kept.h"

void gen_latency_load(struct gen *g)
{
	emit_load(g->k, 8, REG_VALUE, BPF_REG_10, STACK_LATENCY);
}

/* The return of a call has copied all that was kept into the record. */
void gen_kept_slot(struct gen *g, const struct slot *s)
{
	int base = g->c->in->pair ? BPF_REG_1 : REG_RECORD;

	if (g->c->in->pair)
		emit_load(g->k, 8, base, BPF_REG_10, STACK_KEPT);
	emit_load(g->k, 8, REG_VALUE, base, s->offset);
}

void gen_saved_argument(struct gen *g, const struct vreg *v)
{
	unsigned before = __builtin_popcount(g->p->saved_args & ((1u << v->imm) - 1));

	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEPT);
	emit_load(g->k, 8, REG_VALUE, BPF_REG_1, g->p->saved_at + 8 * before);
}
