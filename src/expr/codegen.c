// SPDX-License-Identifier: GPL-2.0
/*
 * codegen.c - the program around the slots: filters first, then the record, then its submission.
 *
 *	filters → begin a record → every slot, the fast way → end the record → exit
 *	behind the exit: every slot once more, the exact way; what beginning a record may need
 *
 * The fast way of a slot only succeeds: at any doubt (a NULL, an odd address, a helper's error) it
 * goes to the exact way, which starts from the argument again, reads by helpers that can fail, and
 * knows at each link which one is to blame. So the common case pays for no bookkeeping.
 * Filling the record in place, after the reservation, saves a copy and all spilling.
 *
 * Slots only know that the record is at REG_RECORD. Where that memory comes from, and what becomes
 * of it, is its home's business: the ring here, others in files of their own.
 */
#include <string.h>

#include "expr/emit.h"

enum { RING_PAGE = 4096 };

/* ---- the ring's records ---- */

static void gen_reserve(struct gen *g)
{
	emit_map(g->k, BPF_REG_1, g->c->in->ring_fd);
	emit_move_imm(g->k, BPF_REG_2, g->p->record_size);
	emit_move_imm(g->k, BPF_REG_3, 0);
	emit_call(g->k, HELPER_RING_RESERVE);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, g->full);
}

/* On 5.10 the helper for it costs half as much again as finding it ourselves. */
static void gen_comm_helper(struct gen *g, int to)
{
	bool find = g->task_known && g->target->probe_read;

	if (find) {
		emit_call(g->k, HELPER_TASK);
		emit_address(g->k, BPF_REG_3, BPF_REG_0, g->task.comm);
	}
	emit_address(g->k, BPF_REG_1, REG_RECORD, to);
	emit_move_imm(g->k, BPF_REG_2, EVENT_COMM_LEN);
	emit_call(g->k, find ? HELPER_READ_KERNEL : HELPER_COMM);
}

/* by_task: to any register's memory */
static void gen_comm_typed(struct gen *g, int base, int to)
{
	for (int at = 0; at < EVENT_COMM_LEN; at += 8) {
		emit_load(g->k, 8, BPF_REG_1, g->task_reg, g->task.comm + at);
		emit_store(g->k, 8, base, to + at, BPF_REG_1);
	}
}

void gen_comm(struct gen *g, int to)
{
	if (g->by_task)
		gen_comm_typed(g, REG_RECORD, to);
	else
		gen_comm_helper(g, to);
}

void gen_point(struct gen *g, int dst)
{
	const struct expr_input *in = g->c->in;

	if (in->point >= 0 || !in->points) {
		emit_move_imm(g->k, dst, in->points ? in->point : 0);
		return;
	}
	emit_move(g->k, BPF_REG_1, REG_CTX);
	emit_call(g->k, HELPER_ATTACH_COOKIE);
	emit_move32(g->k, dst, BPF_REG_0); /* without the number of the program */
}

void gen_record_source(struct gen *g, int at)
{
	const struct expr_input *in = g->c->in;
	const int point = at + offsetof(struct record_source, point);

	emit_store_imm(g->k, 4, REG_RECORD, at + offsetof(struct record_source, probe),
		       in->probe_number);
	if (in->point >= 0 || !in->points) {
		emit_store_imm(g->k, 4, REG_RECORD, point, in->points ? in->point : 0);
		return;
	}
	gen_point(g, BPF_REG_0);
	emit_store(g->k, 4, REG_RECORD, point, BPF_REG_0);
}

/* To the record in r0: REG_RECORD may still be the task's. */
static void gen_header_task(struct gen *g)
{
	int tgid = g->tgid_kept ? REG_VALUE : BPF_REG_1, tid = g->by_task ? BPF_REG_1 : g->task_reg;

	if (!g->tgid_kept)
		gen_tgid(g, tgid);
	emit_store(g->k, 4, BPF_REG_0, offsetof(struct event_header, pid), tgid);
	if (g->by_task)
		gen_tid(g, tid);
	emit_store(g->k, 4, BPF_REG_0, offsetof(struct event_header, tid), tid);
	if (g->by_task)
		gen_comm_typed(g, BPF_REG_0, offsetof(struct event_header, comm));
}

static void gen_header(struct gen *g)
{
	gen_header_task(g);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	if (!g->by_task)
		gen_comm(g, offsetof(struct event_header, comm));
	if (g->c->in->want_ts) {
		emit_call(g->k, HELPER_KTIME);
		emit_store(g->k, 8, REG_RECORD, offsetof(struct event_header, ts), BPF_REG_0);
	}
	if (g->c->in->many)
		gen_record_source(g, sizeof(struct event_header));
	emit_zero(g->k, REG_RECORD, g->p->status_at, g->p->status_size);
}

/*
 * The kernel wakes a reader that sleeps, and we one for whom much is queued (include/event.h). How much
 * is asked about once a page of the ring, not for each record: that is all the precision it needs, and
 * the helper costs as much as three hops. The record's address tells: of records no larger than a
 * power of two, one at least begins where all bits between that and the page's size are 0.
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
	emit_map(g->k, BPF_REG_1, g->c->in->ring_fd);
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

static void ring_begin(struct gen *g)
{
	gen_reserve(g);
	gen_header(g);
}

static void ring_end(struct gen *g)
{
	gen_stacks(g);
	gen_submit(g);
}

static void ring_rest(struct gen *g)
{
	label_place(g->k, g->full);
	gen_count_loss(g, LOSS_RING_FULL);
	emit_goto(g->k, g->exit);
}

static const struct record_home home_ring = { ring_begin, ring_end, ring_rest };

/* ---- for every home ---- */

/* The lowest byte that filters and slots use. */
static int stack_end(const struct gen *g)
{
	int temps = 1; /* filter_comm's second word */

	for (size_t i = 0; i < g->p->slot_count; i++) {
		int own = g->p->plan.temps + g->p->slots[i].temps;

		temps = own > temps ? own : temps;
	}
	return STACK_TEMPS - 8 * temps;
}

bool gen_record_on_stack(struct gen *g, uint32_t size)
{
	int at = stack_end(g) - (int)size;

	if (at < -STACK_SIZE)
		return false;
	emit_address(g->k, REG_RECORD, BPF_REG_10, at);
	return true;
}

static void gen_exit(struct gen *g)
{
	label_place(g->k, g->exit);
	emit_move_imm(g->k, BPF_REG_0, 0);
	emit_exit(g->k);
}

void gen_count_loss(struct gen *g, enum loss loss)
{
	int none = label_new(g->k);

	emit_store_imm(g->k, 4, BPF_REG_10, STACK_SCRATCH, loss);
	emit_map(g->k, BPF_REG_1, g->c->in->losses_fd);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_0, 0);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	emit_store(g->k, 8, BPF_REG_0, 0, BPF_REG_1);
	label_place(g->k, none);
}

/* ---- slots ---- */

static void sink_text(struct gen *g, const struct slot *s)
{
	for (uint32_t at = 0; at < s->size; at += 8) {
		uint32_t left = s->size - at;
		uint64_t word = 0;

		memcpy(&word, s->root->bytes + at, left < 8 ? left : 8);
		emit_imm64(g->k, BPF_REG_1, word);
		emit_store(g->k, 8, REG_RECORD, s->offset + at, BPF_REG_1);
	}
}

static void sink_fast(struct gen *g, const struct slot *s)
{
	if (s->sink == SINK_SCALAR && slot_is_key(g->p, s))
		gen_key_bits(g, s);
	if (s->sink == SINK_SCALAR)
		emit_store(g->k, 8, REG_RECORD, s->offset, REG_VALUE);
	else if (s->sink == SINK_STRING)
		gen_string_fast(g, s);
	else if (s->sink == SINK_TEXT)
		sink_text(g, s);
}

void gen_slot_fast(struct gen *g, const struct slot *s)
{
	gen_steps_fast(g, s);
	sink_fast(g, s);
	if (s->sink == SINK_PATH)
		gen_path(g, s, false);
	label_place(g->k, gen_labels(g, s)->done);
}

/* Nobody looks at more than the beginning of what failed. */
static bool is_long(const struct slot *s)
{
	return s->sink == SINK_STRING || s->sink == SINK_PATH || s->field_type == FIELD_STRUCT;
}

void gen_blame(struct gen *g, int status)
{
	emit_store_imm(g->k, 8, BPF_REG_10, STACK_STATUS, status);
}

/* The status byte says which link, the value is 0, a fault is in the ledger. A filter that cannot be
 * worked out lets nothing through. */
static void slot_fail(struct gen *g, const struct slot *s)
{
	const struct slot_labels *labels = gen_labels(g, s);
	int fault = label_new(g->k), after = s->sink == SINK_FILTER ? g->exit : labels->done;

	label_place(g->k, labels->fail);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_STATUS);
	if (s->sink != SINK_FILTER) {
		emit_store(g->k, 1, REG_RECORD, s->status, BPF_REG_1);
		emit_zero(g->k, REG_RECORD, s->offset,
		          is_long(s) && !slot_is_key(g->p, s) ? 8 : s->room);
	}
	emit_jump(g->k, BPF_JSET, BPF_REG_1, FIELD_STATUS_FAULT, fault);
	emit_goto(g->k, after);
	label_place(g->k, fault);
	gen_count_loss(g, LOSS_FAULT);
	emit_goto(g->k, after);
}

void gen_slot_exact(struct gen *g, const struct slot *s)
{
	const struct slot_labels *labels = gen_labels(g, s);

	if (!s->link_count) /* nothing is read, nothing can fail */
		return;
	if (s->sink == SINK_STRING) {
		label_place(g->k, labels->string);
		gen_string_exact(g, s);
	} else {
		label_place(g->k, labels->exact);
		gen_steps_exact(g, s);
		if (s->sink != SINK_BYTES)
			sink_fast(g, s);
		if (s->sink == SINK_PATH)
			gen_path(g, s, true);
	}
	emit_goto(g->k, labels->done);
	slot_fail(g, s);
}

static void for_each_slot(struct gen *g, size_t from, size_t to,
                          void (*make)(struct gen *g, const struct slot *s))
{
	for (size_t i = from; i < to; i++)
		make(g, &g->p->slots[i]);
}

static void gen_all(struct gen *g)
{
	size_t filters = g->p->filter_count, all = g->p->slot_count;

	gen_filters(g);
	for_each_slot(g, 0, filters, gen_slot_fast);
	g->home->begin(g);
	for_each_slot(g, filters, all, gen_slot_fast);
	g->home->end(g);
	gen_exit(g);
	for_each_slot(g, 0, all, gen_slot_exact);
	g->home->rest(g);
}

void gen_labels_make(struct gen *g, size_t slot)
{
	g->labels[slot].exact = label_new(g->k);
	g->labels[slot].string = label_new(g->k);
	g->labels[slot].fail = label_new(g->k);
	g->labels[slot].done = label_new(g->k);
}

/* One side of calls. */
static void gen_side(struct gen *g)
{
	for (size_t i = 0; i < g->p->slot_count; i++)
		gen_labels_make(g, i);
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
	bool call = c->in->scope == EXPR_SCOPE_CALL;
	struct gen g = {
		.c = c,
		.k = &c->p->code,
		.p = c->p,
		.target = &c->in->target,
		.task_reg = REG_TASK,
		.argument = -1,
		.home = c->in->aggregate ? &home_aggregate : &home_ring,
		.labels = compile_alloc(c, (c->p->slot_count + 1) * sizeof(*g.labels)),
	};
	int err;

	if (c->err)
		return;
	if (call && c->p->keep == KEEP_NOTHING)
		g.k = &c->p->return_code;
	if (call && c->p->keep != KEEP_NOTHING)
		gen_call(&g);
	else
		gen_side(&g);
	if (c->err)
		return;
	err = programs_finish(c);
	if (err == -E2BIG)
		compile_fail(c, (struct span){}, "too much for one program");
	else
		c->err = err;
}
