/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * codegen.c - the whole program: filters first, then the record, then its submission.
 *
 *	filters → begin a record → every slot, the fast way → end the record → exit
 *	after the exit: every slot again, the exact way; rare code of the record's beginning
 *
 * The fast way of a slot has no error handling: on any doubt (NULL, an odd address, an error of a
 * helper) it jumps to the exact way. The exact way starts again from the argument, reads with
 * helpers that can fail, and knows at each link which one failed. So the common case needs no
 * bookkeeping. The record is filled in place after it is reserved, which saves a copy and all
 * spilling.
 *
 * Slots only know that the record is at REG_RECORD. struct record_ops decides where that memory
 * comes from and what happens to it: the ring buffer (here), a counted entry, a call, a pair.
 */
#include "expr/emit/codegen.h"
#include "expr/emit/emit_aggregate.h"
#include "expr/emit/emit_call.h"
#include "expr/emit/emit_slot.h"
#include "expr/emit/emit_within.h"

/* ---- records for the ring buffer ---- */

static const struct record_ops home_ring;

enum { RING_PAGE = 4096 };

static void gen_reserve(struct gen *g)
{
	gen_map(g, BPF_REG_1, EXPR_MAP_RING);
	emit_move_imm(g->k, BPF_REG_2, g->p->record.size);
	emit_move_imm(g->k, BPF_REG_3, 0);
	emit_call(g->k, HELPER_RING_RESERVE);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, g->full);
}

/* Writes to the record in r0: REG_RECORD may still hold the task. */
static void gen_header_task(struct gen *g)
{
	bool numbered = g->numbered;
	int tgid = g->tgid_kept && !numbered ? REG_VALUE : BPF_REG_1;
	int tid = g->by_task || numbered ? BPF_REG_1 : g->task_reg;

	if (numbered)
		gen_number(g, tgid, false);
	else if (!g->tgid_kept)
		gen_tgid(g, tgid);
	emit_store(g->k, 4, BPF_REG_0, offsetof(struct event_header, pid), tgid);
	if (numbered)
		gen_number(g, tid, true);
	else if (g->by_task)
		gen_tid(g, tid);
	emit_store(g->k, 4, BPF_REG_0, offsetof(struct event_header, tid), tid);
	if (g->by_task)
		gen_comm_typed(g, BPF_REG_0, offsetof(struct event_header, comm));
}

static void ring_fill(struct gen *g)
{
	gen_header_task(g);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	if (!g->by_task)
		gen_comm(g, offsetof(struct event_header, comm));
	if (g->c->in->run.want_ts) {
		emit_call(g->k, HELPER_KTIME);
		emit_store(g->k, 8, REG_RECORD, offsetof(struct event_header, ts), BPF_REG_0);
	}
	if (g->c->in->run.many)
		gen_record_source(g, sizeof(struct event_header));
	emit_zero(g->k, REG_RECORD, g->p->record.status_at, g->p->record.status_size);
}

/*
 * The kernel wakes a sleeping reader; this code wakes one when much data is queued
 * (include/event.h). It queries the amount once per page of the ring, not for each record: that
 * is precise enough, and the helper costs as much as three hops. The record's address selects the
 * page: among records no larger than a power of two, at least one begins where all bits between
 * that power and the page size are 0.
 */
static uint32_t page_bits(uint32_t ring_bytes)
{
	uint32_t power = 8;

	while (power < ring_bytes)
		power *= 2;
	return power < RING_PAGE ? RING_PAGE - power : 0;
}

/* r2 = the flags for the submission */
static void gen_wakeup(struct gen *g, int record, uint32_t size)
{
	int plain = label_new(g->k), submit = label_new(g->k);
	uint32_t bits = page_bits(size + BPF_RINGBUF_HDR_SZ);

	if (bits)
		emit_jump(g->k, BPF_JSET, record, bits, plain);
	gen_map(g, BPF_REG_1, EXPR_MAP_RING);
	emit_move_imm(g->k, BPF_REG_2, BPF_RB_AVAIL_DATA);
	emit_call(g->k, HELPER_RING_QUERY);
	emit_move_imm(g->k, BPF_REG_2, BPF_RB_FORCE_WAKEUP);
	emit_jump(g->k, BPF_JGE, BPF_REG_0, EVENT_WAKEUP_BYTES, submit);
	label_bind(g->k, plain);
	emit_move_imm(g->k, BPF_REG_2, 0);
	label_bind(g->k, submit);
}

void gen_ring_submit(struct gen *g, int record, uint32_t size, bool at_once)
{
	if (at_once)
		emit_move_imm(g->k, BPF_REG_2, BPF_RB_FORCE_WAKEUP);
	else
		gen_wakeup(g, record, size);
	emit_move(g->k, BPF_REG_1, record);
	emit_call(g->k, HELPER_RING_SUBMIT);
}

static void ring_room(struct gen *g)
{
	if (!g->c->in->pair) /* the begin has written the header */
		gen_numbers(g);
	gen_reserve(g);
	if (g->c->in->pair)
		emit_move(g->k, REG_RECORD, BPF_REG_0);
}

static void ring_end(struct gen *g)
{
	if (!g->c->in->pair && (g->c->in->run.kernel_stack || g->c->in->run.user_stack))
		gen_stacks(g);
	gen_ring_submit(g, REG_RECORD, g->p->record.size, false);
}

static void ring_arm_wakeup(struct gen *g)
{
	label_bind(g->k, g->full);
	gen_count_loss(g, LOSS_RING_FULL);
	emit_goto(g->k, g->exit);
}

static const struct record_ops home_ring = { ring_room, ring_fill, ring_end, ring_arm_wakeup };

static void gen_slots(struct gen *g, size_t from, size_t to,
		      void (*make)(struct gen *g, const struct slot *s))
{
	for (size_t i = from; i < to; i++)
		make(g, &g->p->slots[i]);
}

static void gen_all(struct gen *g)
{
	size_t filters = g->p->filter_count, all = g->p->slot_count;

	gen_filters(g);
	gen_slots(g, 0, filters, gen_slot_fast);
	g->home->room(g);
	g->home->fill(g);
	gen_slots(g, filters, all, gen_slot_fast);
	g->home->end(g);
	gen_exit(g);
	gen_slots(g, 0, all, gen_slot_exact);
	g->home->rest(g);
}

/* One side of a call. */
static void gen_side(struct gen *g)
{
	for (size_t i = 0; i < g->p->slot_count; i++)
		gen_new_labels(g, i);
	g->exit = g->foreign = label_new(g->k);
	g->full = label_new(g->k);
	g->found = label_new(g->k);
	gen_all(g);
}

static int programs_finish(struct compile *c)
{
	int err = code_finish(&c->p->code);

	return err ? err : code_finish(&c->p->return_code);
}

void expr_codegen(struct compile *c)
{
	bool call = c->in->scope == EXPR_SCOPE_CALL && !(c->in->pair && c->in->pair->makes_end);
	struct gen g = {
		.c = c,
		.k = &c->p->code,
		.p = c->p,
		.target = &c->in->target,
		.task_reg = REG_TASK,
		.argument = -1,
		.home = c->in->run.aggregate ? &home_aggregate : &home_ring,
		.labels = compile_alloc(c, (c->p->slot_room + 1) * sizeof(*g.labels)),
	};
	int err;

	if (c->err)
		return;
	if (call && c->p->calls.keep == KEEP_NOTHING && !c->in->within.marks)
		g.k = &c->p->return_code;
	if (c->in->within.marks)
		gen_marks(&g);
	else if (c->in->pair)
		gen_pair(&g);
	else if (call && c->p->calls.keep != KEEP_NOTHING)
		gen_call(&g);
	else
		gen_side(&g);
	if (c->err)
		return;
	err = programs_finish(c);
	if (err == -E2BIG)
		compile_fail(c, (struct span){}, "too much for one BPF program");
	else
		c->err = err;
}
