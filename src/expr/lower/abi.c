/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * abi.c - where a function finds a parameter: in a register or on the stack.
 *
 * Calling conventions, as far as the kernel uses them (integers, pointers, structs by value):
 * System V for x86-64, section 3.2.3; AAPCS64, section 6.8.2. fentry trampolines hide all of that:
 * there each parameter takes as many u64 of the context as it needs, in order.
 */
#include "expr/lower/abi.h"

#include "expr/ctype.h"

struct convention {
	unsigned registers;
	unsigned stack;	   /* bytes above the stack pointer at the function's first instruction */
	int stack_pointer; /* offset in struct pt_regs */
};

static const struct convention conventions[] = {
	[EXPR_ARCH_X86_64] = { 6, 8, 152 }, /* above the return address */
	[EXPR_ARCH_ARM64] = { 8, 0, 248 },
};

/* The space that a parameter needs. */
struct needs {
	unsigned words;
	bool in_memory; /* never in registers */
	bool even;	/* starts at an even register or a multiple of 16 bytes */
};

static struct needs needs_of(const struct compile *c, uint32_t type)
{
	bool composite = ctype_is_composite(c->in->btf, ctype_of(type));
	uint64_t size = btf_view_size(c->in->btf, type);
	struct needs n = { .words = (size + 7) / 8 };

	if (c->in->target.arch == EXPR_ARCH_ARM64) {
		n.even = !composite && size == 16; /* __int128 */
		if (composite && size > 16)
			n.words = 1; /* the address of a copy is passed */
	} else {
		n.in_memory = composite && size > 16;
	}
	return n;
}

/* Parameters take their places in order; on x86-64 a later one may still get a register. */
static struct argument_location home_next(const struct convention *by, const struct needs *n,
					  unsigned *reg, unsigned *stack, bool arm64)
{
	struct argument_location home = { .is_stack = true };

	if (n->even && *reg % 2)
		++*reg;
	if (!n->in_memory && *reg + n->words <= by->registers) {
		home.is_stack = false;
		home.at = *reg;
		*reg += n->words;
		return home;
	}
	if (arm64)
		*reg = by->registers;
	if (n->even && *stack % 16)
		*stack += 8;
	home.at = by->stack + *stack;
	*stack += 8 * n->words;
	return home;
}

struct argument_location argument_location(struct compile *c, unsigned param)
{
	const struct btf_param *params = btf_params(btf_view_type(c->in->btf, c->p->proto));
	const struct convention *by = &conventions[c->in->target.arch];
	bool arm64 = c->in->target.arch == EXPR_ARCH_ARM64;
	unsigned reg = 0, stack = 0;
	struct argument_location home;
	unsigned i = 0;

	do {
		struct needs n = needs_of(c, params[i].type);

		home = home_next(by, &n, &reg, &stack, arm64);
	} while (i++ < param);
	return home;
}

int argument_stack_pointer(const struct compile *c)
{
	return conventions[c->in->target.arch].stack_pointer;
}

unsigned argument_slot(struct compile *c, unsigned param)
{
	const struct btf_param *params = btf_params(btf_view_type(c->in->btf, c->p->proto));
	unsigned slot = 0;

	params += c->in->params_skipped;
	for (unsigned i = 0; i < param; i++)
		slot += (btf_view_size(c->in->btf, params[i].type) + 7) / 8;
	return slot;
}
