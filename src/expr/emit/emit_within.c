/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_within.c - --in and $depth: the calls of certain functions that this thread is inside of.
 *
 * The functions of an --in are a set with a number. Programs of their own (emit_marks.c) mark
 * their calls in a hash, which has an entry for each thread that is inside of at least one.
 *
 *	entry	count++; the first: outer = frame
 *	return	frame is `outer` → delete; else count--
 *
 * The key is the address of the thread's task_struct: idle tasks share a pid, and pids of ended
 * threads are used again. The set's number is in bits that are 0 in such an address. So only the
 * thread itself changes its entry, and interrupts between two steps, which leave it as it was.
 *
 * A return may be missed: no free kretprobe, a longjmp, the end of the thread, a program that the
 * kernel did not run. No thread stays inside because of that:
 *
 *	the outermost return	stacks grow downwards: a call whose frame is not below `outer` on the same
 *				stack cannot be inside of it, and starts again (LOSS_NOT_LEFT)
 *	a user function that asks	the same; the entry is deleted
 *	another return		the return of the outermost call deletes the entry, whatever its count
 *	the thread ends		the entry identifies the thread by its start time
 *	it executes a program	the entry of a user function's set identifies the program also; a kernel
 *				function may well execute one
 *
 * The next thread with the same task_struct takes over such an entry.
 *
 * A frame is the stack pointer at a function's entry, or the address of a trampoline's arguments.
 * If one function ends with a jump to another, both have the same frame; then the first return
 * ends both. An interrupt may have a stack of its own, whose addresses say nothing about the
 * thread's.
 */
#include "expr/emit/emit_within.h"

#include <string.h>

#include "expr/emit/emit_call.h"
#include "expr/lower/lower.h"
#include "output/field/value.h"

enum {
	THREADS_MAX = 16384,
	LEFT_BYTES = 256 << 10,
	STACK_BITS = 14, /* kernel stacks have at least this size and alignment: THREAD_SIZE */
};

/*
 * ---- @in(EXPR): what the calls of --in keep for those inside of them ----
 *
 * The values are in the thread's entry, one level per call, the outermost first:
 *
 *	frame (0: no call), bits of values that could not be read, values
 *
 * After the last level there is one more frame, for a call that found all levels in use: while it
 * lasts there are no values (LOSS_TOO_DEEP). Frames get smaller from level to level, because
 * stacks grow downwards, except those of an interrupt, which may have a stack of its own:
 *
 *	entry	uses the first level that is free, or whose call cannot be around this one (its return
 *		was missed); frees those above
 *	return	frees its level and those above
 *	read	uses the last level in use whose call can be around the reader
 *
 * Only the thread and its interrupts use the entry, and an interrupt leaves the levels as they
 * were. The frame is stored last, so an interrupt that comes before finds no call there.
 */

int within_level(const struct compile *c, int i)
{
	return sizeof(struct within) + i * (LEVEL_VALUES + 8 * (int)c->in->inside.most);
}

uint32_t within_size(const struct compile *c)
{
	return c->in->inside.most ? within_level(c, WITHIN_LEVELS) + 8 : (int)sizeof(struct within);
}

/* ---- the identity of a thread ---- */

static void task_word(struct gen *g, const char *name, int to)
{
	if (!gen_task_word(g, name, BPF_REG_10, to))
		emit_store_imm(g->k, 4, BPF_REG_10, to, 0);
}

/* The words may be 0 where the kernel lacks the members. */
void within_who(struct gen *g, bool user)
{
	task_word(g, "start_time", STACK_SCRATCH);
	if (user)
		task_word(g, "self_exec_id", STACK_SCRATCH + 4);
	else
		emit_store_imm(g->k, 4, BPF_REG_10, STACK_SCRATCH + 4, 0);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_SCRATCH);
}

/* ---- the hash ---- */

void within_key(struct gen *g, unsigned set)
{
	uint32_t map = gen_map_index(g, EXPR_MAP_WITHIN, BPF_MAP_TYPE_HASH, 8, within_size(g->c),
				     THREADS_MAX);

	emit_call(g->k, HELPER_TASK);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_0, set);
	emit_store(g->k, 8, BPF_REG_10, STACK_SCRATCH, BPF_REG_0);
	emit_map(g->k, BPF_REG_1, map);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
}

void within_find(struct gen *g, unsigned set, int none)
{
	bool user = g->c->in->within.marks ? g->c->in->site.in_user :
					     g->c->in->within.user & 1u << set;

	within_key(g, set);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_move(g->k, REG_VALUE, BPF_REG_0);
	within_who(g, user);
	emit_load(g->k, 8, BPF_REG_2, REG_VALUE, WITHIN_WHO);
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
	emit_negate(g->k, dst); /* negated twice, it is a number to the verifier */
	emit_negate(g->k, dst);
}

void within_if_elsewhere(struct gen *g, int frame, int other)
{
	if (g->c->in->site.in_user)
		return;
	emit_move(g->k, BPF_REG_2, frame);
	emit_alu(g->k, BPF_XOR, BPF_REG_2, BPF_REG_1);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_2, STACK_BITS);
	emit_jump(g->k, BPF_JNE, BPF_REG_2, 0, other);
}

/* ---- programs that test for enclosing calls ---- */

/* A function of the set itself: its own call may be marked already, so it must be inside of
 * another one. */
static void if_own(struct gen *g, unsigned set)
{
	const struct expr_input *in = g->c->in;
	int inside = label_new(g->k);

	if ((!in->site.on_function && !in->site.in_user) || in->within.others & 1u << set)
		return;
	within_frame(g, BPF_REG_2, in->scope == EXPR_SCOPE_RETURN);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, WITHIN_OUTER);
	emit_jump_reg(g->k, BPF_JNE, BPF_REG_1, BPF_REG_2, inside);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, WITHIN_COUNT);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 1, g->exit);
	label_bind(g->k, inside);
}

/* Jumps to `none` and deletes the entry if a longjmp has left the outermost call: a user function that is called above
 * its frame cannot be inside of it. A frame that is further away is on another stack, as that of a signal handler. */
static void if_left(struct gen *g, unsigned set, int none)
{
	const struct expr_input *in = g->c->in;
	int inside = label_new(g->k);

	if (!in->site.in_user || !(in->within.user & 1u << set))
		return;
	within_frame(g, BPF_REG_2, in->scope == EXPR_SCOPE_RETURN);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, WITHIN_OUTER);
	emit_alu(g->k, BPF_SUB, BPF_REG_2, BPF_REG_1);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_2, 1);
	emit_jump(g->k, BPF_JGE, BPF_REG_2, LEFT_BYTES, inside);
	gen_count_loss(g, LOSS_NOT_LEFT);
	within_key(g, set);
	emit_call(g->k, HELPER_MAP_DELETE);
	emit_goto(g->k, none);
	label_bind(g->k, inside);
}

void gen_filter_within(struct gen *g)
{
	const struct expr_input *in = g->c->in;

	for (unsigned set = 1; set < 32; set++) {
		if (!(in->within.sets & 1u << set))
			continue;
		within_find(g, set, g->exit);
		if_left(g, set, g->exit);
		if_own(g, set);
	}
}

/* r1 = the count without this call, whose marking program may run before this one or after it. */
static void gen_others(struct gen *g)
{
	int marked = label_new(g->k);

	within_frame(g, BPF_REG_2, false);
	emit_load(g->k, 8, BPF_REG_3, REG_VALUE, WITHIN_LAST);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, WITHIN_COUNT);
	emit_jump_reg(g->k, BPF_JNE, BPF_REG_2, BPF_REG_3, marked);
	emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, 1);
	label_bind(g->k, marked);
}

void gen_depth(struct gen *g)
{
	const struct expr_input *in = g->c->in;
	int none = label_new(g->k), done = label_new(g->k);

	within_find(g, in->within.depth_of, none);
	if_left(g, in->within.depth_of, none);
	if (in->within.depth_own)
		gen_others(g);
	else
		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, WITHIN_COUNT);
	emit_move(g->k, REG_VALUE, BPF_REG_1);
	emit_goto(g->k, done);
	label_bind(g->k, none);
	emit_move_imm(g->k, REG_VALUE, 0);
	label_bind(g->k, done);
}

/* ---- @in(EXPR) ---- */

/* r3 = the frame of the probed function. Returns false if it cannot be compared with frames of the
 * set. */
static bool own_frame(struct gen *g, const struct slot *s, unsigned set)
{
	const struct expr_input *in = g->c->in;
	bool user = in->within.user & 1u << set;

	if (user ? !in->site.in_user : !in->site.on_function)
		return false;
	within_frame(g, BPF_REG_3, in->scope == EXPR_SCOPE_RETURN || s->at_return);
	return true;
}

/* Jumps to `next` if the call with the frame in r1 is the probed one, or has ended: its return was
 * missed. */
static void if_not_around(struct gen *g, int next)
{
	int around = label_new(g->k);

	within_if_elsewhere(g, BPF_REG_3, around);
	emit_jump_reg(g->k, BPF_JGE, BPF_REG_3, BPF_REG_1, next);
	label_bind(g->k, around);
}

void gen_inside(struct gen *g, const struct slot *s, const struct vreg *v, bool exact)
{
	const struct slot_labels *labels = gen_labels(g, s);
	unsigned set = g->c->in->inside.of->within.marks;
	int none = exact ? labels->fail : labels->exact, found = label_new(g->k);
	bool own;

	if (exact)
		gen_blame(g, FIELD_STATUS_NONE);
	within_find(g, set, none);
	own = own_frame(g, s, set);
	for (int i = WITHIN_LEVELS; i >= 0; i--) {
		int next = label_new(g->k);

		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, within_level(g->c, i) + LEVEL_FRAME);
		emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, next);
		if (own)
			if_not_around(g, next);
		if (i < WITHIN_LEVELS)
			emit_alu_imm(g->k, BPF_ADD, REG_VALUE, within_level(g->c, i));
		emit_goto(g->k, i < WITHIN_LEVELS ? found : none);
		label_bind(g->k, next);
	}
	emit_goto(g->k, none);
	label_bind(g->k, found);
	emit_load(g->k, 8, BPF_REG_1, REG_VALUE, LEVEL_UNREAD);
	emit_jump(g->k, BPF_JSET, BPF_REG_1, 1 << v->imm, none);
	emit_load(g->k, 8, REG_VALUE, REG_VALUE, LEVEL_VALUES + 8 * v->imm);
}
