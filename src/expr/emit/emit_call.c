/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_call.c - the programs of a call: one for the entry and one for the return, or one session
 * program for both.
 *
 * If the entry refuses a call, it deletes the call's key, because an older call that never
 * returned may have had the same key. This is not needed if only the process filter refuses: the
 * return checks the process as well.
 */
#include "expr/emit/emit_call.h"
#include "expr/emit/emit_slot.h"

static void for_slots(struct gen *g, bool filters, bool at_return,
		      void (*make)(struct gen *g, const struct slot *s))
{
	size_t from = filters ? 0 : g->p->filter_count;
	size_t to = filters ? g->p->filter_count : g->p->slot_count;

	for (size_t i = from; i < to; i++) {
		if (g->p->slots[i].at_return == at_return && !g->p->slots[i].at_end)
			make(g, &g->p->slots[i]);
	}
}

/* ---- the entry ---- */

/* Stores the time. `record`: offset at which `base` begins in what is kept. */
static void gen_time(struct gen *g, int base, uint32_t record)
{
	emit_call(g->k, HELPER_KTIME);
	emit_store(g->k, 8, base, KEPT_TIME - (int)record, BPF_REG_0);
}

static void save_args(struct gen *g)
{
	struct vreg v = { .op = VREG_ARG, .way = LOAD_DIRECT };
	uint32_t at = g->p->calls.saved_at;

	for (v.imm = 0; v.imm < 32; v.imm++) {
		if (!(g->p->calls.saved_args & 1u << v.imm))
			continue;
		gen_source(g, &v);
		emit_store(g->k, 8, REG_RECORD, at, REG_VALUE);
		at += 8;
	}
}

static void record_store(struct gen *g)
{
	call_reserve(g);
	gen_tgid(g, BPF_REG_1);
	emit_store(g->k, 4, REG_RECORD, KEPT_TGID, BPF_REG_1);
	if (!g->p->table.count)
		emit_zero(g->k, REG_RECORD, g->p->record.status_at, g->p->record.status_size);
	save_args(g);
	if (g->p->calls.entry_counts) {
		emit_alu_imm(g->k, BPF_ADD, REG_RECORD, g->p->calls.record);
		g->home->fill(g);
	}
	for_slots(g, false, false, gen_slot_fast);
	if (call_lat_wanted(g->c))
		gen_time(g, REG_RECORD, g->p->calls.record);
	if (!g->c->in->session)
		return;
	call_key(g, false);
	emit_store(g->k, 8, BPF_REG_10, STACK_KEY, BPF_REG_1);
	gen_cookie(g);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEY);
	emit_store(g->k, 8, BPF_REG_0, 0, BPF_REG_1);
}

/* In a session, any number but 0 tells the return that the call is wanted. */
static void time_store(struct gen *g)
{
	if (!g->c->in->session) {
		call_reserve(g);
		gen_tgid(g, BPF_REG_1);
		emit_store(g->k, 4, REG_RECORD, KEPT_TGID, BPF_REG_1);
		if (call_lat_wanted(g->c))
			gen_time(g, REG_RECORD, 0);
		return;
	}
	gen_cookie(g);
	if (!call_lat_wanted(g->c)) {
		emit_store_imm(g->k, 8, BPF_REG_0, 0, 1);
		return;
	}
	emit_move(g->k, REG_VALUE, BPF_REG_0);
	gen_time(g, REG_VALUE, 0);
}

/* Exit for refused calls. A kprobe session tells the kernel to skip the return; in a trampoline
 * session the return finds nothing. */
static void gen_refused(struct gen *g)
{
	label_bind(g->k, g->exit);
	if (!g->c->in->session) {
		call_delete(g, false, false);
		label_bind(g->k, g->foreign);
	} else if (call_by_kprobe(g)) {
		gen_return(g, 1);
		return;
	}
	gen_return(g, 0);
}

static void entry_side(struct gen *g)
{
	g->exit = label_new(g->k);
	g->foreign = g->c->in->session ? g->exit : label_new(g->k);
	g->full = label_new(g->k);
	gen_filters(g);
	for_slots(g, true, false, gen_slot_fast);
	if (g->p->calls.keep == KEEP_RECORD)
		record_store(g);
	else
		time_store(g);
	gen_return(g, 0);
	gen_refused(g);
	for_slots(g, true, false, gen_slot_exact);
	if (g->p->calls.keep == KEEP_RECORD)
		for_slots(g, false, false, gen_slot_exact);
	if (!call_has_map(g))
		return;
	label_bind(g->k, g->full);
	gen_count_loss(g, LOSS_MAP_FULL);
	emit_goto(g->k, g->exit);
}

/* ---- the return ---- */

/* Sets REG_RECORD to what the entry kept. In a session that keeps only the time, sets REG_VALUE to
 * it. Jumps to `none` if nothing was kept, and to `gone` if the process is filtered out. */
static void gen_find(struct gen *g, int none, int gone)
{
	if (g->c->in->session) {
		gen_cookie(g);
		emit_load(g->k, 8, REG_VALUE, BPF_REG_0, 0);
		emit_jump(g->k, BPF_JEQ, REG_VALUE, 0, none);
		if (!call_has_map(g))
			return;
		emit_store(g->k, 8, BPF_REG_10, STACK_KEY, REG_VALUE);
	} else {
		gen_task(g);
		g->exit = g->foreign = gone;
		gen_filter_task(g);
	}
	call_key(g, true);
	call_find(g, none);
}

/* The stack of a call that never returned may meanwhile belong to another process. */
static void check_process(struct gen *g, int other)
{
	emit_load(g->k, 4, BPF_REG_1, REG_RECORD, KEPT_TGID);
	gen_tgid(g, BPF_REG_2);
	emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
}

static void gen_latency(struct gen *g)
{
	if (!call_lat_wanted(g->c))
		return;
	if (call_has_map(g))
		emit_load(g->k, 8, REG_VALUE, REG_RECORD, KEPT_TIME);
	emit_call(g->k, HELPER_KTIME);
	emit_alu(g->k, BPF_SUB, BPF_REG_0, REG_VALUE);
	emit_store(g->k, 8, BPF_REG_10, STACK_LATENCY, BPF_REG_0);
}

/* True if each return must have had an entry: no filter but that by process can have refused it. */
static bool is_counted(const struct gen *g)
{
	const struct event_filter *f = &g->c->in->run.filter;

	for (size_t i = 0; i < g->p->filter_count; i++) {
		if (!g->p->slots[i].at_return && !g->p->slots[i].at_end)
			return false;
	}
	return !g->c->in->session && !g->c->in->within.sets && !f->tids.count && !f->uids.count &&
	       !f->by_comm && !f->by_names && !f->by_cgroup && !f->follow;
}

/* Uses what the entry kept. If that is only the time, deletes it from the store. */
static void gen_kept(struct gen *g, int other, int gone)
{
	if (!g->c->in->session)
		check_process(g, other);
	gen_latency(g);
	g->exit = gone;
	if (g->p->calls.keep == KEEP_RECORD) {
		g->exit = label_new(g->k);
		emit_store(g->k, 8, BPF_REG_10, STACK_KEPT, REG_RECORD);
	} else if (call_has_map(g)) {
		call_delete(g, true, true);
	}
}

/* Begins the record with what the entry filled in: from the status bytes on, or the whole key of a
 * counted call. */
static void begin_return(struct gen *g)
{
	bool counted = g->p->table.count;

	g->home->room(g);
	if (!g->p->calls.entry_counts)
		g->home->fill(g);
	if (g->p->calls.keep != KEEP_RECORD || (counted && !g->p->calls.entry_counts))
		return;
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_10, STACK_KEPT);
	if (counted)
		emit_alu_imm(g->k, BPF_ADD, BPF_REG_3, g->p->calls.record);
	gen_copy(g, REG_RECORD, counted ? 0 : g->p->record.status_at,
		 counted ? g->p->record.size : g->p->calls.entry_end);
}

/* The return has no entry, or that of a call of another process. */
static void gen_unknown(struct gen *g, int none, int stranger, int other, int gone)
{
	bool counted = is_counted(g);

	g->c->p->calls.counts_no_entry = counted;
	if (counted && !g->c->in->session) {
		label_bind(g->k, stranger);
		gen_count_loss(g, LOSS_NO_ENTRY);
		emit_goto(g->k, other);
	}
	label_bind(g->k, none);
	if (counted)
		gen_count_loss(g, LOSS_NO_ENTRY);
	emit_goto(g->k, gone);
}

/* Deletes the call from the store after its record, unless that is done. */
static void gen_over(struct gen *g, int other, int gone)
{
	if (g->p->calls.keep == KEEP_RECORD) {
		label_bind(g->k, g->exit);
		emit_load(g->k, 8, REG_RECORD, BPF_REG_10, STACK_KEPT);
	} else if (call_has_map(g)) {
		emit_goto(g->k, gone);
	}
	label_bind(g->k, other);
	if (call_has_map(g))
		call_delete(g, true, true);
	label_bind(g->k, gone);
	gen_return(g, 0);
}

static void return_side(struct gen *g)
{
	int none = label_new(g->k), other = label_new(g->k), gone = label_new(g->k);
	int stranger = label_new(g->k);

	g->full = label_new(g->k);
	g->found = label_new(g->k);
	gen_find(g, none, gone);
	gen_kept(g, is_counted(g) ? stranger : other, gone);
	if (g->c->in->session)
		gen_task(g);
	gen_numbers_begin(g);
	for_slots(g, true, true, gen_slot_fast);
	begin_return(g);
	for_slots(g, false, true, gen_slot_fast);
	g->home->end(g);
	gen_over(g, other, gone);
	for_slots(g, true, true, gen_slot_exact);
	for_slots(g, false, true, gen_slot_exact);
	g->home->rest(g);
	gen_unknown(g, none, stranger, other, gone);
}

/* ---- programs ---- */

static void labels_for(struct gen *g, bool at_return)
{
	for (const struct slot *s = g->p->slots; (s = slot_used(g->p, s)); s++)
		if (s->at_return == at_return && !s->at_end)
			gen_new_labels(g, s - g->p->slots);
}

static void call_session(struct gen *g)
{
	labels_for(g, false);
	labels_for(g, true);
	gen_session(g, entry_side, return_side);
}

static void call_pair(struct gen *g)
{
	labels_for(g, false);
	entry_side(g);
	g->k = &g->c->p->return_code;
	labels_for(g, true);
	gen_begin(g, true);
	return_side(g);
}

void gen_call(struct gen *g)
{
	call_maps_add(g);
	if (g->c->err)
		return;
	if (g->c->in->session)
		call_session(g);
	else
		call_pair(g);
}
