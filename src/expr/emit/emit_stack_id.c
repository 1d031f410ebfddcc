/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_stack_id.c - $kstack and $ustack: the stack is kept once, in a map of its own, and the record
 * or key has only the hash by which it is found there (struct stack_id).
 *
 * The kernel's own table of stacks (bpf_get_stackid) gives up a stack whose place is taken by
 * another one: of 1000 stacks in 16384 places, that are 30. Here a stack is captured as for a
 * record, into memory of this CPU,
 *
 *	struct stack_id | struct event_stack | frames
 *
 * hashed, and looked up by its hash. So it costs a stack, six instructions a frame, and a look-up. A
 * new user stack is announced, because its process must be alive when its frames are named.
 */
#include <errno.h>

#include "expr/emit/emit_common.h"
#include "expr/emit/emit_slot.h"
#include "expr/lower/lower.h"
#include "expr/maps.h"

enum {
	AT_HASH = offsetof(struct stack_id, hash),
	AT_TGID = offsetof(struct stack_id, tgid),
	AT_EXEC = offsetof(struct stack_id, exec),
	AT_STACK = sizeof(struct stack_id),
	AT_FUNCTION = AT_STACK + (int)offsetof(struct event_stack, function),
	AT_FRAMES = AT_STACK + (int)offsetof(struct event_stack, frames),
	STACKS_MAX = 16384,	 /* different stacks … */
	STACKS_BYTES = 32 << 20, /* … but only as many as fit into this memory … */
	STACKS_LEAST = 256,
};
#define HASH_FACTOR 0x9e3779b97f4a7c15ull /* odd, with bits all over: 2^64 / the golden ratio */

/* ---- maps ---- */

static uint32_t stacks_room(const struct gen *g)
{
	uint32_t fit = STACKS_BYTES / g->p->stack_size, kinds = 0;

	for (const struct slot *s = g->p->slots; (s = slot_used(g->p, s)); s++)
		kinds += slot_is_stack(s);
	if (g->c->in->run.keys)
		return g->c->in->run.keys * kinds;
	return fit > STACKS_MAX ? STACKS_MAX : fit < STACKS_LEAST ? STACKS_LEAST : fit;
}

static uint32_t want_stacks(struct gen *g)
{
	return map_want(g->c, &(struct expr_map){ EXPR_MAP_STACKS, BPF_MAP_TYPE_HASH,
						  sizeof(struct stack_id), g->p->stack_size,
						  stacks_room(g), NULL });
}

static uint32_t want_news(struct gen *g)
{
	return map_want(g->c, &(struct expr_map){ EXPR_MAP_NEWS, BPF_MAP_TYPE_QUEUE, 0,
						  sizeof(struct stack_id), stacks_room(g), NULL });
}

/* The two programs of a call have a part each: one may preempt the other. */
static uint32_t want_stack(struct gen *g)
{
	return map_want(g->c, &(struct expr_map){ EXPR_MAP_STACK, BPF_MAP_TYPE_PERCPU_ARRAY, 4,
						  AT_STACK + g->p->stack_size,
						  2 * (g->c->in->run.siblings ?: 1), NULL });
}

/* There is always a part, but the verifier wants to know what is done without: no exit, for a record
 * may be reserved. */
static void look_up_part(struct gen *g, const struct slot *s, int none)
{
	uint32_t siblings = g->c->in->run.siblings ?: 1;

	emit_store_imm(g->k, 4, BPF_REG_10, STACK_SCRATCH,
		       g->c->in->probe_number + (s->at_return ? siblings : 0));
	emit_map(g->k, BPF_REG_1, want_stack(g));
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_move(g->k, REG_VALUE, BPF_REG_0);
}

/* ---- the stack ---- */

/* The size of the frames, or an error, stays in r0. */
static void capture(struct gen *g, bool user)
{
	int which = user ? STACK_USER : STACK_KERNEL;

	gen_stack_function(g, which, REG_VALUE, AT_FUNCTION);
	gen_stack_frames(g, which, REG_VALUE, AT_FRAMES);
	emit_store(g->k, 8, REG_VALUE, AT_STACK, BPF_REG_0);
}

/* r0 = hash of the function and as many bytes of frames as r0 says. No step loses anything but the last,
 * which loses a bit. */
static void hash(struct gen *g)
{
	int again = label_new(g->k);

	emit_address(g->k, BPF_REG_3, BPF_REG_0, sizeof(uint64_t)); /* bytes */
	emit_imm64(g->k, BPF_REG_1, HASH_FACTOR);
	emit_move_imm(g->k, BPF_REG_2, 0);
	emit_address(g->k, BPF_REG_4, REG_VALUE, AT_FUNCTION);
	label_place(g->k, again);
	emit_load(g->k, 8, BPF_REG_5, BPF_REG_4, 0);
	emit_alu(g->k, BPF_XOR, BPF_REG_0, BPF_REG_5);
	emit_alu(g->k, BPF_MUL, BPF_REG_0, BPF_REG_1);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_4, sizeof(uint64_t));
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_2, sizeof(uint64_t));
	/* the verifier follows the constant */
	emit_jump_reg(g->k, BPF_JGT, BPF_REG_3, BPF_REG_2, again);
	emit_alu_imm(g->k, BPF_OR, BPF_REG_0, STACK_NONE);
	emit_store(g->k, 8, REG_VALUE, AT_HASH, BPF_REG_0);
}

static void set_process(struct gen *g, bool user)
{
	emit_store_imm(g->k, 8, REG_VALUE, AT_TGID, 0);
	if (!user)
		return;
	if (g->numbered) {
		gen_number(g, BPF_REG_0, false);
	} else {
		emit_call(g->k, HELPER_PID_TGID);
		emit_alu_imm(g->k, BPF_RSH, BPF_REG_0, 32);
	}
	emit_store(g->k, 4, REG_VALUE, AT_TGID, BPF_REG_0);
	gen_task_word(g, "self_exec_id", REG_VALUE, AT_EXEC);
}

/* ---- the map ---- */

static void announce(struct gen *g)
{
	emit_map(g->k, BPF_REG_1, want_news(g));
	emit_move(g->k, BPF_REG_2, REG_VALUE);
	emit_move_imm(g->k, BPF_REG_3, 0);
	emit_call(g->k, HELPER_MAP_PUSH);
}

/* Adds the stack, unless it is there; another CPU may do the same. */
static void keep(struct gen *g, bool user, int kept)
{
	int lost = label_new(g->k);

	emit_map(g->k, BPF_REG_1, want_stacks(g));
	emit_move(g->k, BPF_REG_2, REG_VALUE);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, kept);
	emit_map(g->k, BPF_REG_1, want_stacks(g));
	emit_move(g->k, BPF_REG_2, REG_VALUE);
	emit_address(g->k, BPF_REG_3, REG_VALUE, AT_STACK);
	emit_move_imm(g->k, BPF_REG_4, BPF_NOEXIST);
	emit_call(g->k, HELPER_MAP_UPDATE);
	emit_jump32(g->k, BPF_JEQ, BPF_REG_0, -EEXIST, kept);
	emit_jump32(g->k, BPF_JNE, BPF_REG_0, 0, lost);
	if (user)
		announce(g);
	emit_goto(g->k, kept);
	label_place(g->k, lost);
	gen_count_loss(g, LOSS_STACKS_FULL);
	emit_store_imm(g->k, 8, REG_VALUE, AT_HASH, STACK_LOST);
}

static void store(struct gen *g, const struct slot *s)
{
	for (uint32_t at = 0; at < s->size; at += sizeof(uint64_t)) {
		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, at);
		emit_store(g->k, 8, REG_RECORD, s->offset + at, BPF_REG_1);
	}
}

void gen_stack_id(struct gen *g, const struct slot *s)
{
	bool user = s->field_type == FIELD_USER_STACK;
	int captured = label_new(g->k), kept = label_new(g->k), done = label_new(g->k);

	emit_zero(g->k, REG_RECORD, s->offset, s->room);
	look_up_part(g, s, done);
	set_process(g, user);
	capture(g, user);
	emit_jump(g->k, BPF_JSGE, BPF_REG_0, 0, captured);
	emit_store_imm(g->k, 8, REG_VALUE, AT_HASH, STACK_FAULT);
	gen_count_loss(g, LOSS_FAULT);
	emit_goto(g->k, kept);
	label_place(g->k, captured);
	hash(g);
	keep(g, user, kept);
	label_place(g->k, kept);
	store(g, s);
	label_place(g->k, done);
}
