/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_stack.c - stores kernel and user stacks in a record (layout/stack_slots.c).
 *
 * A stack takes only one helper call. Frames are stored as captured; the reader drops those of the
 * tracing itself, because their number differs by kernel.
 */
#include "expr/emit/emit_slot.h"

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

/* The register that has the function's caller, which kernels do not look into: what they walk along is
 * the frame of the caller, for the function has made none yet. 0: the stack has all. */
static unsigned caller_unseen(const struct gen *g, int which)
{
	const struct expr_input *in = g->c->in;
	bool of_stack = which == STACK_USER ? in->in_user && !in->in_user32 : in->on_function;

	return of_stack && in->at_entry && g->target->method == EXPR_CTX_KPROBE ?
		       target_arch(g->target)->return_link :
		       0;
}

void gen_stack_frames(struct gen *g, int which, int base, uint32_t at)
{
	unsigned link = caller_unseen(g, which);
	uint32_t first = at + (link ? sizeof(uint64_t) : 0);
	int none;

	emit_move(g->k, BPF_REG_1, REG_CTX);
	emit_address(g->k, BPF_REG_2, base, first);
	emit_move_imm(g->k, BPF_REG_3,
		      g->p->stack_size - sizeof(struct event_stack) - (first - at));
	emit_move_imm(g->k, BPF_REG_4, which == STACK_USER ? USER_STACK_FLAG : 0);
	emit_call(g->k, HELPER_STACK);
	if (!link)
		return;
	none = label_new(g->k);
	emit_jump(g->k, BPF_JSLE, BPF_REG_0, 0, none);
	emit_load(g->k, 8, BPF_REG_1, base, first); /* the function itself */
	emit_store(g->k, 8, base, at, BPF_REG_1);
	emit_load(g->k, 8, BPF_REG_1, REG_CTX, arch_offset(link));
	emit_store(g->k, 8, base, first, BPF_REG_1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, sizeof(uint64_t));
	label_place(g->k, none);
}

static void gen_stack(struct gen *g, int which)
{
	uint32_t at = g->p->stacks[which];
	int done = label_new(g->k);

	gen_stack_frames(g, which, REG_RECORD, at + offsetof(struct event_stack, frames));
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
