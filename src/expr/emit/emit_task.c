/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_task.c - the current task, its ids, and what it is interrupted by.
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

static bool has_queue(struct gen *g)
{
	const struct expr_target *t = g->target;

	return t->preempt.from_queue && t->probe_read && g->task_known &&
	       queue_of_task(g->c->in->btf, t->task_struct_id, &g->task);
}

enum preempt_way gen_preempt_way(struct gen *g, bool seldom)
{
	const struct expr_target *t = g->target;

	if (seldom && t->preempt.var && t->types_unsorted && has_queue(g))
		return PREEMPT_QUEUE;
	if (t->preempt.var)
		return PREEMPT_VARIABLE;
	if (g->by_task && g->task.preempt)
		return PREEMPT_TASK;
	if (!t->probe_read || !g->task_known)
		return PREEMPT_UNKNOWN;
	if (g->task.preempt)
		return PREEMPT_TASK_READ;
	return has_queue(g) ? PREEMPT_QUEUE : PREEMPT_UNKNOWN;
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
		emit_variable(g->k, BPF_REG_1, g->target->preempt.var);
		emit_call(g->k, HELPER_THIS_CPU);
		emit_load(g->k, 4, BPF_REG_1, BPF_REG_0, g->target->preempt.offset);
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
		load_read(g, 4, g->target->preempt.from_queue);
	}
}

bool gen_interrupt(struct gen *g)
{
	struct preempt_bits bits = preempt_bits(g->target);
	int task_reg = g->task_reg, done = label_new(g->k);
	enum preempt_way way;

	g->task_reg = BPF_REG_0;
	gen_task(g);
	way = gen_preempt_way(g, false);
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

/*
 * ---- ids in a pid namespace: filter.numbers, used if they differ from the kernel's own ----
 *
 * task → its struct pid (for the process: through its signal_struct) → numbers[level], if that
 * belongs to our namespace. A task outside it has id 0, as in the kernel. If a slot needs an id,
 * both are read before all slots; otherwise when the record begins, so that refused calls do not
 * pay for them.
 */

static const struct event_numbers *numbers(const struct gen *g)
{
	return &g->c->in->run.filter.numbers;
}

static int number_offset(const struct gen *g, bool thread)
{
	return STACK_TEMPS - 8 * g->p->plan.number_temp + (thread ? 4 : 0);
}

/* r3 = the task */
static void task_load(struct gen *g)
{
	if (!g->by_task)
		emit_call(g->k, HELPER_TASK);
	emit_move(g->k, BPF_REG_3, g->by_task ? g->task_reg : BPF_REG_0);
}

/* Reads an id. STACK_SCRATCH holds the address of the struct pid, whose members are read there and
 * to STACK_STATUS. A read that fails writes zeros. */
static void read_number(struct gen *g, bool thread)
{
	int done = label_new(g->k), at = number_offset(g, thread);

	emit_store_imm(g->k, 4, BPF_REG_10, at, 0);
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_10, STACK_SCRATCH);
	emit_read_kernel(g->k, BPF_REG_10, STACK_STATUS, 4, BPF_REG_3, numbers(g)->pid_level);
	emit_load(g->k, 4, BPF_REG_1, BPF_REG_10, STACK_STATUS);
	emit_jump(g->k, BPF_JLT, BPF_REG_1, numbers(g)->level, done);
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_10, STACK_SCRATCH);
	emit_read_kernel(g->k, BPF_REG_10, STACK_STATUS, sizeof(struct event_upid), BPF_REG_3,
			 numbers(g)->upid);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10,
		  STACK_STATUS + (int)offsetof(struct event_upid, ns));
	emit_imm64(g->k, BPF_REG_2, numbers(g)->ns);
	emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, done);
	emit_load(g->k, 4, BPF_REG_1, BPF_REG_10,
		  STACK_STATUS + (int)offsetof(struct event_upid, nr));
	emit_store(g->k, 4, BPF_REG_10, at, BPF_REG_1);
	label_bind(g->k, done);
}

void gen_numbers(struct gen *g)
{
	if (!numbers(g)->ns || g->numbered)
		return;
	task_load(g);
	emit_read_kernel(g->k, BPF_REG_10, STACK_SCRATCH, 8, BPF_REG_3, numbers(g)->signal);
	emit_load(g->k, 8, BPF_REG_3, BPF_REG_10, STACK_SCRATCH);
	emit_read_kernel(g->k, BPF_REG_10, STACK_SCRATCH, 8, BPF_REG_3, numbers(g)->tgid);
	read_number(g, false);
	task_load(g);
	emit_read_kernel(g->k, BPF_REG_10, STACK_SCRATCH, 8, BPF_REG_3, numbers(g)->thread_pid);
	read_number(g, true);
	g->numbered = true;
}

static bool is_asked_for(const struct gen *g)
{
	const struct plan *plan = &g->p->plan;

	for (const struct slot *s = g->p->slots; (s = slot_used(g->p, s)); s++) {
		if (slot_is_stack(s) && s->store.type == FIELD_USER_STACK)
			return true;
	}
	for (size_t i = 0; i < plan->value_count; i++) {
		const struct vreg *v = &plan->values[i];

		if (v->op == VREG_BUILTIN && (v->imm == BUILTIN_PID || v->imm == BUILTIN_TID))
			return true;
	}
	return false;
}

/* Each side of a call reads them again. */
void gen_numbers_begin(struct gen *g)
{
	g->numbered = false;
	if (is_asked_for(g))
		gen_numbers(g);
}

void gen_number(struct gen *g, int dst, bool thread)
{
	emit_load(g->k, 4, dst, g->frame ?: BPF_REG_10, number_offset(g, thread));
}
