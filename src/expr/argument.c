// SPDX-License-Identifier: GPL-2.0
/*
 * argument.c - where a function finds a parameter: in which register, or where on the stack.
 *
 * The calling conventions as far as the kernel needs them (integers, pointers, structs by value):
 * System V for x86-64, section 3.2.3; AAPCS64, section 6.8.2. The trampolines of fentry hide all of
 * that: there each parameter takes so many u64 of the context as it is long, in their order.
 */
#include "expr/plan.h"

struct convention {
	unsigned registers;
	unsigned stack; /* bytes from the stack pointer at the function's first instruction */
	int stack_pointer; /* offset in struct pt_regs */
};

static const struct convention conventions[] = {
	[EXPR_ARCH_X86_64] = { 6, 8, 152 }, /* behind the return address */
	[EXPR_ARCH_ARM64] = { 8, 0, 248 },
};

/* What a parameter takes. */
struct needs {
	unsigned words;
	bool in_memory; /* never in registers */
	bool even;	/* begins at an even register or a multiple of 16 bytes */
};

static struct needs needs_of(const struct compile *c, uint32_t type)
{
	bool composite = ctype_is_composite(c->in->btf, ctype_of(type));
	uint64_t size = btf_view_size(c->in->btf, type);
	struct needs n = { .words = (size + 7) / 8 };

	if (c->in->target.arch == EXPR_ARCH_ARM64) {
		n.even = !composite && size == 16; /* __int128 */
		if (composite && size > 16)
			n.words = 1; /* the address of a copy */
	} else {
		n.in_memory = composite && size > 16;
	}
	return n;
}

/* One after the other takes its place; a later one may still find a register on x86-64. */
static struct argument_home home_next(const struct convention *by, const struct needs *n,
				      unsigned *reg, unsigned *stack, bool arm64)
{
	struct argument_home home = { .is_stack = true };

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

struct argument_home argument_home(struct compile *c, unsigned param)
{
	const struct btf_param *params = btf_params(btf_view_type(c->in->btf, c->p->proto));
	const struct convention *by = &conventions[c->in->target.arch];
	bool arm64 = c->in->target.arch == EXPR_ARCH_ARM64;
	unsigned reg = 0, stack = 0;
	struct argument_home home;
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
