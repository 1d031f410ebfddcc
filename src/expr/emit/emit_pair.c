/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_pair.c - the programs of a pair of probes (resolve/pair.c): the begin keeps, under its key,
 * what it knows of the record; the end takes that, adds what it knows, and writes the record.
 *
 *	begin	filters → conditions → key → record, hidden numbers, time → into the hash
 *	end	conditions of its own → key → out of the hash → conditions → record
 *
 * Both work on a copy of their own, one per CPU: a begin is seen when it is complete, and of two
 * ends at the same time one takes it (the one whose deletion succeeds). Kept are
 *
 *	time | record as far as the begin can fill it | hidden numbers
 *
 * The process of a record is the begin's, and so is the filter by process.
 */
#include "expr/emit/emit_pair.h"

#include <errno.h>

#include "expr/emit/emit_filter.h"
#include "expr/emit/emit_kept.h"
#include "expr/emit/emit_pid.h"
#include "expr/emit/emit_slot.h"
#include "expr/emit/emit_stack.h"
#include "expr/maps.h"

enum {
	PAIRS_MAX = 16384,	/* what may be under way at the same time … */
	PAIRS_BYTES = 16 << 20, /* … but only as many as fit into this memory … */
	PAIRS_LEAST = 1024,
};

/* ---- maps ---- */

static void maps_want(struct gen *g)
{
	uint32_t size = g->p->kept_size, fit = PAIRS_BYTES / size;

	if (fit > PAIRS_MAX)
		fit = PAIRS_MAX;
	g->calls = map_want(
		g->c, &(struct expr_map){ EXPR_MAP_PAIRS, BPF_MAP_TYPE_HASH, g->p->pair_key_size,
					  size, fit < PAIRS_LEAST ? PAIRS_LEAST : fit, NULL });
	g->places = map_want(g->c, &(struct expr_map){ EXPR_MAP_PAIR, BPF_MAP_TYPE_PERCPU_ARRAY, 4,
						       size, g->c->in->run.siblings ?: 1, NULL });
}

/* r0 = a helper of the hash; the key is on the stack, the value at r3 */
static void hash_call(struct gen *g, int helper)
{
	emit_map(g->k, BPF_REG_1, g->calls);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, gen_stack_end(g) - (int)g->p->pair_key_size);
	emit_call(g->k, helper);
}

/* ---- slots ---- */

enum which { FILTERS_ALONE, FILTERS_BOTH, KEYS, SHOWN, KEPT };

static enum which which_of(const struct gen *g, const struct slot *s)
{
	if (s->role)
		return s->role == SLOT_KEY ? KEYS : KEPT;
	if (s >= g->p->slots + g->p->filter_count)
		return SHOWN;
	return s->needs_kept ? FILTERS_BOTH : FILTERS_ALONE;
}

/* Those of this side. */
static void for_slots(struct gen *g, enum which which,
		      void (*make)(struct gen *g, const struct slot *s))
{
	for (const struct slot *s = g->p->slots; (s = slot_used(g->p, s)); s++)
		if (s->at_end == g->c->at_end && which_of(g, s) == which)
			make(g, s);
}

static void label_slot(struct gen *g, const struct slot *s)
{
	gen_labels_make(g, s - g->p->slots);
}

static void gen_key(struct gen *g)
{
	if (gen_record_on_stack(g, g->p->pair_key_size))
		for_slots(g, KEYS, gen_slot_fast);
	else
		compile_fail(g->c, (struct span){}, "too many values at a time for the stack");
}

static void rest(struct gen *g)
{
	bool only_key = g->c->at_end && g->c->in->pair->open;

	for (enum which which = FILTERS_ALONE; which <= KEPT; which++)
		if (!only_key || which == FILTERS_ALONE || which == KEYS)
			for_slots(g, which, gen_slot_exact);
}

/* ---- begin ---- */

static void keep(struct gen *g, int flags)
{
	emit_address(g->k, BPF_REG_3, REG_RECORD, -PAIR_TIME_SIZE);
	emit_move_imm(g->k, BPF_REG_4, flags);
	hash_call(g, HELPER_MAP_UPDATE);
	emit_jump32(g->k, BPF_JEQ, BPF_REG_0, 0, g->exit); /* an int */
}

/* An older begin with this key is replaced, and counted, or stays. */
static void gen_keep(struct gen *g)
{
	bool first = g->c->in->pair->keep_first;
	int full = label_new(g->k);

	keep(g, BPF_NOEXIST);
	emit_jump32(g->k, BPF_JNE, BPF_REG_0, -EEXIST, full);
	if (!first) {
		gen_count_loss(g, LOSS_REPLACED);
		keep(g, BPF_ANY);
	} else {
		emit_goto(g->k, g->exit);
	}
	label_place(g->k, full);
	gen_count_loss(g, LOSS_MAP_FULL);
}

static void begin_side(struct gen *g)
{
	gen_filters(g);
	for_slots(g, FILTERS_ALONE, gen_slot_fast);
	gen_key(g);
	gen_numbers_make(g);
	gen_look_up_index(g, g->places, g->c->in->probe_number);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, PAIR_TIME_SIZE);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	g->home->fill(g);
	for_slots(g, SHOWN, gen_slot_fast);
	for_slots(g, KEPT, gen_slot_fast);
	gen_stacks(g);
	emit_call(g->k, HELPER_KTIME);
	emit_store(g->k, 8, REG_RECORD, -PAIR_TIME_SIZE, BPF_REG_0);
	gen_keep(g);
	gen_exit(g);
	rest(g);
}

/* ---- end ---- */

/* Takes what began out of the hash. */
static void gen_take(struct gen *g)
{
	gen_look_up_index(g, g->places, g->c->in->probe_number);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	hash_call(g, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, g->exit);
	emit_move(g->k, BPF_REG_3, BPF_REG_0);
	gen_copy(g, REG_RECORD, 0, g->p->kept_size);
	hash_call(g, HELPER_MAP_DELETE);
	emit_jump32(g->k, BPF_JNE, BPF_REG_0, 0, g->exit);
	emit_alu_imm(g->k, BPF_ADD, REG_RECORD, PAIR_TIME_SIZE);
	emit_store(g->k, 8, BPF_REG_10, STACK_KEPT, REG_RECORD);
	if (!g->p->lat_wanted)
		return;
	emit_load(g->k, 8, REG_VALUE, REG_RECORD, -PAIR_TIME_SIZE);
	emit_call(g->k, HELPER_KTIME);
	emit_alu(g->k, BPF_SUB, BPF_REG_0, REG_VALUE);
	emit_store(g->k, 8, BPF_REG_10, STACK_LATENCY, BPF_REG_0);
}

/* The record, as the begin left it; its time is the end's. */
static void gen_record(struct gen *g)
{
	bool header = !g->p->table.count;

	g->home->room(g);
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_10, STACK_KEPT);
	gen_copy(g, REG_RECORD, header ? offsetof(struct event_header, pid) : 0, g->p->record_size);
	if (!header || !g->c->in->run.want_ts)
		return;
	emit_call(g->k, HELPER_KTIME);
	emit_store(g->k, 8, REG_RECORD, offsetof(struct event_header, ts), BPF_REG_0);
}

static void gen_ended(struct gen *g)
{
	gen_take(g);
	for_slots(g, FILTERS_BOTH, gen_slot_fast);
	gen_record(g);
	for_slots(g, SHOWN, gen_slot_fast);
	g->home->end(g);
}

static void end_side(struct gen *g)
{
	bool open = g->c->in->pair->open;

	emit_move(g->k, REG_CTX, BPF_REG_1);
	gen_task(g);
	gen_numbers_begin(g);
	for_slots(g, FILTERS_ALONE, gen_slot_fast);
	gen_key(g);
	if (open)
		hash_call(g, HELPER_MAP_DELETE);
	else
		gen_ended(g);
	gen_exit(g);
	rest(g);
	if (!open)
		g->home->rest(g);
}

void gen_pair(struct gen *g)
{
	maps_want(g);
	if (g->c->err)
		return;
	compile_side(g->c, g->c->in->pair->makes_end);
	g->target = &g->c->in->target;
	for (enum which which = FILTERS_ALONE; which <= KEPT; which++)
		for_slots(g, which, label_slot);
	g->exit = g->foreign = label_new(g->k);
	g->full = label_new(g->k);
	g->found = label_new(g->k);
	(g->c->at_end ? end_side : begin_side)(g);
	compile_side(g->c, false);
}
