/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_pair.c - the programs of a pair of probes (resolve/pair.c). The begin stores, under its
 * key, what it knows of the record; the end adds what it knows, and writes the record.
 *
 *	begin	filters → conditions → key → record, hidden numbers, time → stored
 *	end	its own conditions → key → load and delete → conditions → record
 *
 * Both work on a copy of their own, one per CPU. emit_pair_store.c has the store, and what
 * happens when several programs use one key at once. Stored are
 *
 *	struct call_kept with the time and the key | the record as far as the begin fills it | hidden
 *	numbers
 *
 * A begin that is a whole call (-r) has two programs, built by emit_call.c: its entry keeps what
 * it knows of the record, under the call's key, and its return does what a begin does. The key,
 * hidden numbers and what is counted are computed at the return, from the parameters that the
 * entry kept.
 *
 * The process of a record is the begin's, and so is the filter by process.
 */
#include "expr/emit/emit_call.h"
#include "expr/emit/emit_slot.h"

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

/* Calls `make` for the slots of this side and group. */
static void for_slots(struct gen *g, enum which which,
		      void (*make)(struct gen *g, const struct slot *s))
{
	for (const struct slot *s = g->p->slots; (s = slot_used(g->p, s)); s++)
		if (s->at_end == g->c->at_end && which_of(g, s) == which)
			make(g, s);
}

static void label_slot(struct gen *g, const struct slot *s)
{
	gen_new_labels(g, s - g->p->slots);
}

static void gen_key(struct gen *g)
{
	if (gen_record_on_stack(g, g->p->pair.key_size))
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

/* Offset of the time from REG_RECORD. */
static int time_at(const struct gen *g)
{
	return KEPT_TIME - (int)g->p->pair.record;
}

static void begin_room(struct gen *g)
{
	gen_key(g);
	gen_numbers(g);
	pair_scratch(g);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, g->p->pair.record);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
}

static void begin_end(struct gen *g)
{
	for_slots(g, KEPT, gen_slot_fast);
	gen_stacks(g);
	emit_call(g->k, HELPER_KTIME);
	emit_store(g->k, 8, REG_RECORD, time_at(g), BPF_REG_0);
	pair_store(g);
}

static void begin_side(struct gen *g)
{
	gen_filters(g);
	for_slots(g, FILTERS_ALONE, gen_slot_fast);
	begin_room(g);
	g->home->fill(g);
	for_slots(g, SHOWN, gen_slot_fast);
	begin_end(g);
	gen_exit(g);
	rest(g);
}

/* ---- a begin that is a whole call: its return fills the working copy ---- */

static void hidden_rest(struct gen *g)
{
	for_slots(g, KEYS, gen_slot_exact);
	for_slots(g, KEPT, gen_slot_exact);
}

static void begin_call(struct gen *g)
{
	const struct record_ops home = { begin_room, g->home->fill, begin_end, hidden_rest };

	g->home = &home;
	gen_call(g);
}

/* ---- end ---- */

static void gen_latency(struct gen *g)
{
	if (!g->p->calls.lat_wanted)
		return;
	emit_load(g->k, 8, REG_VALUE, REG_RECORD, time_at(g));
	emit_call(g->k, HELPER_KTIME);
	emit_alu(g->k, BPF_SUB, BPF_REG_0, REG_VALUE);
	emit_store(g->k, 8, BPF_REG_10, STACK_LATENCY, BPF_REG_0);
}

/* Begins the record with what the begin stored; its time is the end's. */
static void gen_record(struct gen *g)
{
	bool header = !g->p->table.count;

	g->home->room(g);
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_10, STACK_KEPT);
	gen_copy(g, REG_RECORD, header ? offsetof(struct event_header, pid) : 0, g->p->record.size);
	if (!header || !g->c->in->run.want_ts)
		return;
	emit_call(g->k, HELPER_KTIME);
	emit_store(g->k, 8, REG_RECORD, offsetof(struct event_header, ts), BPF_REG_0);
}

static void gen_ended(struct gen *g)
{
	pair_copy(g);
	gen_latency(g);
	for_slots(g, FILTERS_BOTH, gen_slot_fast);
	gen_record(g);
	for_slots(g, SHOWN, gen_slot_fast);
	g->home->end(g);
}

static void end_side(struct gen *g)
{
	bool open = g->c->in->pair->open;

	gen_begin(g, true);
	gen_task(g);
	gen_numbers_begin(g);
	for_slots(g, FILTERS_ALONE, gen_slot_fast);
	gen_key(g);
	if (open)
		pair_drop(g);
	else
		gen_ended(g);
	gen_exit(g);
	rest(g);
	if (!open)
		g->home->rest(g);
}

void gen_pair(struct gen *g)
{
	compile_side(g->c, g->c->in->pair->makes_end);
	g->target = &g->c->in->target;
	pair_maps_add(g);
	if (g->c->err)
		return;
	if (g->c->in->scope == EXPR_SCOPE_CALL && g->p->calls.keep != KEEP_NOTHING) {
		begin_call(g);
		compile_side(g->c, false);
		return;
	}
	for (enum which which = FILTERS_ALONE; which <= KEPT; which++)
		for_slots(g, which, label_slot);
	g->exit = g->foreign = label_new(g->k);
	g->full = label_new(g->k);
	g->found = label_new(g->k);
	(g->c->at_end ? end_side : begin_side)(g);
	compile_side(g->c, false);
}
