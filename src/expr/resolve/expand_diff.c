/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expand_diff.c - --diff EXPR: the same memory before and after the call, in three slots.
 *
 *	DIFF_PLACE	its address, at the entry; represents all three in the output
 *	DIFF_BEFORE	the bytes there, at the entry: the expression itself
 *	DIFF_AFTER	the bytes there, at the return: from the address that the entry recorded
 *
 * The last two are attached to the first, as --depth attaches pointers to a struct. The pointers on
 * the way to EXPR may change during the call: both reads still use the same address.
 */
#include "expr/resolve/resolve.h"

#include "expr/resolve/format.h"
#include "expr/syntax/syntax.h"

void diffs_take(struct compile *c)
{
	const struct expr_input *in = c->in;

	for (size_t i = 0; i < in->run.diff_count && !c->err; i++) {
		struct slot *s = &c->p->slots[c->p->slot_count];

		slot_add(c, in->run.diffs[i]);
		s->diff = DIFF_PLACE;
		s->input = in->count + in->condition_count + i;
	}
}

/* A call cannot change what is in a register, or is not kernel memory. */
static void check_memory(struct compile *c, struct slot *s)
{
	bool lies = s->root->place == CATEGORY_LVALUE;

	if (s->sink == STORE_STRING || (s->sink == STORE_BYTES && (lies || s->behind)) ||
	    (s->sink == STORE_SCALAR && lies))
		return;
	compile_fail(c, s->root->span,
		     s->sink == STORE_PATH ? "a path has no bytes to compare" :
					     "a value, which no call can change");
	compile_hint(c, "--diff compares what lies in memory: *POINTER, POINTER->MEMBER");
}

static struct slot *part_add(struct compile *c, struct slot *whole, enum diff_part part)
{
	struct slot *s = &c->p->slots[c->p->slot_count++];

	*s = (struct slot){
		.text = whole->text, .input = whole->input, .parent = whole, .diff = part
	};
	c->slot = s;
	expr_lex(c, s);
	if (!c->err)
		expr_parse(c, s);
	if (!c->err)
		expr_resolve(c, s);
	if (!c->err)
		expr_format(c, s);
	if (!c->err)
		check_memory(c, s);
	c->slot = NULL;
	return s;
}

void expr_diff(struct compile *c, struct slot *s)
{
	if (s->diff != DIFF_PLACE)
		return;
	s->part = part_add(c, s, DIFF_BEFORE);
	if (!c->err)
		part_add(c, s, DIFF_AFTER)->part = s;
}
