/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_slots.c - kernel and user stacks in a record: places and fields.
 */
#include "expr/layout/layout.h"

#include <string.h>

#include "output/field/stack_copy.h"

enum { TRACING_FRAMES = 3 }; /* room for frames that the reader drops */

static const struct field stack_fields[STACKS] = {
	[STACK_KERNEL] = { .name = "kernel_stack",
			   .type = FIELD_KERNEL_STACK,
			   .help = "return addresses from the probed function outwards" },
	[STACK_USER] = { .name = "user_stack",
			 .type = FIELD_USER_STACK,
			 .help = "the same of the program, from its system call outwards" },
};

void stacks_measure(struct compile *c)
{
	uint32_t depth = c->in->run.stack_depth ?: STACK_DEFAULT;

	c->p->stacks.depth = depth;
	if (depth < STACK_DEFAULT)
		depth += TRACING_FRAMES;
	c->p->stacks.size = sizeof(struct event_stack) + depth * sizeof(uint64_t);
	if (c->in->run.user_stack || c->in->run.aggregate)
		c->p->stacks.copy_size = c->in->run.stack_copy;
}

uint32_t stacks_copy_room(const struct expr_program *p)
{
	return sizeof(struct event_user_copy) +
	       arch_offset(target_arch(&p->target)->sample_registers) + p->stacks.copy_size;
}

static uint32_t stack_room(const struct expr_program *p, int which)
{
	return which == STACK_USER && p->stacks.copy_size ? stacks_copy_room(p) : p->stacks.size;
}

uint32_t stacks_layout(struct compile *c, uint32_t at)
{
	const struct expr_input *in = c->in;
	const bool wanted[STACKS] = { in->run.kernel_stack, in->run.user_stack };

	for (int i = 0; i < STACKS; i++) {
		if (!wanted[i])
			continue;
		c->p->stacks.at[i] = at;
		at += stack_room(c->p, i);
	}
	return at;
}

size_t stacks_count(const struct expr_program *p)
{
	return !!p->stacks.at[STACK_KERNEL] + !!p->stacks.at[STACK_USER];
}

/* True if a stack of these records has that name. */
bool stacks_have_name(const struct expr_program *p, const char *key)
{
	for (int i = 0; i < STACKS; i++) {
		if (p->stacks.at[i] && !strcmp(stack_fields[i].name, key))
			return true;
	}
	return false;
}

void stacks_schema(struct expr_program *p)
{
	for (int i = 0; i < STACKS; i++) {
		struct field *f = &p->record.fields[p->record.schema.count];

		if (!p->stacks.at[i])
			continue;
		*f = stack_fields[i];
		f->offset = p->stacks.at[i];
		f->size = stack_room(p, i);
		f->width = p->stacks.depth;
		f->kind = i == STACK_USER && p->stacks.copy_size ? &stack_copy_kind : NULL;
		p->record.schema.count++;
	}
}

void stacks_describe(const struct expr_program *p, struct buf *o)
{
	for (int i = 0; i < STACKS; i++) {
		if (!p->stacks.at[i])
			continue;
		buf_printf(o, "  %s: up to %u frames", stack_fields[i].name, p->stacks.depth);
		if (i == STACK_USER && p->stacks.copy_size)
			buf_printf(o, ", from a copy of %u bytes", p->stacks.copy_size);
		buf_char(o, '\n');
	}
}
