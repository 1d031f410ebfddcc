// SPDX-License-Identifier: GPL-2.0
/*
 * diff.c - --diff EXPR: the same memory before and after the call, by three slots.
 *
 *	DIFF_PLACE	its address, at the entry; in the output it stands for all three
 *	DIFF_BEFORE	the bytes there, at the entry: the expression as it is
 *	DIFF_AFTER	the bytes there, at the return: by the address that the record has from the entry
 *
 * The last two hang at the first, as pointers hang at a struct that --depth follows. So what EXPR leads
 * through may change meanwhile: it is the same object that is looked at.
 */
#include <string.h>

#include "expr/plan.h"

/* ---- resolve's part ---- */

void diffs_take(struct compile *c)
{
	const struct expr_input *in = c->in;

	for (size_t i = 0; i < in->diff_count && !c->err; i++) {
		struct slot *s = &c->p->slots[c->p->slot_count];

		slot_add(c, in->diffs[i]);
		s->diff = DIFF_PLACE;
		s->input = in->count + in->condition_count + i;
	}
}

/* A pointer is named for what it points at, unless it has a format. */
static void node_follow(struct compile *c, struct slot *s)
{
	const struct btf_view *b = c->in->btf;
	struct node *n = s->root, *deref;

	if (s->format.span.end || !ctype_is_pointer(b, n->type) ||
	    ctype_is_char(b, ctype_target(b, n->type)) ||
	    !ctype_size(b, ctype_target(b, n->type)))
		return;
	deref = compile_alloc(c, sizeof(*deref));
	if (!deref)
		return;
	*deref = (struct node){ .kind = NODE_DEREF, .span = n->span, .child = n,
		                .type = ctype_target(b, n->type), .place = PLACE_MEMORY };
	s->root = deref;
}

/* Sets what resolving the same text again must not be undone by. */
void diff_format(struct compile *c, struct slot *s)
{
	if (s->ret.end)
		compile_fail(c, s->ret, "--diff looks at both ends by itself");
	else if (s->at_return && s->diff != DIFF_AFTER)
		compile_fail(c, s->root->span, "it is not there yet when the function begins");
	else
		node_follow(c, s);
	s->at_return = s->diff == DIFF_AFTER;
}

/* What is in a register, or is no memory of the kernel's at all, no call changes. */
static void check_memory(struct compile *c, struct slot *s)
{
	bool lies = s->root->place == PLACE_MEMORY;

	if (s->sink == SINK_STRING || (s->sink == SINK_BYTES && (lies || s->behind)) ||
	    (s->sink == SINK_SCALAR && lies))
		return;
	compile_fail(c, s->root->span, s->sink == SINK_PATH ? "a path has no bytes to compare" :
	                                                      "a value, which no call can change");
	compile_hint(c, "--diff compares what lies in memory: *POINTER, POINTER->MEMBER");
}

static struct slot *part_add(struct compile *c, struct slot *whole, enum diff_part part)
{
	struct slot *s = &c->p->slots[c->p->slot_count++];

	*s = (struct slot){ .text = whole->text, .input = whole->input, .parent = whole, .diff = part };
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

/* ---- plan's part ---- */

/* DIFF_PLACE: the address of what DIFF_BEFORE reads. */
int diff_plan_place(struct compile *c, struct slot *s)
{
	const struct slot *before = s->part;
	struct place at;

	if (before->sink == SINK_STRING)
		return plan_value_of(c, s->root);
	at = before->behind ? place_behind(c, s->root) : place_of(c, s->root);
	s->user = at.user;
	return place_address(c, &at);
}

/* DIFF_AFTER: the bytes are where the entry found them. */
struct place diff_place(struct compile *c, const struct slot *s)
{
	struct plan_value v = { .op = PLAN_KEPT, .base = -1, .other = -1,
		                .imm = s->part - c->p->slots };
	struct ctype t = s->root->type;

	return (struct place){
		.base = step_add(c, value_make(c, v), -1),
		.within = ctype_is_composite(c->in->btf, t) ? btf_view_strip(c->in->btf, t.id) : 0,
		.user = s->part->user,
		.link = s->root->span,
	};
}
