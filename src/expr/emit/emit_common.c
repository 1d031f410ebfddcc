/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_common.c - shared by the parts of a program: maps, names, the point that was hit, losses,
 * stack space, claims, triggers.
 */
#include <string.h>

#include "expr/emit/emit_common.h"
#include "expr/lower/lower.h"

uint32_t gen_map_index(struct gen *g, enum expr_map_kind kind, enum bpf_map_type type,
		       uint32_t key_size, uint32_t value_size, uint32_t entries)
{
	return map_index(g->c,
			 &(struct expr_map){ kind, type, key_size, value_size, entries, NULL });
}

void gen_map(struct gen *g, int dst, enum expr_map_kind kind)
{
	emit_map(g->k, dst, map_index_shared(g->c, kind));
}

/* On 5.10 the helper costs one and a half times as much as typed loads. */
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

void gen_comm_typed(struct gen *g, int base, int to)
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

	if (in->point.index >= 0 || !in->run.points) {
		emit_move_imm(g->k, dst, in->run.points ? in->point.index : 0);
		return;
	}
	emit_move(g->k, BPF_REG_1, REG_CTX);
	emit_call(g->k, HELPER_ATTACH_COOKIE);
	emit_move32(g->k, dst, BPF_REG_0); /* removes the number of the program */
}

void gen_record_source(struct gen *g, int at)
{
	const struct expr_input *in = g->c->in;
	const int point = at + offsetof(struct record_source, point);

	emit_store_imm(g->k, 4, REG_RECORD, at + offsetof(struct record_source, probe),
		       in->probe_number);
	if (in->point.index >= 0 || !in->run.points) {
		emit_store_imm(g->k, 4, REG_RECORD, point, in->run.points ? in->point.index : 0);
		return;
	}
	gen_point(g, BPF_REG_0);
	emit_store(g->k, 4, REG_RECORD, point, BPF_REG_0);
}

void gen_blame(struct gen *g, int status)
{
	emit_store_imm(g->k, 8, BPF_REG_10, STACK_STATUS, status);
}

void gen_count_loss(struct gen *g, enum loss loss)
{
	int none = label_new(g->k);

	emit_store_imm(g->k, 4, BPF_REG_10, STACK_SCRATCH, loss);
	gen_map(g, BPF_REG_1, EXPR_MAP_LOSSES);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_move_imm(g->k, BPF_REG_1, 1);
	emit_atomic_add(g->k, BPF_REG_0, 0, BPF_REG_1, false); /* all programs share this counter */
	label_bind(g->k, none);
}

int gen_task_offset(const struct gen *g, const char *name)
{
	uint32_t task = g->target->task_struct_id;
	struct btf_found found;

	if (!task || !btf_view_member(g->c->in->btf, task, name, strlen(name), &found))
		return -1;
	return found.bit_offset / 8;
}

bool gen_task_word(struct gen *g, const char *name, int base, int to)
{
	int at = gen_task_offset(g, name);
	bool typed = g->target->current_task_btf &&
		     typed_bytes(g->c->in->btf, g->target->task_struct_id, at, 4);

	if (at < 0 || (!typed && !g->target->probe_read))
		return false;
	emit_call(g->k, typed ? HELPER_TASK_BTF : HELPER_TASK);
	if (typed) {
		emit_load(g->k, 4, BPF_REG_1, BPF_REG_0, at);
		emit_store(g->k, 4, base, to, BPF_REG_1);
		return true;
	}
	emit_address(g->k, BPF_REG_1, base, to);
	emit_move_imm(g->k, BPF_REG_2, 4);
	emit_address(g->k, BPF_REG_3, BPF_REG_0, at);
	emit_call(g->k, HELPER_READ_KERNEL);
	return true;
}

void gen_session(struct gen *g, void (*entry)(struct gen *g), void (*at_return)(struct gen *g))
{
	int returned = label_new(g->k);

	emit_move(g->k, REG_CTX, BPF_REG_1);
	emit_kfunc(g->k, g->target->session_is_return_id);
	emit_jump(g->k, BPF_JSET, BPF_REG_0, 1, returned);
	emit_move(g->k, BPF_REG_1, REG_CTX);
	entry(g);
	label_bind(g->k, returned);
	at_return(g);
}

void gen_cookie(struct gen *g)
{
	emit_move(g->k, BPF_REG_1, REG_CTX); /* an argument since 7.0 */
	emit_kfunc(g->k, g->target->session_cookie_id);
}

/*
 * A user probe's program can be preempted since 6.0 (sleepable uprobes): only migration is
 * disabled, and nothing counts who is in it. Two consequences:
 *
 *	per-CPU memory	another thread finds it half written. Where programs may disable preemption
 *			(6.10), they do; else they claim the memory (gen_claim), or add atomically.
 *	the stack	since 6.13 the verifier gives a program of this type that uses 64 bytes or more one
 *			stack per CPU, because it assumes that no such program runs twice there. A
 *			program with a tail call keeps the stack of its thread. So one is emitted on a
 *			path that the verifier knows to be dead, and removes.
 */
void gen_begin(struct gen *g, bool context)
{
	if (context)
		emit_move(g->k, REG_CTX, BPF_REG_1);
	if (g->c->in->site.in_user && g->target->preempt_disable_id)
		emit_kfunc(g->k, g->target->preempt_disable_id);
}

void gen_return(struct gen *g, int value)
{
	bool user = g->c->in->site.in_user;
	int end = label_new(g->k);

	if (user && g->target->preempt_disable_id)
		emit_kfunc(g->k, g->target->preempt_enable_id);
	emit_move_imm(g->k, BPF_REG_0, value);
	if (user) {
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, value, end);
		emit_call(g->k, HELPER_TAIL_CALL);
	}
	label_bind(g->k, end);
	emit_exit(g->k);
}

void gen_exit(struct gen *g)
{
	label_bind(g->k, g->exit);
	gen_return(g, 0);
}

void gen_lookup(struct gen *g, uint32_t map, uint32_t index)
{
	emit_store_imm(g->k, 4, BPF_REG_10, STACK_SCRATCH, index);
	emit_map(g->k, BPF_REG_1, map);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(g->k, HELPER_MAP_LOOKUP);
}

/* Counts a loss and jumps to `none` if r0 is NULL, which cannot happen. */
static void gen_require(struct gen *g, int none)
{
	int found = label_new(g->k);

	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, found);
	gen_count_loss(g, LOSS_LOOKUP);
	emit_goto(g->k, none);
	label_bind(g->k, found);
}

void gen_lookup_index(struct gen *g, uint32_t map, uint32_t index)
{
	gen_lookup(g, map, index);
	gen_require(g, g->exit);
}

int gen_stack_end(const struct gen *g)
{
	int temps = 1; /* the second word of filter_comm */

	for (size_t i = 0; i < g->p->slot_room; i++) {
		int own = g->p->plan.temps + g->p->slots[i].plan.temps;

		temps = own > temps ? own : temps;
	}
	return STACK_TEMPS - 8 * temps;
}

static bool works_on_stack(const struct expr_program *p)
{
	const struct plan *plan = &p->plan;

	for (size_t i = 0; i < p->slot_count; i++)
		if (p->slots[i].store.kind == STORE_FLOW || p->slots[i].store.kind == STORE_PACKET)
			return true;
	for (size_t i = 0; i < plan->value_count; i++) {
		if (plan->values[i].op == VREG_MATCH || plan->values[i].op == VREG_PATH ||
		    plan->values[i].op == VREG_PACKET)
			return true;
	}
	return false;
}

bool gen_loops_late(const struct gen *g)
{
	return g->target->may_goto && !works_on_stack(g->p) &&
	       g->pairs.key_at >= STACK_LATE - STACK_SIZE;
}

bool gen_record_on_stack(struct gen *g, uint32_t size)
{
	int at = gen_stack_end(g) - (int)size, end = STACK_LATE - STACK_SIZE;

	if (works_on_stack(g->p))
		end = STACK_WORK;
	if (at < end)
		return false;
	emit_address(g->k, REG_RECORD, BPF_REG_10, at);
	return true;
}

/*
 * ---- claims of per-CPU memory ----
 *
 * A program adds 1 to the word after the memory, and owns it if the result is 1. Else it
 * subtracts the 1 again and tries the next piece.
 *
 * The result must be read after the addition, because the only atomic operation of 5.10 returns
 * none. Of two programs that add at once both may see a 2: both go on. All are on one CPU, so
 * each of them runs either before or within the other.
 */

static void claim_add(struct gen *g, int reg, int size, int n)
{
	emit_move_imm(g->k, BPF_REG_1, n);
	emit_atomic_add(g->k, reg, size, BPF_REG_1, false);
}

void gen_claim(struct gen *g, uint32_t map, uint32_t first, int size, int none)
{
	int ours = label_new(g->k);

	for (unsigned i = 0; i < CLAIMS; i++) {
		gen_lookup(g, map, first + i);
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
		claim_add(g, BPF_REG_0, size, 1);
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_0, size);
		emit_jump(g->k, BPF_JEQ, BPF_REG_1, 1, ours);
		claim_add(g, BPF_REG_0, size, -1);
	}
	emit_goto(g->k, none);
	label_bind(g->k, ours);
}

void gen_unclaim(struct gen *g, int reg, int size)
{
	claim_add(g, reg, size, -1);
}

/*
 * ---- triggers: conditions that begin and end the recording, decided by the program ----
 *
 * Each has a word in the only entry of a map that all programs share.
 *
 *	begin	word set → go on; EXPR true → set it, go on; else the program ends
 *	stop	word set → the program ends; EXPR true → set it; go on
 *
 * A word is written once and only read otherwise, so it stays in every processor's cache.
 */

static void gen_word(struct gen *g)
{
	emit_map_value(
		g->k, BPF_REG_1,
		gen_map_index(g, EXPR_MAP_TRIGGER, BPF_MAP_TYPE_ARRAY, 4, 8 * EXPR_TRIGGERS, 1));
}

void gen_trigger_check(struct gen *g, const struct slot *s)
{
	gen_word(g);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_1, 8 * s->trigger);
	emit_jump(g->k, BPF_JNE, BPF_REG_1, 0,
		  s->trigger == EXPR_TRIGGER_BEGIN ? gen_labels(g, s)->done : g->exit);
}

void gen_trigger_set(struct gen *g, const struct slot *s)
{
	gen_word(g);
	emit_store_imm(g->k, 8, BPF_REG_1, 8 * s->trigger, 1);
}

int gen_reject(const struct gen *g, const struct slot *s)
{
	return s->trigger == EXPR_TRIGGER_STOP ? gen_labels(g, s)->done : g->exit;
}

/* To the verifier a negated pointer is a number. Negating it again restores the value. */
void gen_scalar(struct gen *g)
{
	emit_negate(g->k, REG_VALUE);
	emit_negate(g->k, REG_VALUE);
}
