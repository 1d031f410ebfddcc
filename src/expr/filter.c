// SPDX-License-Identifier: GPL-2.0
/*
 * filter.c - the beginning of every program: who runs, and is that asked for?
 *
 * Where bpf_get_current_task_btf exists, who runs is a matter of typed loads from task_struct: a
 * fraction of what the helpers for pid and comm cost. It must not know of records.
 */
#include <string.h>

#include "expr/emit.h"

/* ---- who runs: from task_struct by typed loads, else by helpers ---- */

static bool find_task_members(const struct compile *c, struct task_offsets *t)
{
	const struct btf_view *b = c->in->btf;
	uint32_t task = c->in->target.task_struct_id;
	struct btf_found pid, tgid, comm;

	if (!task || !btf_view_member(b, task, "pid", 3, &pid) ||
	    !btf_view_member(b, task, "tgid", 4, &tgid) ||
	    !btf_view_member(b, task, "comm", 4, &comm))
		return false;
	*t = (struct task_offsets){ pid.bit_offset / 8, tgid.bit_offset / 8, comm.bit_offset / 8 };
	return typed_bytes(b, task, t->pid, 4) && typed_bytes(b, task, t->tgid, 4) &&
	       typed_bytes(b, task, t->comm, EVENT_COMM_LEN);
}

void gen_task(struct gen *g)
{
	g->task_known = find_task_members(g->c, &g->task);
	g->by_task = g->task_known && g->target->current_task_btf;
	emit_call(g->k, g->by_task ? HELPER_TASK_BTF : HELPER_PID_TGID);
	if (g->task_reg != BPF_REG_0)
		emit_move(g->k, g->task_reg, BPF_REG_0);
}

void gen_tgid(struct gen *g, int dst)
{
	if (g->by_task) {
		emit_load(g->k, 4, dst, g->task_reg, g->task.tgid);
	} else {
		emit_move(g->k, dst, g->task_reg);
		emit_alu_imm(g->k, BPF_RSH, dst, 32);
	}
}

void gen_tid(struct gen *g, int dst)
{
	if (g->by_task)
		emit_load(g->k, 4, dst, g->task_reg, g->task.pid);
	else
		emit_move(g->k, dst, g->task_reg);
}

/* ---- filters: each one goes to g->exit ---- */

void gen_filter_task(struct gen *g)
{
	const struct event_filter *f = &g->c->in->filter;
	int tgid = g->tgid_kept ? REG_VALUE : BPF_REG_1;

	gen_tgid(g, tgid);
	if (f->pid)
		emit_jump32(g->k, BPF_JNE, tgid, f->pid, g->foreign);
	if (f->self && (!f->pid || f->pid == f->self))
		emit_jump32(g->k, BPF_JEQ, tgid, f->self, g->foreign);
	if (!f->tid)
		return;
	gen_tid(g, BPF_REG_1);
	emit_jump32(g->k, BPF_JNE, BPF_REG_1, f->tid, g->exit);
}

/* Behind its NUL the kernel leaves what the name before it had there: compare up to the NUL. */
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
	const char *want = g->c->in->filter.comm;
	size_t len = strnlen(want, EVENT_COMM_LEN - 1) + 1;
	int base = g->task_reg, off = g->task.comm;

	if (!g->c->in->filter.by_comm)
		return;
	if (!g->by_task) {
		base = BPF_REG_10;
		off = STACK_TEMPS - 8; /* nothing is kept there yet */
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

static void filter_uid(struct gen *g)
{
	if (!g->c->in->filter.by_uid)
		return;
	emit_call(g->k, HELPER_UID_GID);
	emit_jump32(g->k, BPF_JNE, BPF_REG_0, g->c->in->filter.uid, g->exit);
}

static void filter_follow(struct gen *g)
{
	if (!g->c->in->filter.follow)
		return;
	gen_tgid(g, BPF_REG_1);
	emit_store(g->k, 4, BPF_REG_10, STACK_SCRATCH, BPF_REG_1);
	emit_map(g->k, BPF_REG_1, g->c->in->followed_fd);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, g->exit);
}

/* 1: the task is in or below the cgroup in slot 0. */
static void filter_cgroup(struct gen *g)
{
	if (!g->c->in->filter.by_cgroup)
		return;
	emit_map(g->k, BPF_REG_1, g->c->in->cgroups_fd);
	emit_move_imm(g->k, BPF_REG_2, 0);
	emit_call(g->k, HELPER_UNDER_CGROUP);
	emit_jump32(g->k, BPF_JNE, BPF_REG_0, 1, g->exit);
}

/* Nothing but a count for all: then nobody looks at the context, nor at the task once it is let
 * through. */
static bool is_bare(const struct gen *g)
{
	const struct event_filter *f = &g->c->in->filter;

	return g->c->in->aggregate && !g->p->slot_count && !g->c->in->many &&
	       (g->c->in->scope == EXPR_SCOPE_ENTRY || g->c->in->scope == EXPR_SCOPE_RETURN) &&
	       !f->by_comm && !f->by_uid && !f->follow && !f->by_cgroup;
}

/* The only value that is wanted from the context, when that is an argument; -1: none, or others, too. */
static int only_argument(const struct gen *g)
{
	const struct expr_input *in = g->c->in;
	const struct plan *plan = &g->p->plan;
	int only = -1;

	if (stacks_count(g->p) || (in->point < 0 && in->points))
		return -1;
	for (size_t i = 0; i < plan->value_count; i++) {
		const struct plan_value *v = &plan->values[i];

		if (v->op == PLAN_ARG && v->way == WAY_DIRECT && only < 0)
			only = i;
		else if (v->op == PLAN_ARG || v->op == PLAN_RET || v->op == PLAN_REG ||
		         v->op == PLAN_FIELD || v->op == PLAN_CONTEXT)
			return -1;
	}
	return only;
}

/* What is kept from here on. Each register that keeps something costs a push and a pop beside the move,
 * so a record takes over the task's. */
static void keep_context(struct gen *g)
{
	bool record = !g->c->in->aggregate && g->c->in->scope != EXPR_SCOPE_CALL;

	g->tgid_kept = record && !g->p->filter_count;
	if (record)
		g->task_reg = REG_RECORD;
	if (g->c->in->scope != EXPR_SCOPE_CALL)
		g->argument = only_argument(g);
	emit_move(g->k, REG_CTX, BPF_REG_1);
	if (g->argument >= 0)
		emit_load(g->k, 8, REG_CTX, REG_CTX,
		          gen_context_offset(g, &g->p->plan.values[g->argument]));
}

/* Cheapest first: 2, 4 or 145, 105, 112 and about 150 instructions. */
void gen_filters(struct gen *g)
{
	if (is_bare(g))
		g->task_reg = BPF_REG_0;
	else
		keep_context(g);
	gen_task(g);
	gen_filter_task(g);
	filter_comm(g);
	filter_uid(g);
	filter_follow(g);
	filter_cgroup(g);
}
