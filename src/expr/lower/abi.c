/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * abi.c - where a function finds a parameter: in a register or on the stack.
 *
 * Calling conventions (kernel/arch.h), as far as the kernel uses them: integers, pointers, structs
 * by value. fentry trampolines hide all of that: there each parameter takes as many u64 of the
 * context as it needs, in order.
 */
#include "expr/lower/lower.h"

#include "expr/ctype.h"

/* The space that a parameter needs. */
struct needs {
	unsigned words;
	bool in_memory; /* never in registers */
	bool even;	/* starts at an even register or a multiple of 16 bytes */
};

/* A parameter's type in bytes; no kernel passes that much, but a damaged file may say so. */
static uint64_t type_size(const struct compile *c, uint32_t type)
{
	enum { MOST = 4096 };
	uint64_t size = btf_view_size(c->in->btf, type);

	return size < MOST ? size : MOST;
}

static struct needs needs_of(const struct compile *c, uint32_t type)
{
	const struct arch *arch = target_arch(&c->in->target);
	bool composite = ctype_is_composite(c->in->btf, ctype_of(type));
	uint64_t size = type_size(c, type);
	struct needs n = { .words = (size + 7) / 8 };

	n.even = arch->pairs_are_even && !composite && size == 16; /* __int128 */
	if (composite && size > 16 && arch->copies_structs)
		n.words = 1;
	else
		n.in_memory = composite && size > 16;
	return n;
}

/* Parameters take their places in order; a later one may still get a register, if one is left. */
static struct argument_location home_next(const struct arch *arch, const struct needs *n,
					  unsigned *reg, unsigned *stack)
{
	struct argument_location home = { .is_stack = true };

	if (n->even && *reg % 2)
		++*reg;
	if (!n->in_memory && *reg + n->words <= arch->argument_count) {
		home.is_stack = false;
		home.at = *reg;
		*reg += n->words;
		return home;
	}
	if (arch->splits && !n->in_memory && *reg < arch->argument_count) {
		home.is_split = true;
		*stack += 8 * (n->words - (arch->argument_count - *reg));
		*reg = arch->argument_count;
		return home;
	}
	if (arch->stack_is_for_all)
		*reg = arch->argument_count;
	if (n->even && *stack % 16)
		*stack += 8;
	home.at = arch->return_size + *stack;
	*stack += 8 * n->words;
	return home;
}

struct argument_location argument_location(struct compile *c, unsigned param)
{
	const struct btf_param *params = btf_params(btf_view_type(c->in->btf, c->p->proto));
	unsigned reg = 0, stack = 0;
	struct argument_location home;
	unsigned i = 0;

	do {
		struct needs n = needs_of(c, params[i].type);

		home = home_next(target_arch(&c->in->target), &n, &reg, &stack);
	} while (i++ < param);
	return home;
}

unsigned argument_slot(struct compile *c, unsigned param)
{
	const struct btf_param *params = btf_params(btf_view_type(c->in->btf, c->p->proto));
	unsigned slot = 0;

	params += c->in->params_skipped;
	for (unsigned i = 0; i < param; i++)
		slot += (type_size(c, params[i].type) + 7) / 8;
	return slot;
}
