/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_task.c - the current task, and what it is interrupted by.
 *
 * If bpf_get_current_task_btf exists, typed loads from task_struct identify the task, at a
 * fraction of the cost of the helpers for pid and comm.
 */
#include "expr/emit/emit_common.h"
#include "expr/lower/lower.h"
#include "expr/resolve/resolve.h"

/* The preempt count in thread_info, on processors that have no variable for it. */
static int preempt_in_task(const struct btf_view *b, uint32_t task)
{
	struct btf_found info, count;
	int at;

	if (!btf_view_member(b, task, "thread_info", 11, &info) ||
	    !btf_view_member(b, info.type, "preempt_count", 13, &count))
		return 0;
	at = (info.bit_offset + count.bit_offset) / 8;
	return typed_bytes(b, task, at, 4) ? at : 0;
}

/* The way from a task to the run queue of its processor. */
static bool queue_of_task(const struct btf_view *b, uint32_t task, struct task_offsets *t)
{
	struct btf_found entity, pointer, queue;
	const struct btf_type *to;

	if (!btf_view_member(b, task, "se", 2, &entity) ||
	    !btf_view_member(b, entity.type, "cfs_rq", 6, &pointer))
		return false;
	to = btf_view_type(b, pointer.type);
	if (!to || btf_kind(to) != BTF_KIND_PTR || !btf_view_member(b, to->type, "rq", 2, &queue))
		return false;
	t->cfs_rq = (entity.bit_offset + pointer.bit_offset) / 8;
	t->cfs_rq_rq = queue.bit_offset / 8;
	return true;
}

static bool find_task_members(const struct compile *c, struct task_offsets *t)
{
	const struct btf_view *b = c->in->btf;
	uint32_t task = c->in->target.task_struct_id;
	struct btf_found pid, tgid, comm;

	if (!task || !btf_view_member(b, task, "pid", 3, &pid) ||
	    !btf_view_member(b, task, "tgid", 4, &tgid) ||
	    !btf_view_member(b, task, "comm", 4, &comm))
		return false;
	*t = (struct task_offsets){ pid.bit_offset / 8, tgid.bit_offset / 8, comm.bit_offset / 8,
				    preempt_in_task(b, task) };
	return typed_bytes(b, task, t->pid, 4) && typed_bytes(b, task, t->tgid, 4) &&
	       typed_bytes(b, task, t->comm, EVENT_COMM_LEN);
}

bool gen_task_find(struct gen *g)
{
	g->task_known = g->task_known || find_task_members(g->c, &g->task);
	g->by_task = g->task_known && g->target->current_task_btf;
	return g->by_task;
}

void gen_task(struct gen *g)
{
	gen_task_find(g);
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

/* ---- the preempt count ---- */

enum preempt_way gen_preempt_way(struct gen *g)
{
	const struct expr_target *t = g->target;

	if (t->preempt_var)
		return PREEMPT_VARIABLE;
	if (g->by_task && g->task.preempt)
		return PREEMPT_TASK;
	if (!t->probe_read || !g->task_known)
		return PREEMPT_UNKNOWN;
	if (g->task.preempt)
		return PREEMPT_TASK_READ;
	return t->queue_to_preempt && queue_of_task(g->c->in->btf, t->task_struct_id, &g->task) ?
		       PREEMPT_QUEUE :
		       PREEMPT_UNKNOWN;
}

/* r1 = `size` bytes at r0 + off; 0 if they cannot be read. Clobbers r0 … r5. */
static void load_read(struct gen *g, uint32_t size, int off)
{
	emit_read_kernel(g->k, BPF_REG_10, STACK_SCRATCH, size, BPF_REG_0, off);
	emit_load(g->k, size, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
}

void gen_preempt_load(struct gen *g, enum preempt_way way)
{
	switch (way) {
	case PREEMPT_VARIABLE:
		emit_variable(g->k, BPF_REG_1, g->target->preempt_var);
		emit_call(g->k, HELPER_THIS_CPU);
		emit_load(g->k, 4, BPF_REG_1, BPF_REG_0, g->target->preempt_offset);
		break;
	case PREEMPT_TASK: emit_load(g->k, 4, BPF_REG_1, g->task_reg, g->task.preempt); break;
	case PREEMPT_TASK_READ:
		emit_call(g->k, HELPER_TASK);
		load_read(g, 4, g->task.preempt);
		break;
	default:
		emit_call(g->k, HELPER_TASK);
		load_read(g, 8, g->task.cfs_rq);
		emit_move(g->k, BPF_REG_0, BPF_REG_1);
		load_read(g, 8, g->task.cfs_rq_rq);
		emit_move(g->k, BPF_REG_0, BPF_REG_1);
		load_read(g, 4, g->target->queue_to_preempt);
	}
}

bool gen_interrupt(struct gen *g)
{
	struct preempt_bits bits = preempt_bits(g->target);
	int task_reg = g->task_reg, done = label_new(g->k);
	enum preempt_way way;

	g->task_reg = BPF_REG_0;
	gen_task(g);
	way = gen_preempt_way(g);
	if (way == PREEMPT_UNKNOWN)
		return false;
	gen_preempt_load(g, way);
	g->task_reg = task_reg;
	emit_move(g->k, BPF_REG_0, BPF_REG_1);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_0, 8);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_0, 1);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_1, bits.hardirq | bits.nmi);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, 1);
	emit_jump32(g->k, BPF_JGE, BPF_REG_1, bits.hardirq, done);
	emit_alu_imm(g->k, BPF_OR, BPF_REG_0, 2);
	label_bind(g->k, done);
	return true;
}
