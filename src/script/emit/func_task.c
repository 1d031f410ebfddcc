/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_task.c - emits builtins about the current task, the processor and time.
 */
#include <string.h>

#include "script/emit/func.h"

/* ---- the task ---- */

void id_gen(struct sgen *g, struct script_expr *e, bool is_thread)
{
	if (g->in->run.filter.numbers.ns && e->value != 1) {
		g->needs.numbers = true;
		emit_load(g->k, 4, BPF_REG_0, g->frame, FRAME_NUMBERS + (is_thread ? 4 : 0));
		return;
	}
	if (gen_task_find(&g->x)) {
		emit_call(g->k, HELPER_TASK_BTF);
		emit_load(g->k, 4, BPF_REG_0, BPF_REG_0,
			  is_thread ? g->x.task.pid : g->x.task.tgid);
		return;
	}
	emit_call(g->k, HELPER_PID_TGID);
	if (is_thread)
		emit_move32(g->k, BPF_REG_0, BPF_REG_0);
	else
		emit_alu_imm(g->k, BPF_RSH, BPF_REG_0, 32);
}

void pid_gen(struct sgen *g, struct script_expr *e)
{
	id_gen(g, e, false);
}

void tid_gen(struct sgen *g, struct script_expr *e)
{
	id_gen(g, e, true);
}

void uid_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_call(g->k, HELPER_UID_GID);
	emit_move32(g->k, BPF_REG_0, BPF_REG_0);
}

void gid_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_call(g->k, HELPER_UID_GID);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_0, 32);
}

void task_gen(struct sgen *g, struct script_expr *e)
{
	uint32_t pointee;

	emit_call(g->k, param_is_known(g, e, &pointee) ? HELPER_TASK_BTF : HELPER_TASK);
}

/* r0 = the task: the current one, or the first argument */
static void task_of(struct sgen *g, struct script_expr *e)
{
	if (e->count)
		number_gen(g, e->items[0]);
	else
		emit_call(g->k, HELPER_TASK);
}

static int task_offset(struct sgen *g, const struct script_expr *e, const char *name)
{
	int at = gen_task_offset(&g->x, name);

	if (at < 0)
		script_fail(g->c, e->span, "this kernel's struct task_struct has no member %s",
			    name);
	return at < 0 ? 0 : at;
}

/* r0 = the pointer at r0 + off */
static void follow(struct sgen *g, int off, uint32_t size)
{
	struct mark m = frame_mark(g);
	struct place to = place_alloc_small(g, 8);

	emit_address(g->k, BPF_REG_3, BPF_REG_0, off);
	read_gen(g, to, size, false);
	place_load(g, size, BPF_REG_0, to);
	frame_drop(g, m);
}

void ppid_gen(struct sgen *g, struct script_expr *e)
{
	task_of(g, e);
	follow(g, task_offset(g, e, "real_parent"), 8);
	follow(g, task_offset(g, e, "tgid"), 4);
}

static void comm_of(struct sgen *g, struct script_expr *e, struct place to)
{
	emit_address(g->k, BPF_REG_3, BPF_REG_0, task_offset(g, e, "comm"));
	text_read(g, to, EVENT_COMM_LEN, false, true);
}

/* comm(PID) of an unknown process is N/A, as in bpftrace. */
static void comm_by_pid(struct sgen *g, struct script_expr *e, struct place to)
{
	int none = label_new(g->k), end = label_new(g->k);

	task_find_gen(g, e);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	comm_of(g, e, to);
	emit_goto(g->k, end);
	label_bind(g->k, none);
	place_zero(g, to, EVENT_COMM_LEN);
	place_store_imm(g, 4, to, 'N' | '/' << 8 | 'A' << 16);
	label_bind(g->k, end);
}

enum { WORD = 8 };
_Static_assert(EVENT_COMM_LEN == 2 * WORD, "comm has two words");

/* r1 = a word of the name of the task at r0 */
static void comm_word(struct sgen *g, int word)
{
	emit_load(g->k, WORD, BPF_REG_1, BPF_REG_0, g->x.task.comm + word * WORD);
}

/* r2 = 0x80 in the first zero byte of r1, with undefined higher bytes; 0 if no byte is zero */
static void zero_find(struct sgen *g)
{
	emit_imm64(g->k, BPF_REG_3, 0x0101010101010101);
	emit_move(g->k, BPF_REG_2, BPF_REG_1);
	emit_alu(g->k, BPF_SUB, BPF_REG_2, BPF_REG_3);
	emit_move(g->k, BPF_REG_3, BPF_REG_1);
	emit_alu_imm(g->k, BPF_XOR, BPF_REG_3, -1);
	emit_alu(g->k, BPF_AND, BPF_REG_2, BPF_REG_3);
	emit_imm64(g->k, BPF_REG_3, 0x8080808080808080);
	emit_alu(g->k, BPF_AND, BPF_REG_2, BPF_REG_3);
}

/* Clears the bytes of r1 after the first zero byte. */
static void tail_clear(struct sgen *g)
{
	emit_move(g->k, BPF_REG_3, BPF_REG_2);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_3, -1);
	emit_alu(g->k, BPF_XOR, BPF_REG_3, BPF_REG_2);
	emit_alu(g->k, BPF_AND, BPF_REG_1, BPF_REG_3);
}

/* Stores r1; may shift it. The verifier requires aligned stores on the stack. */
static void word_store(struct sgen *g, struct place to)
{
	if (to.off % WORD == 0) {
		place_store(g, WORD, to, BPF_REG_1);
		return;
	}
	place_store(g, WORD / 2, to, BPF_REG_1);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_1, 8 * WORD / 2);
	place_store(g, WORD / 2, place_plus(to, WORD / 2), BPF_REG_1);
}

/* Clears bytes after the NUL: older kernels leave bytes of earlier names there. */
static void comm_clean(struct sgen *g, struct place to)
{
	int is_long = label_new(g->k), end = label_new(g->k);

	comm_word(g, 0);
	zero_find(g);
	emit_jump(g->k, BPF_JEQ, BPF_REG_2, 0, is_long);
	tail_clear(g);
	word_store(g, to);
	place_zero(g, place_plus(to, WORD), WORD);
	emit_goto(g->k, end);
	label_bind(g->k, is_long);
	word_store(g, to);
	comm_word(g, 1);
	zero_find(g);
	tail_clear(g);
	word_store(g, place_plus(to, WORD));
	label_bind(g->k, end);
}

/* Copies the name of the current task. In a record the bytes after the NUL do not matter. */
static void comm_typed(struct sgen *g, struct place to)
{
	emit_call(g->k, HELPER_TASK_BTF);
	if (to.where != AT_RECORD) {
		comm_clean(g, to);
		return;
	}
	for (int i = 0; i < EVENT_COMM_LEN / WORD; i++) {
		comm_word(g, i);
		word_store(g, place_plus(to, i * WORD));
	}
}

static bool comm_is_typed(struct sgen *g, struct place to)
{
	return to.off % (WORD / 2) == 0 && gen_task_find(&g->x);
}

bool comm_compare(struct sgen *g, const struct script_expr *a, const struct script_expr *literal,
		  int other)
{
	uint32_t left = literal->length + 1, size;
	uint64_t word;

	if ((a->kind != X_WORD && a->kind != X_CALL) || a->func != FUNC_COMM || a->count ||
	    left > EVENT_COMM_LEN || !gen_task_find(&g->x))
		return false;
	emit_call(g->k, HELPER_TASK_BTF);
	for (int i = 0; left; i++, left -= size) {
		size = left < WORD ? left : WORD;
		word = 0;
		memcpy(&word, literal->bytes + i * WORD, size); /* with the NUL */
		comm_word(g, i);
		if (size < WORD)
			emit_alu_imm(g->k, BPF_LSH, BPF_REG_1, 8 * (WORD - size));
		emit_imm64(g->k, BPF_REG_2, word << 8 * (WORD - size));
		emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, other);
	}
	return true;
}

static void comm_into(struct sgen *g, struct script_expr *e, struct place to)
{
	if (e->func == FUNC_COMM && e->count) {
		comm_by_pid(g, e, to);
		return;
	}
	if (e->func == FUNC_PCOMM || e->count) {
		task_of(g, e);
		if (e->func == FUNC_PCOMM)
			follow(g, task_offset(g, e, "real_parent"), 8);
		comm_of(g, e, to);
		return;
	}
	if (comm_is_typed(g, to)) {
		comm_typed(g, to);
		return;
	}
	place_address(g, BPF_REG_1, to);
	emit_move_imm(g->k, BPF_REG_2, EVENT_COMM_LEN);
	emit_call(g->k, HELPER_COMM);
}

void comm_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
	      struct place to, bool is_key)
{
	struct place own;

	if (want->size == EVENT_COMM_LEN) {
		comm_into(g, e, to);
		return;
	}
	own = place_alloc(g, EVENT_COMM_LEN);
	comm_into(g, e, own);
	text_copy(g, to, want->size, own, EVENT_COMM_LEN, is_key);
}

void username_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		  struct place to, bool is_key)
{
	(void)want;
	(void)is_key;
	uid_gen(g, e);
	place_store(g, 4, to, BPF_REG_0);
}

/* ---- processor, time ---- */

void cpu_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_call(g->k, HELPER_CPU);
}

void node_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_call(g->k, HELPER_NUMA_NODE);
}

void cpus_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_move_imm(g->k, BPF_REG_0, g->c->world->cpus);
}

void cgroup_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_call(g->k, HELPER_CGROUP);
}

void nsecs_gen(struct sgen *g, struct script_expr *e)
{
	const struct script_world *w = g->c->world;

	if (e->value == SCRIPT_CLOCK_TAI)
		emit_call(g->k, HELPER_KTIME_TAI);
	else if (e->value == SCRIPT_CLOCK_MONOTONIC || !w->has_boot_clock)
		emit_call(g->k, HELPER_KTIME);
	else
		emit_call(g->k, HELPER_KTIME_BOOT);
	if (e->value != SCRIPT_CLOCK_SW_TAI)
		return;
	emit_imm64(g->k, BPF_REG_1, w->tai_offset);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
}

void elapsed_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_call(g->k, g->c->world->has_boot_clock ? HELPER_KTIME_BOOT : HELPER_KTIME);
	emit_imm64(g->k, BPF_REG_1, g->c->world->boot_time);
	emit_alu(g->k, BPF_SUB, BPF_REG_0, BPF_REG_1);
}

void jiffies_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_call(g->k, HELPER_JIFFIES);
}

void rand_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_call(g->k, HELPER_RANDOM);
	emit_move32(g->k, BPF_REG_0, BPF_REG_0);
}
