/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_filter.c - the beginning of every program: filters by the current task. Nothing here knows about records.
 */
#include <string.h>

#include "expr/emit/emit_slot.h"
#include "expr/emit/emit_within.h"
#include "expr/layout/layout.h"
#include "expr/resolve/resolve.h"

/* ---- filters: each jumps to g->exit ---- */

/* Jumps to `none` unless the register is one of the ids, or none are given. */
static void filter_ids(struct gen *g, int reg, const struct event_ids *ids, int none)
{
	int found = label_new(g->k);

	for (uint32_t i = 0; i + 1 < ids->count; i++)
		emit_jump32(g->k, BPF_JEQ, reg, ids->ids[i], found);
	emit_jump32(g->k, BPF_JNE, reg, ids->ids[ids->count - 1], none);
	label_bind(g->k, found);
}

/* The current task is coretap: tells its own activity from an interrupt. The trap of a kprobe
 * counts as an NMI in a hard interrupt, so in an NMI only a soft interrupt is believed. */
static void filter_interrupt(struct gen *g, enum preempt_way way)
{
	struct preempt_bits bits = preempt_bits(g->target);
	int interrupt = label_new(g->k), trap = label_new(g->k);

	gen_preempt_load(g, way);
	emit_jump(g->k, BPF_JSET, BPF_REG_1, bits.nmi, trap);
	emit_jump(g->k, BPF_JSET, BPF_REG_1, bits.hardirq, interrupt);
	label_bind(g->k, trap);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_1, bits.softirq);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, g->foreign);
	label_bind(g->k, interrupt);
	if (g->task_reg == BPF_REG_0 && way != PREEMPT_TASK)
		gen_task(g);
}

/* Excludes coretap itself. Other tasks cost one comparison. A sample is always of the current
 * task. Where the count cannot be read, interrupts of coretap are excluded with it. */
static void filter_own(struct gen *g, int tgid)
{
	const struct event_filter *f = &g->c->in->run.filter;
	enum preempt_way way = PREEMPT_UNKNOWN;
	int other;

	if (f->interrupts && !g->c->in->site.is_sample)
		way = gen_preempt_way(g, true);
	if (way == PREEMPT_UNKNOWN) {
		emit_jump32(g->k, BPF_JEQ, tgid, f->self, g->foreign);
		return;
	}
	other = label_new(g->k);
	emit_jump32(g->k, BPF_JNE, tgid, f->self, other);
	filter_interrupt(g, way);
	label_bind(g->k, other);
}

void gen_filter_task(struct gen *g)
{
	const struct event_filter *f = &g->c->in->run.filter;
	int tgid = g->tgid_kept ? REG_VALUE : BPF_REG_1;

	gen_tgid(g, tgid);
	if (!f->follow && f->pids.count)
		filter_ids(g, tgid, &f->pids, g->foreign);
	if (f->self && (f->pids.count != 1 || f->pids.ids[0] == f->self))
		filter_own(g, tgid);
	if (!f->tids.count)
		return;
	gen_tid(g, BPF_REG_1);
	filter_ids(g, BPF_REG_1, &f->tids, g->exit);
}

/* Compares up to the NUL only: after it the kernel leaves bytes of older names. */
static void compare_comm_word(struct gen *g, const char *want, size_t len)
{
	uint64_t word = 0, mask = len < 8 ? (1ull << len * 8) - 1 : ~0ull;

	memcpy(&word, want, len < 8 ? len : 8);
	if (mask != ~0ull) {
		emit_imm64(g->k, BPF_REG_2, mask);
		emit_alu(g->k, BPF_AND, BPF_REG_1, BPF_REG_2);
	}
	emit_imm64(g->k, BPF_REG_2, word);
	emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, g->exit);
}

static void filter_comm(struct gen *g)
{
	const char *want = g->c->in->run.filter.comm;
	size_t len = strnlen(want, EVENT_COMM_LEN - 1) + 1;
	int base = g->task_reg, off = g->task.comm;

	if (!g->by_task) {
		base = BPF_REG_10;
		off = STACK_TEMPS - 8; /* not used yet */
		emit_address(g->k, BPF_REG_1, base, off);
		emit_move_imm(g->k, BPF_REG_2, EVENT_COMM_LEN);
		emit_call(g->k, HELPER_COMM);
	}
	emit_load(g->k, 8, BPF_REG_1, base, off);
	compare_comm_word(g, want, len);
	if (len > 8) {
		emit_load(g->k, 8, BPF_REG_1, base, off + 8);
		compare_comm_word(g, want + 8, len - 8);
	}
}

static void filter_names(struct gen *g)
{
	const int at = STACK_TEMPS - 8; /* not used yet */

	if (g->by_task) {
		gen_comm_typed(g, BPF_REG_10, at);
	} else {
		emit_address(g->k, BPF_REG_1, BPF_REG_10, at);
		emit_move_imm(g->k, BPF_REG_2, EVENT_COMM_LEN);
		emit_call(g->k, HELPER_COMM);
	}
	emit_address(g->k, BPF_REG_1, BPF_REG_10, at);
	gen_glob(g->k, map_index_shared(g->c, EXPR_MAP_NAMES), EVENT_COMM_LEN, g->exit);
}

static void filter_uid(struct gen *g)
{
	emit_call(g->k, HELPER_UID_GID);
	filter_ids(g, BPF_REG_0, &g->c->in->run.filter.uids, g->exit);
}

static void filter_follow(struct gen *g)
{
	gen_tgid(g, BPF_REG_1);
	emit_store(g->k, 4, BPF_REG_10, STACK_SCRATCH, BPF_REG_1);
	gen_map(g, BPF_REG_1, EXPR_MAP_FOLLOWED);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, g->exit);
}

/* Helper result 1: the task is in the cgroup of that slot, or below it. */
static void filter_cgroup(struct gen *g)
{
	int count = g->c->in->run.filter.by_cgroup, found = label_new(g->k);

	for (int i = 0; i < count; i++) {
		gen_map(g, BPF_REG_1, EXPR_MAP_CGROUPS);
		emit_move_imm(g->k, BPF_REG_2, i);
		emit_call(g->k, HELPER_UNDER_CGROUP);
		if (i < count - 1)
			emit_jump32(g->k, BPF_JEQ, BPF_REG_0, 1, found);
		else
			emit_jump32(g->k, BPF_JNE, BPF_REG_0, 1, g->exit);
	}
	label_bind(g->k, found);
}

/* True if no filter needs the task after a call. */
static bool task_is_brief(const struct gen *g)
{
	const struct event_filter *f = &g->c->in->run.filter;

	return !f->by_comm && !f->by_names && !f->uids.count && !f->follow && !f->by_cgroup;
}

/* True if calls are only counted: nothing reads the context, nor the task after the filters. */
static bool is_bare(const struct gen *g)
{
	return g->c->in->run.aggregate && !g->p->slot_count && !g->c->in->run.many &&
	       !g->c->in->pair && !g->c->in->within.sets &&
	       (g->c->in->scope == EXPR_SCOPE_ENTRY || g->c->in->scope == EXPR_SCOPE_RETURN) &&
	       task_is_brief(g);
}

/* The argument that is the only value needed from the context; -1: none. */
static int only_argument(const struct gen *g)
{
	const struct expr_input *in = g->c->in;
	const struct plan *plan = &g->p->plan;
	int only = -1;

	if (stacks_count(g->p) || (in->point.index < 0 && in->run.points))
		return -1;
	for (size_t i = 0; i < g->p->slot_count; i++) {
		if (slot_is_stack(&g->p->slots[i]))
			return -1;
	}
	for (size_t i = 0; i < plan->value_count; i++) {
		const struct vreg *v = &plan->values[i];

		if (v->op == VREG_ARG && v->way == LOAD_DIRECT && only < 0)
			only = i;
		else if (v->op == VREG_ARG || v->op == VREG_RET || v->op == VREG_REG ||
			 v->op == VREG_FIELD || v->op == VREG_CONTEXT ||
			 (v->op == VREG_BUILTIN && v->imm == BUILTIN_FRAME))
			return -1;
	}
	return only;
}

/* Decides what stays in registers. Each costs a push and a pop besides the move, so the record
 * reuses the task's register. */
static void context_save(struct gen *g)
{
	bool paired = g->c->in->scope == EXPR_SCOPE_CALL || g->c->in->pair;
	bool record = !g->c->in->run.aggregate && !paired;

	g->tgid_kept = record && !g->p->filter_count && !g->c->in->within.sets;
	if (record)
		g->task_reg = REG_RECORD;
	if (!paired && !g->c->in->within.sets)
		g->argument = only_argument(g);
	gen_begin(g, true);
	if (g->argument >= 0)
		emit_load(g->k, 8, REG_CTX, REG_CTX,
			  gen_context_offset(g, &g->p->plan.values[g->argument]));
}

/* In order of cost: 2, 4 or 145, 105, 112 and about 150 instructions. */
static void filters(struct gen *g)
{
	const struct event_filter *f = &g->c->in->run.filter;

	gen_task(g);
	gen_filter_task(g);
	if (f->by_comm)
		filter_comm(g);
	if (f->by_names)
		filter_names(g);
	if (f->uids.count)
		filter_uid(g);
	if (f->follow)
		filter_follow(g);
	if (f->by_cgroup)
		filter_cgroup(g);
	if (g->c->in->within.sets)
		gen_filter_within(g);
	gen_numbers_begin(g);
}

void gen_filters(struct gen *g)
{
	if (is_bare(g)) {
		g->task_reg = BPF_REG_0;
		gen_begin(g, false);
	} else {
		context_save(g);
	}
	filters(g);
}

void gen_filters_alone(struct gen *g, bool task_stays)
{
	g->tgid_kept = false;
	g->task_reg = task_stays || !task_is_brief(g) ? REG_RECORD : BPF_REG_0;
	gen_begin(g, true);
	filters(g);
}
