/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_inflight.c - where a call is kept between its entry and its return: by its key, in an array
 * or, if another call has its place there, in a hash.
 *
 * The key is an address on the kernel's stack (of the arguments that a trampoline keeps, or of the
 * return address). No other call of any task has that address at the same time, however deeply they
 * nest, so everything done with one key is done by one task, in order. A call that never returns
 * leaves its key behind; the next call with that key takes over its entry.
 *
 * The array is one map value with a power of two of places. A key has one place in it, selected by
 * its bits after a multiplication, so no lookup is needed, and what the entry reads is written
 * right there. `taken` of a place says how many calls want it. The only atomic operation in
 * programs of 5.10 is addition, which is enough:
 *
 *	take	key is ours → place is ours (left behind)	forget	key = 0
 *		taken++; now 1 → place is ours; key = ours		taken--
 *		else taken--, displaced++, into the hash
 *
 * When several programs touch one place at once, on two CPUs or one preempted by the other:
 *	two take it: each looks at the result of its own addition, so at most one sees a 1. Both may
 *	  see a 2; then both use the hash, which is correct but slower. Until one of them gives up,
 *	  a third also sees a 2 or more.
 *	one takes, the owner forgets: a 1 is seen only after the owner's taken--, which comes after
 *	  key = 0 (x86 keeps the order of stores; on arm64 the addition is an ordered one), so the
 *	  new key stays.
 *	one takes or looks, another owns: the key there is not ours, whatever it is at that moment,
 *	  and nobody but us makes it ours.
 *	a program in an interrupt, between any two steps: the same, because its key differs.
 *	an owner that never returns: its place stays taken until the same key comes again.
 *
 * `displaced` is raised before a key goes into the hash and lowered after it has left. So 0 means
 * that the hash has no key of this place and need not be searched, neither for other calls nor for
 * refused ones. It is the upper half of a word with `taken`: one read tells that a place is free
 * and that the hash has no older call with this key to be taken over. A key is never in both.
 *
 * Without places, all calls are in the hash: with kprobes on arm64, which has ordered additions
 * only since 5.18 (and trampolines since 6.0), and where a record has a path.
 *
 * A user function's call has a key of two words: the address on the user's stack, which is the
 * same in many processes (without ASLR, after a fork), and the thread, by the kernel's numbers. The
 * context is no key: it is the user's registers at the top of the kernel's stack, the same address
 * for all nested calls. Nor is the kernel's own record of the call (struct return_instance), which no
 * program is given before the sessions of 6.13. The stack pointer is exact: at the entry of a function
 * it points to the return address (x86-64), or the call has not touched it (arm64), and a thread
 * cannot have two calls with the same one. At the return x86-64 has popped the return address, of 4
 * bytes in a 32-bit program. Such a call is a thousand instructions anyway, so it has no place
 * but only the hash.
 *
 *	it recurses, or calls another	its stack pointer is lower
 *	longjmp, a coroutine that is left	the next call with that stack pointer takes over (no_return)
 *	fork	the child returns with the parent's stack pointer, but has another number: no_entry
 *	the thread or the process ends	nothing can have that key soon: user space deletes it
 *		(argdump/ended_calls.c)
 *	more than 64 nested calls	the kernel does not follow them (MAX_URETPROBE_DEPTH), and
 *		says so nowhere: as longjmp
 */
#include "expr/emit/emit_inflight.h"

#include "expr/emit/emit_kept.h"
#include "expr/layout/call_state.h"
#include "expr/maps.h"

enum {
	KEPT_TAKEN = offsetof(struct call_kept, taken),
	KEPT_DISPLACED = offsetof(struct call_kept, displaced),
	KEPT_KEY = offsetof(struct call_kept, key),
	PLACES_BITS = 12,  /* at most this many places … */
	ARRAY_BITS = 20,   /* … in at most this many bytes */
	CALLS_MAX = 16384, /* of the hash, shared by all programs … */
	CALLS_LEAST = 1024,
	CALLS_LEAST_EACH = 128, /* … at least this many each, if there are many programs … */
	CALLS_BYTES = 8 << 20,	/* … but only as many as fit into this memory */
	/* 2^32 divided by the golden ratio, negated: neighbours end up far apart */
	SPREAD = 0x61c88647,
};

/* Added to the word of `taken` and `displaced`; DISPLACE also means LEAVE. */
#define TAKE	 1
#define LEAVE	 (-1)
#define DISPLACE 0xffffffffll
#define REPLACE	 (-(1ll << 32))

/* ---- the maps ---- */

/* The verifier takes long for the walk of a path, and would follow it twice: for a record in a
 * place and for one in the hash. */
static bool has_path(const struct gen *g)
{
	for (size_t i = 0; i < g->p->slot_count && g->p->keep == KEEP_RECORD; i++) {
		if (g->p->slots[i].sink == STORE_PATH)
			return true;
	}
	return false;
}

static bool has_places(const struct gen *g)
{
	return !has_path(g) && !g->c->in->in_user &&
	       (target_arch(g->target)->orders_memory || !call_by_kprobe(g));
}

static unsigned size_bits(const struct gen *g)
{
	unsigned bits = 0;

	while (1u << bits < g->p->kept_size)
		bits++;
	return bits;
}

/* If there are many programs, each has few places. */
static unsigned count_bits(const struct gen *g)
{
	int room = ARRAY_BITS - size_bits(g);

	for (size_t programs = g->c->in->run.siblings; programs > 1; programs /= 2)
		room--;
	if (room < 0 || !has_places(g))
		return 0;
	return room < PLACES_BITS ? room : PLACES_BITS;
}

/* The number of calls that the hash has room for. Its entries are preallocated, because allocation
 * may not be possible while a call is traced. */
static uint32_t calls_room(const struct gen *g)
{
	size_t programs = g->c->in->run.siblings ?: 1;
	uint32_t fit = CALLS_BYTES / g->p->kept_size / programs;
	uint32_t least = programs > 1 ? CALLS_LEAST_EACH : CALLS_LEAST;

	return fit > CALLS_MAX ? CALLS_MAX : fit < least ? least : fit;
}

void call_maps_want(struct gen *g)
{
	if (!call_has_map(g))
		return;
	g->calls = map_want(g->c, &(struct expr_map){ EXPR_MAP_CALLS, BPF_MAP_TYPE_HASH,
						      g->c->in->in_user ? 16 : 8, g->p->kept_size,
						      calls_room(g), NULL });
	g->places = map_want(g->c,
			     &(struct expr_map){ EXPR_MAP_PLACES, BPF_MAP_TYPE_ARRAY, 4,
						 1u << (size_bits(g) + count_bits(g)), 1, NULL });
}

/* ---- the key and its place ---- */

/* One program may serve two functions of which one ends with a jump to the other: both return to
 * the same place. r1 ^= the number of the function, in bits that are the same in all addresses */
static void gen_key_point(struct gen *g)
{
	emit_store(g->k, 8, BPF_REG_10, STACK_KEY, BPF_REG_1);
	gen_point(g, BPF_REG_0);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_0, 48);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEY);
	emit_alu(g->k, BPF_XOR, BPF_REG_1, BPF_REG_0);
}

/* At its return a function has popped its return address. */
static int popped(const struct gen *g, bool at_return)
{
	int size = target_arch(g->target)->return_size;

	return !at_return ? 0 : g->c->in->in_user32 ? size / 2 : size;
}

static void gen_key_thread(struct gen *g)
{
	emit_call(g->k, HELPER_PID_TGID);
	emit_store(g->k, 8, BPF_REG_10, STACK_USER_TASK, BPF_REG_0);
}

void call_key(struct gen *g, bool at_return)
{
	const struct arch *arch = target_arch(g->target);

	if (g->c->in->session && at_return) { /* the entry handed the key over */
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEY);
	} else if (call_by_kprobe(g)) {
		if (g->c->in->in_user)
			gen_key_thread(g);
		emit_load(g->k, 8, BPF_REG_1, REG_CTX, arch_offset(arch->sp));
		if (popped(g, at_return))
			emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, popped(g, at_return));
		if (g->c->in->run.points && g->c->in->point < 0)
			gen_key_point(g);
	} else { /* for the verifier a negated pointer is a number */
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_negate(g->k, BPF_REG_1);
	}
}

/* REG_RECORD = the place of the key in r1; r1 keeps its value. */
static void gen_place(struct gen *g)
{
	unsigned size = size_bits(g);

	emit_move(g->k, BPF_REG_2, BPF_REG_1);
	emit_alu_imm(g->k, BPF_MUL, BPF_REG_2, SPREAD);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_2, 32 - size);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_2, ((1 << count_bits(g)) - 1) << size);
	emit_map_value(g->k, REG_RECORD, g->places);
	emit_alu(g->k, BPF_ADD, REG_RECORD, BPF_REG_2);
}

/* Adds to the word of taken and displaced. */
static void gen_add(struct gen *g, int64_t n)
{
	emit_imm64(g->k, BPF_REG_2, n);
	emit_atomic_add(g->k, REG_RECORD, KEPT_TAKEN, BPF_REG_2,
			!target_arch(g->target)->orders_memory);
}

static void if_ours(struct gen *g, int label)
{
	emit_load(g->k, 8, BPF_REG_2, REG_RECORD, KEPT_KEY);
	emit_jump_reg(g->k, BPF_JEQ, BPF_REG_2, BPF_REG_1, label);
}

static void if_none_displaced(struct gen *g, int label)
{
	emit_load(g->k, 4, BPF_REG_2, REG_RECORD, KEPT_DISPLACED);
	emit_jump(g->k, BPF_JEQ, BPF_REG_2, 0, label);
}

/* ---- the hash ---- */

static int key_at(const struct gen *g)
{
	return g->c->in->in_user ? STACK_USER_KEY : STACK_KEY;
}

/* r0 = result of a map helper for the key at STACK_KEY. */
static void hash_call(struct gen *g, int helper)
{
	emit_map(g->k, BPF_REG_1, g->calls);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, key_at(g));
	/* with any bytes as value; there are not enough on the stack */
	if (helper == HELPER_MAP_UPDATE) {
		emit_map_value(g->k, BPF_REG_3, g->places);
		emit_move_imm(g->k, BPF_REG_4, BPF_ANY);
	}
	emit_call(g->k, helper);
}

static void hash_look(struct gen *g)
{
	emit_store(g->k, 8, BPF_REG_10, key_at(g), BPF_REG_1);
	hash_call(g, HELPER_MAP_LOOKUP);
}

/* r0 = a new entry. */
static void hash_add(struct gen *g)
{
	int full = label_new(g->k), added = label_new(g->k);

	if (has_places(g))
		gen_add(g, DISPLACE);
	hash_call(g, HELPER_MAP_UPDATE);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, full);
	hash_call(g, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, added);
	label_place(g->k, full);
	if (has_places(g))
		gen_add(g, REPLACE);
	emit_goto(g->k, g->full);
	label_place(g->k, added);
	emit_store_imm(g->k, 8, BPF_REG_0, KEPT_KEY, 0);
}

static void hash_delete(struct gen *g, int done)
{
	emit_store(g->k, 8, BPF_REG_10, key_at(g), BPF_REG_1);
	hash_call(g, HELPER_MAP_DELETE);
	if (!has_places(g))
		return;
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, done);
	gen_add(g, REPLACE);
}

/* ---- operations on a call ---- */

/* The place belongs to another call, or has keys in the hash, possibly including ours. */
static void take_crowded(struct gen *g, int claim, int taken)
{
	int known = label_new(g->k), free = label_new(g->k), entry = label_new(g->k);

	hash_look(g);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, known);
	emit_load(g->k, 4, BPF_REG_1, REG_RECORD, KEPT_TAKEN);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 1, free);
	hash_add(g);
	emit_goto(g->k, entry);
	label_place(g->k, known);
	gen_add(g, LEAVE);
	label_place(g->k, entry);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	emit_goto(g->k, taken);
	label_place(g->k, free);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEY);
	label_place(g->k, claim);
}

static void take_place(struct gen *g)
{
	int claim = label_new(g->k), taken = label_new(g->k);

	gen_place(g);
	if_ours(g, taken);
	gen_add(g, TAKE);
	emit_load(g->k, 8, BPF_REG_2, REG_RECORD, KEPT_TAKEN);
	emit_jump(g->k, BPF_JEQ, BPF_REG_2, 1, claim);
	take_crowded(g, claim, taken);
	emit_store(g->k, 8, REG_RECORD, KEPT_KEY, BPF_REG_1);
	label_place(g->k, taken);
}

/* An earlier call of a user function with that key never returned. */
static void count_left(struct gen *g, int known)
{
	int taken = label_new(g->k);

	emit_goto(g->k, taken);
	label_place(g->k, known);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	gen_count_loss(g, LOSS_NO_RETURN);
	label_place(g->k, taken);
}

static void take_entry(struct gen *g)
{
	int known = label_new(g->k);

	hash_look(g);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, known);
	hash_add(g);
	if (!g->c->in->in_user)
		label_place(g->k, known);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	if (g->c->in->in_user)
		count_left(g, known);
}

void call_take(struct gen *g)
{
	call_key(g, false);
	if (has_places(g))
		take_place(g);
	else
		take_entry(g);
}

void call_find(struct gen *g, int none)
{
	int found = label_new(g->k);

	if (has_places(g)) {
		gen_place(g);
		if_ours(g, found);
		if_none_displaced(g, none);
	}
	hash_look(g);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	label_place(g->k, found);
}

void call_delete(struct gen *g, bool at_return, bool found)
{
	int ours = label_new(g->k), done = label_new(g->k);

	if (found && has_places(g)) {
		emit_load(g->k, 8, BPF_REG_1, REG_RECORD, KEPT_KEY);
		emit_jump(g->k, BPF_JNE, BPF_REG_1, 0, ours);
	}
	call_key(g, at_return);
	if (has_places(g)) {
		gen_place(g);
		if_ours(g, ours);
		if_none_displaced(g, done);
	}
	hash_delete(g, done);
	if (has_places(g)) {
		emit_goto(g->k, done);
		label_place(g->k, ours);
		emit_store_imm(g->k, 8, REG_RECORD, KEPT_KEY, 0);
		gen_add(g, LEAVE);
	}
	label_place(g->k, done);
}
