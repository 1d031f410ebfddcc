/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_inside.c - @in(EXPR): what the calls of --in keep for those inside of them.
 *
 * The values are in the thread's entry (emit_within.c), a level for each call, the outermost first:
 *
 *	frame (0: no call), which values could not be read, values
 *
 * Behind the last level there is one more frame, of a call that found all levels in use: while that lasts there
 * are no values (LOSS_TOO_DEEP). Frames get smaller from level to level, for stacks grow downwards, but those of an
 * interrupt, which may have a stack of its own:
 *
 *	entry	the first level that is free, or whose call cannot be around this one (its return was
 *		missed); those above are free then
 *	return	its level, and those above, are free
 *	asked	the last level in use, if its call can be around the one that asks
 *
 * Only the thread and its interrupts use the entry, and an interrupt leaves the levels as they were. The frame is
 * stored last, so an interrupt that comes before finds no call there.
 */
#include "expr/emit/emit_within.h"

#include "expr/emit/emit_slot.h"

enum {
	LEVELS = 4, /* calls, one in another, whose values are kept */
	/* of a level */
	FRAME = 0,
	UNREAD = 8,
	VALUES = 16,
	STATUS_WORDS = sizeof(struct event_header) - 8, /* a single status byte is in the header */
};

/* ---- places ---- */

static int level(const struct compile *c, int i)
{
	return sizeof(struct within) + i * (VALUES + 8 * (int)c->in->inside_most);
}

uint32_t within_size(const struct compile *c)
{
	return c->in->inside_most ? level(c, LEVELS) + 8 : (int)sizeof(struct within);
}

static bool keeps(const struct gen *g)
{
	return g->c->in->marks && g->c->in->count;
}

/* The values on the stack, as a record without the header in front. */
static int values_at(const struct gen *g)
{
	return gen_stack_end(g) - (int)(g->p->record_size - STATUS_WORDS);
}

int within_new_at(const struct gen *g)
{
	int end = keeps(g) ? values_at(g) : STACK_TEMPS - 8;

	return end - (int)within_size(g->c);
}

/* ---- the programs that mark ---- */

void inside_values(struct gen *g)
{
	const struct expr_program *p = g->p;
	int at = values_at(g), lowest = within_new_at(g);

	if (!keeps(g))
		return;
	if (!gen_record_on_stack(g, gen_stack_end(g) - lowest)) {
		compile_fail(g->c, (struct span){}, "too many values at a time for @in( )");
		return;
	}
	emit_alu_imm(g->k, BPF_ADD, REG_RECORD, at - lowest - STATUS_WORDS);
	emit_zero(g->k, BPF_REG_10, at, p->status_at + p->status_size - STATUS_WORDS);
	for (size_t i = 0; i < p->slot_count; i++)
		gen_labels_make(g, i);
	for (size_t i = 0; i < p->slot_count; i++)
		gen_slot_fast(g, &p->slots[i]);
}

void inside_values_exact(struct gen *g)
{
	for (size_t i = 0; keeps(g) && i < g->p->slot_count; i++)
		gen_slot_exact(g, &g->p->slots[i]);
}

/* From the stack to a level at base + at. */
static void level_fill(struct gen *g, int base, int at)
{
	const struct expr_program *p = g->p;
	int from = values_at(g) - STATUS_WORDS;

	emit_store_imm(g->k, 8, base, at + UNREAD, 0);
	for (size_t i = 0; i < p->slot_count; i++) {
		const struct slot *s = &p->slots[i];
		int read = label_new(g->k);

		emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, from + s->offset);
		emit_store(g->k, 8, base, at + VALUES + 8 * i, BPF_REG_1);
		if (s->status) {
			emit_load(g->k, 1, BPF_REG_1, BPF_REG_10, from + s->status);
			emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, read);
			emit_load(g->k, 8, BPF_REG_1, base, at + UNREAD);
			emit_alu_imm(g->k, BPF_OR, BPF_REG_1, 1 << i);
			emit_store(g->k, 8, base, at + UNREAD, BPF_REG_1);
		}
		label_place(g->k, read);
	}
	emit_store(g->k, 8, base, at + FRAME, REG_FRAME);
}

static void levels_free(struct gen *g, int base, int at, int from)
{
	for (int i = from; i <= LEVELS; i++)
		emit_store_imm(g->k, 8, base, at + level(g->c, i) + FRAME, 0);
}

void inside_keep_first(struct gen *g)
{
	int at = within_new_at(g), first = sizeof(struct within);

	if (!g->c->in->inside_most)
		return;
	emit_zero(g->k, BPF_REG_10, at + first, within_size(g->c) - first);
	if (keeps(g))
		level_fill(g, BPF_REG_10, at + level(g->c, 0));
}

void inside_keep_anew(struct gen *g)
{
	if (!keeps(g))
		return;
	levels_free(g, REG_VALUE, 0, 0);
	level_fill(g, REG_VALUE, level(g->c, 0));
}

void inside_keep(struct gen *g)
{
	int fill = label_new(g->k), done = label_new(g->k), take[LEVELS + 1];

	if (!keeps(g))
		return;
	for (int i = 0; i <= LEVELS; i++) {
		int next = label_new(g->k);

		take[i] = label_new(g->k);
		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, level(g->c, i) + FRAME);
		emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, take[i]);
		within_if_elsewhere(g, REG_FRAME, next);
		emit_jump_reg(g->k, BPF_JGE, REG_FRAME, BPF_REG_1, take[i]);
		label_place(g->k, next);
	}
	gen_count_loss(g, LOSS_TOO_DEEP);
	emit_goto(g->k, done);
	for (int i = 0; i < LEVELS; i++) {
		label_place(g->k, take[i]);
		levels_free(g, REG_VALUE, 0, i);
		emit_alu_imm(g->k, BPF_ADD, REG_VALUE, level(g->c, i));
		emit_goto(g->k, fill);
	}
	label_place(g->k, take[LEVELS]);
	emit_store(g->k, 8, REG_VALUE, level(g->c, LEVELS) + FRAME, REG_FRAME);
	gen_count_loss(g, LOSS_TOO_DEEP);
	emit_goto(g->k, done);
	label_place(g->k, fill);
	level_fill(g, REG_VALUE, 0);
	label_place(g->k, done);
}

void inside_leave(struct gen *g)
{
	int done = label_new(g->k);

	if (!keeps(g))
		return;
	for (int i = 0; i <= LEVELS; i++) {
		int next = label_new(g->k);

		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, level(g->c, i) + FRAME);
		within_if_elsewhere(g, REG_FRAME, next);
		emit_jump_reg(g->k, BPF_JGT, BPF_REG_1, REG_FRAME, next);
		levels_free(g, REG_VALUE, 0, i);
		emit_goto(g->k, done);
		label_place(g->k, next);
	}
	label_place(g->k, done);
}

/* ---- those that ask ---- */

/* Is the frame of the function that asks comparable with those of the set? Then it is in r3. */
static bool own_frame(struct gen *g, const struct slot *s, unsigned set)
{
	const struct expr_input *in = g->c->in;
	bool user = in->within_user & 1u << set;

	if (user ? !in->in_user : !in->on_function)
		return false;
	within_frame(g, BPF_REG_3, in->scope == EXPR_SCOPE_RETURN || s->at_return);
	return true;
}

/* The call whose frame is in r1 is the one that asks, or has ended: its return was missed. */
static void if_not_around(struct gen *g, int next)
{
	int around = label_new(g->k);

	within_if_elsewhere(g, BPF_REG_3, around);
	emit_jump_reg(g->k, BPF_JGE, BPF_REG_3, BPF_REG_1, next);
	label_place(g->k, around);
}

void gen_inside(struct gen *g, const struct slot *s, const struct vreg *v, bool exact)
{
	const struct slot_labels *labels = gen_labels(g, s);
	unsigned set = g->c->in->inside_of->marks;
	int none = exact ? labels->fail : labels->exact, found = label_new(g->k);
	bool own;

	if (exact)
		gen_blame(g, FIELD_STATUS_NONE);
	within_find(g, set, none);
	own = own_frame(g, s, set);
	for (int i = LEVELS; i >= 0; i--) {
		int next = label_new(g->k);

		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, level(g->c, i) + FRAME);
		emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, next);
		if (own)
			if_not_around(g, next);
		if (i < LEVELS)
			emit_alu_imm(g->k, BPF_ADD, REG_VALUE, level(g->c, i));
		emit_goto(g->k, i < LEVELS ? found : none);
		label_place(g->k, next);
	}
	emit_goto(g->k, none);
	label_place(g->k, found);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, UNREAD);
	emit_jump(g->k, BPF_JSET, BPF_REG_1, 1 << v->imm, none);
	emit_load(g->k, 8, REG_VALUE, REG_VALUE, VALUES + 8 * v->imm);
}
