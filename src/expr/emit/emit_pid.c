/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_pid.c - ids of the current process and thread in a pid namespace: filter.numbers, used if
 * they differ from the kernel's own.
 *
 * task → its struct pid (for the process: through its signal_struct) → numbers[level], if that
 * belongs to our namespace. A task outside it has id 0, as in the kernel. If a slot needs an id,
 * both are read before all slots; otherwise when the record begins, so that refused calls do not
 * pay for them.
 */
#include "expr/emit/emit_common.h"

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
