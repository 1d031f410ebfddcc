/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_kept.c - values that the entry of a call kept for the return.
 */
#include "expr/emit/emit_call.h"

enum {
	COPY_BY_HAND = 256
}; /* from this many bytes on, a helper is cheaper than loads and stores */

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

void gen_copy(struct gen *g, int base, uint32_t from, uint32_t end)
{
	if (end - from > COPY_BY_HAND && g->target->probe_read) {
		emit_alu_imm(g->k, BPF_ADD, BPF_REG_3, from);
		emit_address(g->k, BPF_REG_1, base, from);
		emit_move_imm(g->k, BPF_REG_2, end - from);
		emit_call(g->k, HELPER_READ_KERNEL);
		return;
	}
	for (uint32_t at = from; at < end; at += 8) {
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_3, at);
		emit_store(g->k, 8, base, at, BPF_REG_1);
	}
}
