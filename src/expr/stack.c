// SPDX-License-Identifier: GPL-2.0
/*
 * stack.c - kernel and user stacks in a record: place, field, instructions.
 *
 * All that a record needs of a stack is one helper call. Frames are captured as they are, and
 * the reader drops those of tracing itself: how many there are differs by kernel.
 */
#include <string.h>

#include "expr/emit.h"

enum {
	USER_STACK_FLAG = 1 << 8, /* BPF_F_USER_STACK */
	TRACING_FRAMES = 3,       /* room for what the reader drops, beside the frames asked for */
};

static const struct field stack_fields[STACKS] = {
	[STACK_KERNEL] = { .name = "kernel_stack", .type = FIELD_KERNEL_STACK, .flags = FIELD_BELOW,
	                   .help = "return addresses from the probed function outwards" },
	[STACK_USER] = { .name = "user_stack", .type = FIELD_USER_STACK, .flags = FIELD_BELOW,
	                 .help = "the same of the program, from its system call outwards" },
};

/* ---- layout ---- */

uint32_t stacks_place(struct compile *c, uint32_t at)
{
	const struct expr_input *in = c->in;
	const bool wanted[STACKS] = { in->kernel_stack, in->user_stack };
	uint32_t depth = in->stack_depth ? in->stack_depth : STACK_DEFAULT;

	c->p->stack_depth = depth;
	if (depth < STACK_DEFAULT)
		depth += TRACING_FRAMES;
	c->p->stack_size = sizeof(struct event_stack) + depth * sizeof(uint64_t);
	for (int i = 0; i < STACKS; i++) {
		if (!wanted[i])
			continue;
		c->p->stacks[i] = at;
		at += c->p->stack_size;
	}
	return at;
}

size_t stacks_count(const struct expr_program *p)
{
	return !!p->stacks[STACK_KERNEL] + !!p->stacks[STACK_USER];
}

/* Is that the name of a stack in these records? */
bool stacks_have(const struct expr_program *p, const char *key)
{
	for (int i = 0; i < STACKS; i++) {
		if (p->stacks[i] && !strcmp(stack_fields[i].name, key))
			return true;
	}
	return false;
}

void stacks_schema(struct expr_program *p)
{
	for (int i = 0; i < STACKS; i++) {
		struct field *f = &p->fields[p->schema.count];

		if (!p->stacks[i])
			continue;
		*f = stack_fields[i];
		f->offset = p->stacks[i];
		f->size = p->stack_size;
		f->width = p->stack_depth;
		p->schema.count++;
	}
}

void stacks_describe(const struct expr_program *p, struct out *o)
{
	for (int i = 0; i < STACKS; i++) {
		if (p->stacks[i])
			out_printf(o, "  %s: up to %u frames\n", stack_fields[i].name,
			           p->stack_depth);
	}
}

/* ---- codegen ---- */

/* Kernels that have the helper func_arg have func_ip. */
static void gen_function(struct gen *g, int which, uint32_t at)
{
	bool wanted = which == STACK_KERNEL && g->c->in->on_function;

	if (wanted && g->target->func_arg) {
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_call(g->k, HELPER_FUNC_IP);
	} else {
		emit_imm64(g->k, BPF_REG_0, wanted ? g->c->in->function : 0);
	}
	emit_store(g->k, 8, REG_RECORD, at, BPF_REG_0);
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
	emit_store(g->k, 8, REG_RECORD, at, BPF_REG_0); /* size, and pad by its sign */
	emit_jump(g->k, BPF_JSGE, BPF_REG_0, 0, done);
	gen_count_loss(g, LOSS_FAULT);
	label_place(g->k, done);
	gen_function(g, which, at + offsetof(struct event_stack, function));
}

void gen_stacks(struct gen *g)
{
	for (int i = 0; i < STACKS; i++) {
		if (g->p->stacks[i])
			gen_stack(g, i);
	}
}
