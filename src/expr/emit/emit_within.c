/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_within.c - is this thread inside of a call of certain functions (--in), and of how many ($depth)?
 *
 * The functions of an --in are a set with a number. Programs of their own mark their calls, in a hash:
 * an entry for each thread that is inside of at least one.
 *
 *	entry	count++; the first: outer = frame		return	frame is `outer` → delete; else count--
 *
 * The key is the address of the thread's task_struct, for idle tasks share a number, and those of
 * ended threads are used again; the set's number is in bits that are 0 in such an address. So only the
 * thread itself changes its entry, and interrupts that come between two steps: these leave it as it was.
 *
 * A return may be missed: no free kretprobe, a longjmp, the end of the thread, a program that the
 * kernel did not run. Nobody stays inside for that:
 *
 *	the outermost one's	stacks grow downwards: a call whose frame is not below `outer` on the same
 *				stack cannot be inside of it, and begins anew (LOSS_NOT_LEFT)
 *	another's		the return of the outermost one deletes the entry, whatever the count is
 *	the thread ends		the entry says which thread it was: by its time of start
 *	it executes a program	a user function's set has that in the entry, too; a kernel function may
 *				well execute one
 *
 * What such threads leave behind is taken over by the next one whose task_struct is there.
 *
 * A frame is the stack pointer at a function's entry, or where a trampoline has the arguments. Of two
 * functions of which one ends with a jump to the other both have the same; then the first return ends
 * both. An interrupt may have a stack of its own, whose addresses say nothing about the thread's.
 */
#include "expr/emit/emit_within.h"

#include <string.h>

#include "expr/emit/emit_call.h"
#include "expr/emit/emit_common.h"
#include "expr/lower/lower.h"
#include "expr/compile.h"

enum {
	OUTER = offsetof(struct within, outer),
	LAST = offsetof(struct within, last),
	COUNT = offsetof(struct within, count),
	WHO = offsetof(struct within, started),
	THREADS_MAX = 16384,
	STACK_BITS = 14, /* kernel stacks are at least that large, and aligned: THREAD_SIZE */
};

/* ---- who ---- */

static void task_word(struct gen *g, const char *name, int to)
{
	if (!gen_task_word(g, name, BPF_REG_10, to))
		emit_store_imm(g->k, 4, BPF_REG_10, to, 0);
}

/* r1 = the two words of struct within. */
static void gen_who(struct gen *g, bool user)
{
	task_word(g, "start_time", STACK_SCRATCH);
	if (user)
		task_word(g, "self_exec_id", STACK_SCRATCH + 4);
	else
		emit_store_imm(g->k, 4, BPF_REG_10, STACK_SCRATCH + 4, 0);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
}

/* ---- the hash ---- */

/* r0 = a helper of the hash, for this thread's key. */
static void hash_call(struct gen *g, unsigned set, int helper)
{
	uint32_t map = map_want(g->c, &(struct expr_map){ EXPR_MAP_WITHIN, BPF_MAP_TYPE_HASH, 8,
							  within_size(g->c), THREADS_MAX, NULL });

	emit_call(g->k, HELPER_TASK);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, set);
	emit_store(g->k, 8, BPF_REG_10, STACK_SCRATCH, BPF_REG_0);
	emit_map(g->k, BPF_REG_1, map);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	if (helper == HELPER_MAP_UPDATE) {
		emit_address(g->k, BPF_REG_3, BPF_REG_10, within_new_at(g));
		emit_move_imm(g->k, BPF_REG_4, BPF_ANY);
	}
	emit_call(g->k, helper);
}

void within_find(struct gen *g, unsigned set, int none)
{
	bool user = g->c->in->marks ? g->c->in->in_user : g->c->in->within_user & 1u << set;

	hash_call(g, set, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_move(g->k, REG_VALUE, BPF_REG_0);
	gen_who(g, user);
	emit_load(g->k, 8, BPF_REG_2, REG_VALUE, WHO);
	emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, none);
}

/* ---- frames ---- */

void within_frame(struct gen *g, int dst, bool at_return)
{
	if (call_by_kprobe(g)) {
		emit_load(g->k, 8, dst, REG_CTX, arch_offset(target_arch(g->target)->sp));
		if (at_return && call_frame_at_return(g))
			emit_alu_imm(g->k, BPF_SUB, dst, call_popped(g));
		return;
	}
	emit_move(g->k, dst, REG_CTX);
	emit_negate(g->k, dst); /* twice, and the verifier takes it for a number */
	emit_negate(g->k, dst);
}

void within_if_elsewhere(struct gen *g, int frame, int other)
{
	if (g->c->in->in_user)
		return;
	emit_move(g->k, BPF_REG_2, frame);
	emit_alu(g->k, BPF_XOR, BPF_REG_2, BPF_REG_1);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_2, STACK_BITS);
	emit_jump(g->k, BPF_JNE, BPF_REG_2, 0, other);
}

/* Is a frame one call's alone? A kprobe's may be that of two functions, if there are several. */
static bool is_exact(const struct gen *g)
{
	return !call_by_kprobe(g) || g->c->in->point >= 0 || !g->c->in->run.points;
}

/* ---- the programs that mark ---- */

static void begin_anew(struct gen *g, int base, int at)
{
	emit_store(g->k, 8, base, at + OUTER, REG_FRAME);
	emit_store(g->k, 8, base, at + LAST, REG_FRAME);
	emit_store_imm(g->k, 8, base, at + COUNT, 1);
}

static void entry_first(struct gen *g)
{
	int added = label_new(g->k), at = within_new_at(g);

	gen_who(g, g->c->in->in_user);
	emit_store(g->k, 8, BPF_REG_10, at + WHO, BPF_REG_1);
	begin_anew(g, BPF_REG_10, at);
	inside_keep_first(g);
	hash_call(g, g->c->in->marks, HELPER_MAP_UPDATE);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, added);
	gen_count_loss(g, LOSS_MAP_FULL);
	label_place(g->k, added);
	gen_return(g, 0);
}

static void entry_inner(struct gen *g)
{
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, COUNT);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, 1);
	emit_store(g->k, 8, REG_VALUE, COUNT, BPF_REG_1);
	emit_store(g->k, 8, REG_VALUE, LAST, REG_FRAME);
	inside_keep(g);
	gen_return(g, 0);
}

/* What was the outermost one has been left without a return. */
static void entry_stale(struct gen *g)
{
	int anew = label_new(g->k);

	if (!is_exact(g))
		emit_jump_reg(g->k, BPF_JEQ, REG_FRAME, BPF_REG_1, anew);
	gen_count_loss(g, LOSS_NOT_LEFT);
	label_place(g->k, anew);
	begin_anew(g, REG_VALUE, 0);
	inside_keep_anew(g);
	gen_return(g, 0);
}

static void entry_side(struct gen *g)
{
	int first = label_new(g->k), inner = label_new(g->k), stale = label_new(g->k);

	g->exit = g->foreign = label_new(g->k);
	gen_filters(g);
	inside_values(g);
	within_frame(g, REG_FRAME, false);
	if (g->c->in->session) {
		gen_cookie(g);
		emit_store(g->k, 8, BPF_REG_0, 0, REG_FRAME);
	}
	within_find(g, g->c->in->marks, first);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, OUTER);
	within_if_elsewhere(g, REG_FRAME, inner);
	emit_jump_reg(g->k, BPF_JGE, REG_FRAME, BPF_REG_1, stale);
	label_place(g->k, inner);
	entry_inner(g);
	label_place(g->k, stale);
	entry_stale(g);
	label_place(g->k, first);
	entry_first(g);
	label_place(g->k, g->exit); /* a kprobe session leaves out the return for a 1 */
	gen_return(g, g->c->in->session && call_by_kprobe(g));
	inside_values_exact(g);
}

static void return_frame(struct gen *g)
{
	if (g->c->in->session) { /* the entry handed it over */
		gen_cookie(g);
		emit_load(g->k, 8, REG_FRAME, BPF_REG_0, 0);
		emit_jump(g->k, BPF_JEQ, REG_FRAME, 0, g->exit);
	} else {
		gen_task(g);
		gen_filter_task(g);
		within_frame(g, REG_FRAME, true);
	}
}

static void return_unknown(struct gen *g)
{
	const struct event_filter *f = &g->c->in->run.filter;

	g->c->p->counts_no_entry = is_exact(g) && !g->c->in->session && !f->follow;
	if (g->c->p->counts_no_entry)
		gen_count_loss(g, LOSS_NO_ENTRY);
}

static void return_side(struct gen *g)
{
	int none = label_new(g->k), inner = label_new(g->k), over = label_new(g->k);

	g->exit = g->foreign = label_new(g->k);
	return_frame(g);
	within_find(g, g->c->in->marks, none);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, OUTER);
	emit_jump_reg(g->k, BPF_JEQ, REG_FRAME, BPF_REG_1, over);
	within_if_elsewhere(g, REG_FRAME, inner);
	emit_jump_reg(g->k, BPF_JGT, BPF_REG_1, REG_FRAME, inner);
	gen_count_loss(g, LOSS_NOT_LEFT);
	label_place(g->k, over);
	hash_call(g, g->c->in->marks, HELPER_MAP_DELETE);
	emit_goto(g->k, g->exit);
	label_place(g->k, inner);
	inside_leave(g);
	emit_store_imm(g->k, 8, REG_VALUE, LAST, 0);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, COUNT);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 1, g->exit);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, 1);
	emit_store(g->k, 8, REG_VALUE, COUNT, BPF_REG_1);
	emit_goto(g->k, g->exit);
	label_place(g->k, none);
	return_unknown(g);
	label_place(g->k, g->exit);
	gen_return(g, 0);
}

void gen_marks(struct gen *g)
{
	if (g->c->in->session) {
		gen_session(g, entry_side, return_side);
		return;
	}
	entry_side(g);
	g->k = &g->c->p->return_code;
	gen_begin(g, true);
	return_side(g);
}

/* ---- those that ask ---- */

/* A function that is in the set itself: is it inside of another call than its own, which may be marked
 * already? */
static void if_own(struct gen *g, unsigned set)
{
	const struct expr_input *in = g->c->in;
	int inside = label_new(g->k);

	if ((!in->on_function && !in->in_user) || in->within_others & 1u << set)
		return;
	within_frame(g, BPF_REG_2, in->scope == EXPR_SCOPE_RETURN);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, OUTER);
	emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, inside);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, COUNT);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 1, g->exit);
	label_place(g->k, inside);
}

void gen_filter_within(struct gen *g)
{
	const struct expr_input *in = g->c->in;

	for (unsigned set = 1; set < 32; set++) {
		if (!(in->within & 1u << set))
			continue;
		within_find(g, set, g->exit);
		if_own(g, set);
	}
}

/* The program that marks this call may have run before this one, or will. */
static void gen_others(struct gen *g)
{
	int marked = label_new(g->k);

	within_frame(g, BPF_REG_2, false);
	emit_load(g->k, 8, BPF_REG_3, REG_VALUE, LAST);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, COUNT);
	emit_jump_reg(g->k, BPF_JNE, BPF_REG_2, BPF_REG_3, marked);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, 1);
	label_place(g->k, marked);
}

void gen_depth(struct gen *g)
{
	const struct expr_input *in = g->c->in;
	int none = label_new(g->k), done = label_new(g->k);

	within_find(g, in->depth_of, none);
	if (in->depth_own)
		gen_others(g);
	else
		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, COUNT);
	emit_move(g->k, REG_VALUE, BPF_REG_1);
	emit_goto(g->k, done);
	label_place(g->k, none);
	emit_move_imm(g->k, REG_VALUE, 0);
	label_place(g->k, done);
}
