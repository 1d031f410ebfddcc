/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_marks.c - the programs that mark the calls of an --in (emit_within.c), and keep the values
 * of @in(EXPR).
 */
#include "expr/emit/emit_within.h"
#include "expr/emit/emit_call.h"
#include "expr/emit/emit_slot.h"

enum { STATUS_WORDS = sizeof(struct event_header) - 8 }; /* a single status byte is in the header */

static bool keeps(const struct gen *g)
{
	return g->c->in->within.marks && g->c->in->count;
}

/* Stack offset of the values: a record without its header. */
static int values_at(const struct gen *g)
{
	return gen_stack_end(g) - (int)(g->p->record.size - STATUS_WORDS);
}

static int new_at(const struct gen *g)
{
	int end = keeps(g) ? values_at(g) : STACK_TEMPS - 8;

	return end - (int)within_size(g->c);
}

/* ---- the values that a call keeps ---- */

static void inside_values(struct gen *g)
{
	const struct expr_program *p = g->p;
	int at = values_at(g), lowest = new_at(g);

	if (!keeps(g))
		return;
	if (!gen_record_on_stack(g, gen_stack_end(g) - lowest)) {
		compile_fail(g->c, (struct span){}, "too many values at a time for @in( )");
		return;
	}
	emit_alu_imm(g->k, BPF_ADD, REG_RECORD, at - lowest - STATUS_WORDS);
	emit_zero(g->k, BPF_REG_10, at, p->record.status_at + p->record.status_size - STATUS_WORDS);
	for (size_t i = 0; i < p->slot_count; i++)
		gen_new_labels(g, i);
	for (size_t i = 0; i < p->slot_count; i++)
		gen_slot_fast(g, &p->slots[i]);
}

static void inside_values_exact(struct gen *g)
{
	for (size_t i = 0; keeps(g) && i < g->p->slot_count; i++)
		gen_slot_exact(g, &g->p->slots[i]);
}

/* Copies the values from the stack to the level at base + at. */
static void level_fill(struct gen *g, int base, int at)
{
	const struct expr_program *p = g->p;
	int from = values_at(g) - STATUS_WORDS;

	emit_store_imm(g->k, 8, base, at + LEVEL_UNREAD, 0);
	for (size_t i = 0; i < p->slot_count; i++) {
		const struct slot *s = &p->slots[i];
		int read = label_new(g->k);

		emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, from + s->place.offset);
		emit_store(g->k, 8, base, at + LEVEL_VALUES + 8 * i, BPF_REG_1);
		if (s->place.status) {
			emit_load(g->k, 1, BPF_REG_1, BPF_REG_10, from + s->place.status);
			emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, read);
			emit_load(g->k, 8, BPF_REG_1, base, at + LEVEL_UNREAD);
			emit_alu_imm(g->k, BPF_OR, BPF_REG_1, 1 << i);
			emit_store(g->k, 8, base, at + LEVEL_UNREAD, BPF_REG_1);
		}
		label_bind(g->k, read);
	}
	emit_store(g->k, 8, base, at + LEVEL_FRAME, REG_FRAME);
}

static void levels_free(struct gen *g, int base, int at, int from)
{
	for (int i = from; i <= WITHIN_LEVELS; i++)
		emit_store_imm(g->k, 8, base, at + within_level(g->c, i) + LEVEL_FRAME, 0);
}

static void inside_store_first(struct gen *g)
{
	int at = new_at(g), first = sizeof(struct within);

	if (!g->c->in->inside.most)
		return;
	emit_zero(g->k, BPF_REG_10, at + first, within_size(g->c) - first);
	if (keeps(g))
		level_fill(g, BPF_REG_10, at + within_level(g->c, 0));
}

static void inside_restart(struct gen *g)
{
	if (!keeps(g))
		return;
	levels_free(g, REG_VALUE, 0, 0);
	level_fill(g, REG_VALUE, within_level(g->c, 0));
}

static void inside_store(struct gen *g)
{
	int fill = label_new(g->k), done = label_new(g->k), take[WITHIN_LEVELS + 1];

	if (!keeps(g))
		return;
	for (int i = 0; i <= WITHIN_LEVELS; i++) {
		int next = label_new(g->k);

		take[i] = label_new(g->k);
		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, within_level(g->c, i) + LEVEL_FRAME);
		emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, take[i]);
		within_if_elsewhere(g, REG_FRAME, next);
		emit_jump_reg(g->k, BPF_JGE, REG_FRAME, BPF_REG_1, take[i]);
		label_bind(g->k, next);
	}
	gen_count_loss(g, LOSS_TOO_DEEP);
	emit_goto(g->k, done);
	for (int i = 0; i < WITHIN_LEVELS; i++) {
		label_bind(g->k, take[i]);
		levels_free(g, REG_VALUE, 0, i);
		emit_alu_imm(g->k, BPF_ADD, REG_VALUE, within_level(g->c, i));
		emit_goto(g->k, fill);
	}
	label_bind(g->k, take[WITHIN_LEVELS]);
	emit_store(g->k, 8, REG_VALUE, within_level(g->c, WITHIN_LEVELS) + LEVEL_FRAME, REG_FRAME);
	gen_count_loss(g, LOSS_TOO_DEEP);
	emit_goto(g->k, done);
	label_bind(g->k, fill);
	level_fill(g, REG_VALUE, 0);
	label_bind(g->k, done);
}

static void inside_leave(struct gen *g)
{
	int done = label_new(g->k);

	if (!keeps(g))
		return;
	for (int i = 0; i <= WITHIN_LEVELS; i++) {
		int next = label_new(g->k);

		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, within_level(g->c, i) + LEVEL_FRAME);
		within_if_elsewhere(g, REG_FRAME, next);
		emit_jump_reg(g->k, BPF_JGT, BPF_REG_1, REG_FRAME, next);
		levels_free(g, REG_VALUE, 0, i);
		emit_goto(g->k, done);
		label_bind(g->k, next);
	}
	label_bind(g->k, done);
}

/* True if a frame belongs to one call only. With several functions, two may share a kprobe's
 * frame. */
static bool is_exact(const struct gen *g)
{
	return !call_by_kprobe(g) || g->c->in->point.index >= 0 || !g->c->in->run.points;
}

/* ---- the programs that mark ---- */

static void restart(struct gen *g, int base, int at)
{
	emit_store(g->k, 8, base, at + WITHIN_OUTER, REG_FRAME);
	emit_store(g->k, 8, base, at + WITHIN_LAST, REG_FRAME);
	emit_store_imm(g->k, 8, base, at + WITHIN_COUNT, 1);
}

static void entry_first(struct gen *g)
{
	int added = label_new(g->k), at = new_at(g);

	within_who(g, g->c->in->site.in_user);
	emit_store(g->k, 8, BPF_REG_10, at + WITHIN_WHO, BPF_REG_1);
	restart(g, BPF_REG_10, at);
	inside_store_first(g);
	within_key(g, g->c->in->within.marks);
	emit_address(g->k, BPF_REG_3, BPF_REG_10, at);
	emit_move_imm(g->k, BPF_REG_4, BPF_ANY);
	emit_call(g->k, HELPER_MAP_UPDATE);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, added);
	gen_count_loss(g, LOSS_MAP_FULL);
	label_bind(g->k, added);
	gen_return(g, 0);
}

static void entry_inner(struct gen *g)
{
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, WITHIN_COUNT);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	emit_store(g->k, 8, REG_VALUE, WITHIN_COUNT, BPF_REG_1);
	emit_store(g->k, 8, REG_VALUE, WITHIN_LAST, REG_FRAME);
	inside_store(g);
	gen_return(g, 0);
}

/* The outermost call was left without a return. */
static void entry_stale(struct gen *g)
{
	int anew = label_new(g->k);

	if (!is_exact(g))
		emit_jump_reg(g->k, BPF_JEQ, REG_FRAME, BPF_REG_1, anew);
	gen_count_loss(g, LOSS_NOT_LEFT);
	label_bind(g->k, anew);
	restart(g, REG_VALUE, 0);
	inside_restart(g);
	gen_return(g, 0);
}

static void entry_side(struct gen *g)
{
	int first = label_new(g->k), inner = label_new(g->k), stale = label_new(g->k);

	g->exit = g->foreign = label_new(g->k);
	gen_filters(g);
	inside_values(g);
	within_frame(g, REG_FRAME, false);
	if (g->c->in->session) {
		gen_cookie(g);
		emit_store(g->k, 8, BPF_REG_0, 0, REG_FRAME);
	}
	within_find(g, g->c->in->within.marks, first);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, WITHIN_OUTER);
	within_if_elsewhere(g, REG_FRAME, inner);
	emit_jump_reg(g->k, BPF_JGE, REG_FRAME, BPF_REG_1, stale);
	label_bind(g->k, inner);
	entry_inner(g);
	label_bind(g->k, stale);
	entry_stale(g);
	label_bind(g->k, first);
	entry_first(g);
	label_bind(g->k, g->exit); /* a kprobe session skips the return for a 1 */
	gen_return(g, g->c->in->session && call_by_kprobe(g));
	inside_values_exact(g);
}

static void return_frame(struct gen *g)
{
	if (g->c->in->session) { /* the entry stored it in the cookie */
		gen_cookie(g);
		emit_load(g->k, 8, REG_FRAME, BPF_REG_0, 0);
		emit_jump(g->k, BPF_JEQ, REG_FRAME, 0, g->exit);
	} else {
		gen_task(g);
		gen_filter_task(g);
		within_frame(g, REG_FRAME, true);
	}
}

static void return_unknown(struct gen *g)
{
	const struct event_filter *f = &g->c->in->run.filter;

	g->c->p->calls.counts_no_entry = is_exact(g) && !g->c->in->session && !f->follow;
	if (g->c->p->calls.counts_no_entry)
		gen_count_loss(g, LOSS_NO_ENTRY);
}

static void return_side(struct gen *g)
{
	int none = label_new(g->k), inner = label_new(g->k), over = label_new(g->k);

	g->exit = g->foreign = label_new(g->k);
	return_frame(g);
	within_find(g, g->c->in->within.marks, none);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, WITHIN_OUTER);
	emit_jump_reg(g->k, BPF_JEQ, REG_FRAME, BPF_REG_1, over);
	within_if_elsewhere(g, REG_FRAME, inner);
	emit_jump_reg(g->k, BPF_JGT, BPF_REG_1, REG_FRAME, inner);
	gen_count_loss(g, LOSS_NOT_LEFT);
	label_bind(g->k, over);
	within_key(g, g->c->in->within.marks);
	emit_call(g->k, HELPER_MAP_DELETE);
	emit_goto(g->k, g->exit);
	label_bind(g->k, inner);
	inside_leave(g);
	emit_store_imm(g->k, 8, REG_VALUE, WITHIN_LAST, 0);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, WITHIN_COUNT);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 1, g->exit);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, 1);
	emit_store(g->k, 8, REG_VALUE, WITHIN_COUNT, BPF_REG_1);
	emit_goto(g->k, g->exit);
	label_bind(g->k, none);
	return_unknown(g);
	label_bind(g->k, g->exit);
	gen_return(g, 0);
}

void gen_marks(struct gen *g)
{
	if (g->c->in->session) {
		gen_session(g, entry_side, return_side);
		return;
	}
	entry_side(g);
	g->k = &g->c->p->return_code;
	gen_begin(g, true);
	return_side(g);
}
