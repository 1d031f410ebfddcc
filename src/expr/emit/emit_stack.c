/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_stack.c - stores kernel and user stacks in a record (layout/stack_slots.c).
 *
 * A stack takes only one helper call. Frames are stored as captured; the reader drops those of the
 * tracing itself, because their number differs by kernel.
 */
#include "expr/emit/emit_stack.h"

/* Kernels with the helper func_arg also have func_ip. */
void gen_stack_function(struct gen *g, int which, int base, uint32_t at)
{
	bool wanted = which == STACK_KERNEL && g->c->in->on_function;

	if (wanted && g->target->func_arg) {
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_call(g->k, HELPER_FUNC_IP);
	} else {
		emit_imm64(g->k, BPF_REG_0, wanted ? g->c->in->function : 0);
	}
	emit_store(g->k, 8, base, at, BPF_REG_0);
}

static void gen_stack(struct gen *g, int which)
{
	uint32_t at = g->p->stacks[which];
	int done = label_new(g->k);

	emit_move(g->k, BPF_REG_1, REG_CTX);
	emit_address(g->k, BPF_REG_2, REG_RECORD, at + offsetof(struct event_stack, frames));
	emit_move_imm(g->k, BPF_REG_3, g->p->stack_size - sizeof(struct event_stack));
	emit_move_imm(g->k, BPF_REG_4, which == STACK_USER ? USER_STACK_FLAG : 0);
	emit_call(g->k, HELPER_STACK);
	/* size, and pad, which gets the sign bits */
	emit_store(g->k, 8, REG_RECORD, at, BPF_REG_0);
	emit_jump(g->k, BPF_JSGE, BPF_REG_0, 0, done);
	gen_count_loss(g, LOSS_FAULT);
	label_place(g->k, done);
	gen_stack_function(g, which, REG_RECORD, at + offsetof(struct event_stack, function));
}

void gen_stacks(struct gen *g)
{
	for (int i = 0; i < STACKS; i++) {
		if (g->p->stacks[i] && i == STACK_USER && g->p->copy_size)
			gen_user_copy(g, g->p->stacks[i]);
		else if (g->p->stacks[i])
			gen_stack(g, i);
	}
}
