/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_stack_id.c - $kstack, $ustack: a map holds each stack once, and the record or key its hash (struct stack_id).
 *
 * The kernel's own table of stacks (bpf_get_stackid) drops a stack whose place is taken by
 * another one: of 1000 stacks in 16384 places, 30 are lost. So a stack is captured as for a
 * record, into memory of this CPU,
 *
 *	struct stack_id | struct event_stack | frames
 *
 * hashed, and looked up by its hash. That costs a stack, six instructions a frame, and a lookup.
 * A new user stack is announced, because its process must be alive when its frames are named.
 *
 * With --dwarf only user space can tell which stack it is: each one gets a number as its hash, and is announced with
 * its registers and a copy (struct stack_id, struct event_user_copy). Reader and keys then exchange the number for
 * the hash of the frames (probe/copies.c).
 */
#include "expr/emit/emit_slot.h"
#include "expr/layout/layout.h"

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
	COPIES_BYTES = 16 << 20, /* of copies that wait for the reader */
};
#define HASH_FACTOR 0x9e3779b97f4a7c15ull /* 2^64 / the golden ratio: odd, with bits everywhere */

/* ---- maps ---- */

static uint32_t stacks_room(const struct gen *g)
{
	uint32_t fit = STACKS_BYTES / g->p->stacks.size, kinds = 0;

	for (const struct slot *s = g->p->slots; (s = slot_used(g->p, s)); s++)
		kinds += slot_is_stack(s);
	kinds = kinds ?: 1; /* of a script */
	if (g->c->in->run.keys)
		return g->c->in->run.keys * kinds;
	return fit > STACKS_MAX ? STACKS_MAX : fit < STACKS_LEAST ? STACKS_LEAST : fit;
}

uint32_t gen_stacks_map(struct gen *g)
{
	return gen_map_index(g, EXPR_MAP_STACKS, BPF_MAP_TYPE_HASH, sizeof(struct stack_id),
			     g->p->stacks.size, stacks_room(g));
}

/* Returns the bytes that are captured, without the struct stack_id before them. */
static uint32_t captured_size(const struct gen *g)
{
	return g->p->stacks.copy_size ? stacks_copy_room(g->p) : g->p->stacks.size;
}

static uint32_t news_map(struct gen *g)
{
	uint32_t size = AT_STACK + captured_size(g);

	if (g->p->stacks.copy_size)
		return gen_map_index(g, EXPR_MAP_NEWS, BPF_MAP_TYPE_QUEUE, 0, size,
				     COPIES_BYTES / size);
	return gen_map_index(g, EXPR_MAP_NEWS, BPF_MAP_TYPE_QUEUE, 0, sizeof(struct stack_id),
			     stacks_room(g));
}

/* The two programs of a call have one entry each: one may preempt the other. */
static uint32_t stack_map(struct gen *g)
{
	return gen_map_index(g, EXPR_MAP_STACK, BPF_MAP_TYPE_PERCPU_ARRAY, 4,
			     AT_STACK + captured_size(g), 2 * (g->c->in->run.siblings ?: 1));
}

/* The entry always exists, but the verifier requires a check. Not by exit: a record may be
 * reserved. */
static void lookup_part(struct gen *g, const struct slot *s, int none)
{
	uint32_t siblings = g->c->in->run.siblings ?: 1;

	emit_store_imm(g->k, 4, BPF_REG_10, STACK_SCRATCH,
		       g->c->in->probe_number + (s->at_return ? siblings : 0));
	emit_map(g->k, BPF_REG_1, stack_map(g));
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_SCRATCH);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_move(g->k, REG_VALUE, BPF_REG_0);
}

/* ---- the stack ---- */

/* Captures the stack. r0 = the size of the frames, or an error. */
static void capture(struct gen *g, const struct stack_room *room)
{
	int which = room->user ? STACK_USER : STACK_KERNEL;

	if (room->by_ip) {
		emit_load(g->k, 8, BPF_REG_1, REG_CTX, arch_offset(target_arch(g->target)->ip));
		emit_store(g->k, 8, room->reg, room->off + AT_FUNCTION, BPF_REG_1);
	} else {
		gen_stack_function(g, which, room->reg, room->off + AT_FUNCTION);
	}
	gen_stack_frames(g, which, room->reg, room->off + AT_FRAMES, room->size);
	emit_store(g->k, 8, room->reg, room->off + AT_STACK, BPF_REG_0);
}

enum { HASH_UNROLLED = 64 }; /* bytes of frames */

static void hash_word(struct gen *g, int base, int off)
{
	emit_load(g->k, 8, BPF_REG_5, base, off);
	emit_alu(g->k, BPF_XOR, BPF_REG_0, BPF_REG_5);
	emit_alu(g->k, BPF_MUL, BPF_REG_0, BPF_REG_1);
}

/* The same as hash_loop. */
static void hash_unrolled(struct gen *g, const struct stack_room *room)
{
	int end = label_new(g->k);

	emit_move(g->k, BPF_REG_3, BPF_REG_0);
	emit_imm64(g->k, BPF_REG_1, HASH_FACTOR);
	hash_word(g, room->reg, room->off + AT_FUNCTION);
	for (uint32_t at = 0; at < room->size; at += sizeof(uint64_t)) {
		emit_jump(g->k, BPF_JLE, BPF_REG_3, at, end);
		hash_word(g, room->reg, room->off + AT_FRAMES + at);
	}
	label_bind(g->k, end);
}

static void hash_loop(struct gen *g, const struct stack_room *room)
{
	int again = label_new(g->k);

	emit_address(g->k, BPF_REG_3, BPF_REG_0, sizeof(uint64_t)); /* bytes */
	emit_imm64(g->k, BPF_REG_1, HASH_FACTOR);
	emit_move_imm(g->k, BPF_REG_2, 0);
	emit_address(g->k, BPF_REG_4, room->reg, room->off + AT_FUNCTION);
	label_bind(g->k, again);
	hash_word(g, BPF_REG_4, 0);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_4, sizeof(uint64_t));
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_2, sizeof(uint64_t));
	/* the verifier follows a constant */
	emit_jump_reg(g->k, BPF_JGT, BPF_REG_3, BPF_REG_2, again);
}

/* r0 = the hash of the function and of r0 bytes of frames. Only the last step loses information:
 * one bit. */
static void hash(struct gen *g, const struct stack_room *room)
{
	if (room->size <= HASH_UNROLLED)
		hash_unrolled(g, room);
	else
		hash_loop(g, room);
	emit_alu_imm(g->k, BPF_OR, BPF_REG_0, STACK_NONE);
	emit_store(g->k, 8, room->reg, room->off + AT_HASH, BPF_REG_0);
}

/* r4 = the first frame that does not belong to the tracing itself, r5 = the bytes before it: the probed function
 * comes first. */
static void skip_tracing(struct gen *g, const struct stack_room *room)
{
	/* bytes from the start of the function to the interrupted instruction */
	enum { FUNCTION_MOST = 4096 };
	int found = label_new(g->k);

	emit_load(g->k, 8, BPF_REG_1, room->reg, room->off + AT_FUNCTION);
	for (unsigned i = 0; i < STACK_TRACING; i++) {
		emit_move_imm(g->k, BPF_REG_5, 8 * i);
		emit_load(g->k, 8, BPF_REG_2, room->reg, room->off + AT_FRAMES + 8 * i);
		emit_alu(g->k, BPF_SUB, BPF_REG_2, BPF_REG_1);
		emit_jump(g->k, BPF_JLE, BPF_REG_2, FUNCTION_MOST, found);
	}
	emit_move_imm(g->k, BPF_REG_5, 0);
	label_bind(g->k, found);
	emit_address(g->k, BPF_REG_4, room->reg, room->off + AT_FRAMES);
	emit_alu(g->k, BPF_ADD, BPF_REG_4, BPF_REG_5);
}

/* r0 = the hash of the printed frames among r0 captured bytes. Those of the tracing itself differ by program. */
static void hash_shown(struct gen *g, const struct stack_room *room)
{
	int again = label_new(g->k), fits = label_new(g->k), end = label_new(g->k);

	skip_tracing(g, room);
	emit_move(g->k, BPF_REG_3, BPF_REG_0); /* bytes */
	emit_alu(g->k, BPF_SUB, BPF_REG_3, BPF_REG_5);
	emit_jump(g->k, BPF_JSLE, BPF_REG_3, room->shown, fits);
	emit_move_imm(g->k, BPF_REG_3, room->shown);
	label_bind(g->k, fits);
	emit_store(g->k, 4, room->reg,
		   room->off + AT_STACK + (int)offsetof(struct event_stack, skip), BPF_REG_5);
	emit_alu(g->k, BPF_ADD, BPF_REG_5, BPF_REG_3);
	emit_store(g->k, 4, room->reg, room->off + AT_STACK, BPF_REG_5);
	emit_imm64(g->k, BPF_REG_1, HASH_FACTOR);
	emit_move_imm(g->k, BPF_REG_2, 0);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, again);
	emit_jump_reg(g->k, BPF_JSGE, BPF_REG_2, BPF_REG_3, end);
	hash_word(g, BPF_REG_4, 0);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_4, sizeof(uint64_t));
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_2, sizeof(uint64_t));
	emit_jump(g->k, BPF_JLT, BPF_REG_2, room->shown, again);
	label_bind(g->k, end);
	emit_alu_imm(g->k, BPF_OR, BPF_REG_0, STACK_NONE);
	emit_store(g->k, 8, room->reg, room->off + AT_HASH, BPF_REG_0);
}

static void set_process(struct gen *g, const struct stack_room *room)
{
	emit_store_imm(g->k, 8, room->reg, room->off + AT_TGID, 0);
	if (!room->user)
		return;
	if (g->numbered) {
		gen_number(g, BPF_REG_0, false);
	} else {
		emit_call(g->k, HELPER_PID_TGID);
		emit_alu_imm(g->k, BPF_RSH, BPF_REG_0, 32);
	}
	emit_store(g->k, 4, room->reg, room->off + AT_TGID, BPF_REG_0);
	gen_task_word(g, "self_exec_id", room->reg, room->off + AT_EXEC);
}

/* ---- the map ---- */

static void announce(struct gen *g, const struct stack_room *room)
{
	emit_map(g->k, BPF_REG_1, news_map(g));
	emit_address(g->k, BPF_REG_2, room->reg, room->off);
	emit_move_imm(g->k, BPF_REG_3, 0);
	emit_call(g->k, HELPER_MAP_PUSH);
}

/* The stack that the program stored last needs no lookup: it stays in the map. r0 = the hash */
static void last_check(struct gen *g, const struct stack_room *room, int kept)
{
	if (!room->last)
		return;
	emit_load(g->k, 8, BPF_REG_1, room->reg, room->last - 1);
	emit_jump_reg(g->k, BPF_JEQ, BPF_REG_0, BPF_REG_1, kept);
}

static void last_set(struct gen *g, const struct stack_room *room)
{
	if (!room->last)
		return;
	emit_load(g->k, 8, BPF_REG_1, room->reg, room->off + AT_HASH);
	emit_store(g->k, 8, room->reg, room->last - 1, BPF_REG_1);
}

/* Adds the stack if it is missing; another CPU may add it at the same time. */
static void stack_store(struct gen *g, const struct stack_room *room, int end)
{
	int lost = label_new(g->k), kept = room->last ? label_new(g->k) : end;

	last_check(g, room, end);

	emit_map(g->k, BPF_REG_1, gen_stacks_map(g));
	emit_address(g->k, BPF_REG_2, room->reg, room->off);
	emit_call(g->k, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, kept);
	emit_map(g->k, BPF_REG_1, gen_stacks_map(g));
	emit_address(g->k, BPF_REG_2, room->reg, room->off);
	emit_address(g->k, BPF_REG_3, room->reg, room->off + AT_STACK);
	emit_move_imm(g->k, BPF_REG_4, BPF_NOEXIST);
	emit_call(g->k, HELPER_MAP_UPDATE);
	emit_jump32(g->k, BPF_JEQ, BPF_REG_0, -EEXIST, kept);
	emit_jump32(g->k, BPF_JNE, BPF_REG_0, 0, lost);
	if (room->user)
		announce(g, room);
	emit_goto(g->k, kept);
	label_bind(g->k, lost);
	gen_count_loss(g, LOSS_STACKS_FULL);
	emit_store_imm(g->k, 8, room->reg, room->off + AT_HASH, STACK_LOST);
	if (!room->last)
		return;
	emit_goto(g->k, end);
	label_bind(g->k, kept);
	last_set(g, room);
}

void gen_stack_store(struct gen *g, const struct stack_room *room)
{
	int captured = label_new(g->k), kept = label_new(g->k);

	set_process(g, room);
	capture(g, room);
	emit_jump(g->k, BPF_JSGE, BPF_REG_0, 0, captured);
	emit_store_imm(g->k, 8, room->reg, room->off + AT_HASH, STACK_FAULT);
	gen_count_loss(g, LOSS_FAULT);
	emit_goto(g->k, kept);
	label_bind(g->k, captured);
	if (room->shown)
		hash_shown(g, room);
	else
		hash(g, room);
	stack_store(g, room, kept);
	label_bind(g->k, kept);
}

static void store(struct gen *g, const struct slot *s)
{
	for (uint32_t at = 0; at < s->store.size; at += sizeof(uint64_t)) {
		emit_load(g->k, 8, BPF_REG_1, REG_VALUE, at);
		emit_store(g->k, 8, REG_RECORD, s->place.offset + at, BPF_REG_1);
	}
}

/* ---- a copy ---- */

enum {
	CPU_BITS = 13,
	KIND_BITS = 3
}; /* CONFIG_NR_CPUS is at most 8192; an enum stack_none is below */

/* Stores a number that no other copy of the last weeks has: the time and the processor. */
static void copy_number(struct gen *g, const struct stack_room *room)
{
	emit_call(g->k, HELPER_KTIME);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_0, CPU_BITS + KIND_BITS);
	emit_store(g->k, 8, room->reg, AT_HASH, BPF_REG_0);
	emit_call(g->k, HELPER_CPU);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_0, KIND_BITS);
	emit_alu_imm(g->k, BPF_OR, BPF_REG_0, STACK_NONE);
	emit_load(g->k, 8, BPF_REG_1, room->reg, AT_HASH);
	emit_alu(g->k, BPF_OR, BPF_REG_0, BPF_REG_1);
	emit_store(g->k, 8, room->reg, AT_HASH, BPF_REG_0);
}

/* Announces the copy. Clobbers REG_NAMES, too. */
static void copy_store(struct gen *g, const struct stack_room *room)
{
	int announced = label_new(g->k);

	set_process(g, room);
	copy_number(g, room);
	emit_move(g->k, REG_NAMES, REG_RECORD);
	emit_move(g->k, REG_RECORD, REG_VALUE);
	gen_user_copy(g, AT_STACK);
	emit_move(g->k, REG_VALUE, REG_RECORD);
	emit_move(g->k, REG_RECORD, REG_NAMES);
	announce(g, room);
	emit_jump32(g->k, BPF_JEQ, BPF_REG_0, 0, announced);
	gen_count_loss(g, LOSS_STACKS_FULL);
	emit_store_imm(g->k, 8, room->reg, AT_HASH, STACK_LOST);
	label_bind(g->k, announced);
}

void gen_stack_id(struct gen *g, const struct slot *s)
{
	const struct stack_room room = {
		.reg = REG_VALUE,
		.size = g->p->stacks.size - sizeof(struct event_stack),
		.user = s->store.type == FIELD_USER_STACK,
	};
	int done = label_new(g->k);

	emit_zero(g->k, REG_RECORD, s->place.offset, s->place.room);
	lookup_part(g, s, done);
	if (room.user && g->p->stacks.copy_size)
		copy_store(g, &room);
	else
		gen_stack_store(g, &room);
	store(g, s);
	label_bind(g->k, done);
}
