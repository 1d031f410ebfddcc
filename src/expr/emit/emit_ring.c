/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_ring.c - the home of records for the ring buffer: they are reserved, filled in place and
 * submitted.
 */
#include "expr/emit/emit_ring.h"

#include "expr/emit/emit_filter.h"
#include "expr/emit/emit_pid.h"
#include "expr/emit/emit_stack.h"

enum { RING_PAGE = 4096 };

static void gen_reserve(struct gen *g)
{
	gen_map(g, BPF_REG_1, EXPR_MAP_RING);
	emit_move_imm(g->k, BPF_REG_2, g->p->record_size);
	emit_move_imm(g->k, BPF_REG_3, 0);
	emit_call(g->k, HELPER_RING_RESERVE);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, g->full);
}

/* Writes to the record in r0, because REG_RECORD may still hold the task. */
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
	emit_zero(g->k, REG_RECORD, g->p->status_at, g->p->status_size);
}

/*
 * The kernel wakes a sleeping reader; we wake one if much data is queued (include/event.h). The
 * amount is queried only once per page of the ring, not for each record: that is precise enough,
 * and the helper costs as much as three hops. The address of the record decides: among records no
 * larger than a power of two, at least one begins where all bits between that power and the page
 * size are 0.
 */
static uint32_t page_bits(uint32_t ring_bytes)
{
	uint32_t power = 8;

	while (power < ring_bytes)
		power *= 2;
	return power < RING_PAGE ? RING_PAGE - power : 0;
}

static void gen_submit(struct gen *g)
{
	int plain = label_new(g->k), submit = label_new(g->k);
	uint32_t bits = page_bits(g->p->record_size + BPF_RINGBUF_HDR_SZ);

	if (bits)
		emit_jump(g->k, BPF_JSET, REG_RECORD, bits, plain);
	gen_map(g, BPF_REG_1, EXPR_MAP_RING);
	emit_move_imm(g->k, BPF_REG_2, BPF_RB_AVAIL_DATA);
	emit_call(g->k, HELPER_RING_QUERY);
	emit_move_imm(g->k, BPF_REG_2, BPF_RB_FORCE_WAKEUP);
	emit_jump(g->k, BPF_JGE, BPF_REG_0, EVENT_WAKEUP_BYTES, submit);
	label_place(g->k, plain);
	emit_move_imm(g->k, BPF_REG_2, 0);
	label_place(g->k, submit);
	emit_move(g->k, BPF_REG_1, REG_RECORD);
	emit_call(g->k, HELPER_RING_SUBMIT);
}

static void ring_room(struct gen *g)
{
	if (!g->c->in->pair) /* the header is the begin's */
		gen_numbers_make(g);
	gen_reserve(g);
	if (g->c->in->pair)
		emit_move(g->k, REG_RECORD, BPF_REG_0);
}

static void ring_end(struct gen *g)
{
	if (!g->c->in->pair)
		gen_stacks(g);
	gen_submit(g);
}

static void ring_arm_wakeup(struct gen *g)
{
	label_place(g->k, g->full);
	gen_count_loss(g, LOSS_RING_FULL);
	emit_goto(g->k, g->exit);
}

const struct record_ops home_ring = { ring_room, ring_fill, ring_end, ring_arm_wakeup };
