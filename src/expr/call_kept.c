// SPDX-License-Identifier: GPL-2.0
/*
 * call_kept.c - where a call is kept between its entry and its return: by its key, in an array or,
 * where its place there is another's, in a hash.
 *
 * The key is an address on the kernel's stack (of the arguments that a trampoline keeps, or of the
 * return address): no other call of any task has it at the time, however deep they nest. So all that
 * is done with one key is done by one task, in order. A call that never returns leaves its key
 * behind; the next one with that key takes over what is kept of it.
 *
 * The array is one value of a power of two of places, and a key has one place in it: its bits,
 * multiplied, tell which. Nothing is looked up then, and what the entry reads is written right there.
 * A place's `taken` says how many want it; only addition is atomic in a program of 5.10, and it will do:
 *
 *	take	key is ours → it is (left behind)		forget	key = 0
 *		taken++; it is 1 now → it is; key = ours		taken--
 *		else taken--, displaced++, into the hash
 *
 * Of all that touch a place at once, on two processors or one preempted by the other:
 *	two take it: each looks after its own addition, so at most one sees a 1. Both may see a 2; then
 *	  both go to the hash, which is right, if not fast. One that gives up makes a third see a 2 as well.
 *	one takes, the owner forgets: a 1 is seen only after the owner's taken--, which is after key = 0
 *	  (stores keep their order on x86; on arm64 the addition is one that orders), so the new key stays.
 *	one takes or looks, another owns: the key there is not ours, whatever it is at the moment; and it
 *	  becomes ours by nobody but us.
 *	an interrupt's program between any two steps: the same; its key is another.
 *	a place whose owner never returns stays taken, until that key comes again.
 * `displaced` is raised before a key goes into the hash and lowered after it has left, so 0 means that
 * none of this place is there, and the hash is not asked: neither for the calls of others nor for those
 * that are refused. It is the upper half of a word with `taken`, so one look tells that a place is free
 * and that no older call with this key is in the hash, which must be taken over: a key is in one of the
 * two at most.
 *
 * Without places all are in the hash: by kprobes on arm64, which has additions that order only since
 * 5.18 (and trampolines since 6.0), and where a record has a path.
 */
#include "expr/call.h"

enum {
	KEPT_TAKEN = offsetof(struct call_kept, taken),
	KEPT_DISPLACED = offsetof(struct call_kept, displaced),
	KEPT_KEY = offsetof(struct call_kept, key),
	PLACES_BITS = 12, /* of them at most … */
	ARRAY_BITS = 20,  /* … in so many bytes at most */
	SPREAD = 0x61c88647, /* 2^32 by the golden ratio, negated: neighbours come to lie far apart */
};

/* To the word that `taken` and `displaced` are; DISPLACE is LEAVE, too. */
#define TAKE	 1
#define LEAVE	 (-1)
#define DISPLACE 0xffffffffll
#define REPLACE	 (-(1ll << 32))

/* ---- the maps ---- */

/* The walk of a path is long for the verifier, which would follow it twice: with a record in a place,
 * and with one in the hash. */
static bool has_path(const struct gen *g)
{
	for (size_t i = 0; i < g->p->slot_count && g->p->keep == KEEP_RECORD; i++) {
		if (g->p->slots[i].sink == SINK_PATH)
			return true;
	}
	return false;
}

static bool has_places(const struct gen *g)
{
	return !has_path(g) && (g->target->arch != EXPR_ARCH_ARM64 || !call_by_kprobe(g));
}

static unsigned size_bits(const struct gen *g)
{
	unsigned bits = 0;

	while (1u << bits < g->p->kept_size)
		bits++;
	return bits;
}

/* Many programs have few places each. */
static unsigned count_bits(const struct gen *g)
{
	int room = ARRAY_BITS - size_bits(g);

	for (size_t programs = g->c->in->siblings; programs > 1; programs /= 2)
		room--;
	if (room < 0 || !has_places(g))
		return 0;
	return room < PLACES_BITS ? room : PLACES_BITS;
}

static int map_ask(struct gen *g, int (*make)(void *ctx, uint32_t size), uint32_t size)
{
	int fd = make ? make(g->c->in->ctx, size) : 0;

	if (fd < 0)
		g->c->err = fd;
	return fd;
}

void call_maps_ask(struct gen *g)
{
	if (!call_has_map(g))
		return;
	g->calls_fd = map_ask(g, g->c->in->calls_map, g->p->kept_size);
	if (!g->c->err)
		g->places_fd = map_ask(g, g->c->in->places_map,
		                       1u << (size_bits(g) + count_bits(g)));
}

/* ---- the key and its place ---- */

/* One program may serve functions of which one ends with a jump to another: both return to the same
 * place. r1 ^= which of them it is, in bits that are the same in all addresses */
static void gen_key_point(struct gen *g)
{
	emit_store(g->k, 8, BPF_REG_10, STACK_KEY, BPF_REG_1);
	gen_point(g, BPF_REG_0);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_0, 48);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEY);
	emit_alu(g->k, BPF_XOR, BPF_REG_1, BPF_REG_0);
}

/* At its return a function has popped the address that it returns to; arm64 pushes none. */
void call_key(struct gen *g, bool at_return)
{
	bool arm64 = g->target->arch == EXPR_ARCH_ARM64;

	if (g->c->in->session && at_return) { /* it was handed over */
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEY);
	} else if (call_by_kprobe(g)) {
		emit_load(g->k, 8, BPF_REG_1, REG_CTX, arm64 ? 248 : 152); /* sp */
		if (at_return && !arm64)
			emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, 8);
		if (g->c->in->points && g->c->in->point < 0)
			gen_key_point(g);
	} else { /* a negative pointer is a number to the verifier */
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_negate(g->k, BPF_REG_1);
	}
}

/* REG_RECORD = the place of the key in r1, which stays there. */
static void gen_place(struct gen *g)
{
	unsigned size = size_bits(g);

	emit_move(g->k, BPF_REG_2, BPF_REG_1);
	emit_alu_imm(g->k, BPF_MUL, BPF_REG_2, SPREAD);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_2, 32 - size);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_2, ((1 << count_bits(g)) - 1) << size);
	emit_map_value(g->k, REG_RECORD, g->places_fd);
	emit_alu(g->k, BPF_ADD, REG_RECORD, BPF_REG_2);
}

/* The place's taken and displaced. */
static void gen_add(struct gen *g, int64_t n)
{
	emit_imm64(g->k, BPF_REG_2, n);
	emit_atomic_add(g->k, REG_RECORD, KEPT_TAKEN, BPF_REG_2,
	                g->target->arch == EXPR_ARCH_ARM64);
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

/* r0 = what the helper says of the key at STACK_KEY. */
static void hash_call(struct gen *g, int helper)
{
	emit_map(g->k, BPF_REG_1, g->calls_fd);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, STACK_KEY);
	if (helper == HELPER_MAP_UPDATE) { /* with any bytes; those on the stack would not do */
		emit_map_value(g->k, BPF_REG_3, g->places_fd);
		emit_move_imm(g->k, BPF_REG_4, BPF_ANY);
	}
	emit_call(g->k, helper);
}

static void hash_look(struct gen *g)
{
	emit_store(g->k, 8, BPF_REG_10, STACK_KEY, BPF_REG_1);
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
	emit_store(g->k, 8, BPF_REG_10, STACK_KEY, BPF_REG_1);
	hash_call(g, HELPER_MAP_DELETE);
	if (!has_places(g))
		return;
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, done);
	gen_add(g, REPLACE);
}

/* ---- what is done with a call ---- */

/* The place is another's, or has keys in the hash, of which ours may be one. */
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

static void take_entry(struct gen *g)
{
	int known = label_new(g->k);

	hash_look(g);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, known);
	hash_add(g);
	label_place(g->k, known);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
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

void call_forget(struct gen *g, bool at_return, bool found)
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
