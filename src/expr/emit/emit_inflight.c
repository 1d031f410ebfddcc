/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_inflight.c - stores open calls and pairs by their key: in an array or, if another key has
 * that place, in a hash. A call's key is its frame (emit_call_store.c); a pair's key is the
 * user's (emit_pair_store.c).
 *
 * Everything done with one key is done by one program at a time, in order: of a call, because no
 * other one has its address on the stack at the same time; of a pair, because its programs wait
 * for each other. What never ends leaves its key in the store; the next one with that key takes
 * over its entry.
 *
 * The array is one map value with a power of two of places. A key has one place in it, selected
 * by its bits after a multiplication, so no lookup is needed, and the entry writes its values
 * right there. `taken` counts the calls that want a place. The only atomic operation in programs
 * of 5.10 is addition, which is enough:
 *
 *	reserve	key is ours → place is ours (an old entry)	free	key = 0
 *		taken++; now 1 → place is ours; key = ours		taken--
 *		else taken--, displaced++, into the hash
 *
 * When several programs use one place at once, on two CPUs or one preempting the other:
 *	two reserve: each reads the result of its own addition, so at most one sees a 1. Both may
 *	  see a 2; then both use the hash, which is correct but slower. Until one of them gives up,
 *	  a third also sees a 2 or more.
 *	one reserves, the owner frees: a 1 is seen only after the owner's taken--, which comes after
 *	  key = 0 (x86 keeps the order of stores; on arm64 the addition is an ordered one), so the
 *	  new key stays.
 *	one reserves or looks up, another owns: the key there is not ours, whatever it is at that
 *	  moment, and only we make it ours.
 *	a program in an interrupt, between any two steps: the same, because its key differs.
 *	an owner that never returns: its place stays taken until the same key comes again.
 *
 * `displaced` is raised before a key goes into the hash and lowered after it has left. So 0 means
 * that the hash has no key of this place and need not be searched, neither for other calls nor
 * for refused ones. It is the upper half of a word with `taken`: one read tells that a place is
 * free and that the hash has no older call with this key to be taken over. A key is never in
 * both.
 *
 * Without places, all calls are in the hash: with kprobes on arm64, which has ordered additions
 * only since 5.18 (and trampolines since 6.0), and where a record has a path and the kernel no may_goto.
 */
#include "expr/emit/emit_call.h"

enum {
	/* 2^32 divided by the golden ratio, negated: neighbours end up far apart */
	SPREAD = 0x61c88647,
};

/* The same for 64 bits. */
#define SPREAD_WIDE 0x9e3779b97f4a7c15ull

/* ---- places ---- */

/* r2 = a hash of all words of the key. */
static void spread_words(struct gen *g, const struct inflight *s)
{
	emit_imm64(g->k, BPF_REG_3, SPREAD_WIDE);
	emit_load(g->k, 8, BPF_REG_2, BPF_REG_10, s->key_at);
	emit_alu(g->k, BPF_MUL, BPF_REG_2, BPF_REG_3);
	for (unsigned i = 1; i < s->words; i++) {
		emit_move(g->k, BPF_REG_1, BPF_REG_2);
		emit_alu_imm(g->k, BPF_RSH, BPF_REG_1, 32);
		emit_alu(g->k, BPF_XOR, BPF_REG_2, BPF_REG_1);
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, s->key_at + 8 * i);
		emit_alu(g->k, BPF_ADD, BPF_REG_2, BPF_REG_1);
		emit_alu(g->k, BPF_MUL, BPF_REG_2, BPF_REG_3);
	}
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_2, 64 - s->count_bits - s->size_bits);
}

/* r2 = a hash of the frame in r1. Frames differ in their lower 32 bits. */
static void spread_frame(struct gen *g, const struct inflight *s)
{
	emit_move(g->k, BPF_REG_2, BPF_REG_1);
	emit_alu_imm(g->k, BPF_MUL, BPF_REG_2, SPREAD);
	emit_alu_imm(g->k, BPF_RSH, BPF_REG_2, 32 - s->size_bits);
}

void inflight_locate(struct gen *g, const struct inflight *s)
{
	(s->guarded ? spread_words : spread_frame)(g, s);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_2, ((1 << s->count_bits) - 1) << s->size_bits);
	emit_map_value(g->k, REG_RECORD, s->places);
	emit_alu(g->k, BPF_ADD, REG_RECORD, BPF_REG_2);
}

void inflight_add(struct gen *g, const struct inflight *s, int at, int64_t n)
{
	emit_imm64(g->k, BPF_REG_2, n);
	emit_atomic_add(g->k, REG_RECORD, at, BPF_REG_2,
			s->ordered && !target_arch(g->target)->orders_memory);
}

/* A key of a pair may be 0, so `taken` is tested first. */
static void if_words_ours(struct gen *g, const struct inflight *s, int label)
{
	int other = label_new(g->k);

	emit_load(g->k, 4, BPF_REG_2, REG_RECORD, KEPT_TAKEN);
	emit_jump(g->k, BPF_JEQ, BPF_REG_2, 0, other);
	for (unsigned i = 0; i < s->words; i++) {
		bool last = i == s->words - 1;

		emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, s->key_at + 8 * i);
		emit_load(g->k, 8, BPF_REG_2, REG_RECORD, KEPT_KEY + 8 * i);
		emit_jump_reg(g->k, last ? BPF_JEQ : BPF_JNE, BPF_REG_2, BPF_REG_1,
			      last ? label : other);
	}
	label_bind(g->k, other);
}

void inflight_if_ours(struct gen *g, const struct inflight *s, int label)
{
	if (s->guarded) {
		if_words_ours(g, s, label);
		return;
	}
	emit_load(g->k, 8, BPF_REG_2, REG_RECORD, KEPT_KEY);
	emit_jump_reg(g->k, BPF_JEQ, BPF_REG_2, BPF_REG_1, label);
}

void inflight_if_none_displaced(struct gen *g, int label)
{
	emit_load(g->k, 4, BPF_REG_2, REG_RECORD, KEPT_DISPLACED);
	emit_jump(g->k, BPF_JEQ, BPF_REG_2, 0, label);
}

/* ---- the hash ---- */

void inflight_hash_call(struct gen *g, const struct inflight *s, int helper)
{
	emit_map(g->k, BPF_REG_1, s->hash);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, s->key_at);
	emit_call(g->k, helper);
}

static void key_store(struct gen *g, const struct inflight *s)
{
	if (!s->guarded)
		emit_store(g->k, 8, BPF_REG_10, s->key_at, BPF_REG_1);
}

void inflight_lookup(struct gen *g, const struct inflight *s)
{
	key_store(g, s);
	inflight_hash_call(g, s, HELPER_MAP_LOOKUP);
}

void inflight_delete(struct gen *g, const struct inflight *s, int done)
{
	key_store(g, s);
	inflight_hash_call(g, s, HELPER_MAP_DELETE);
	if (!s->in_places)
		return;
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, done);
	inflight_add(g, s, KEPT_TAKEN, REPLACE);
}

/* ---- both ---- */

void inflight_find(struct gen *g, const struct inflight *s, int none)
{
	int found = label_new(g->k);

	if (s->in_places) {
		inflight_if_ours(g, s, found);
		inflight_if_none_displaced(g, none);
	}
	inflight_lookup(g, s);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	label_bind(g->k, found);
}

void inflight_free(struct gen *g, const struct inflight *s)
{
	emit_store_imm(g->k, 8, REG_RECORD, KEPT_KEY, 0);
	inflight_add(g, s, KEPT_TAKEN, LEAVE);
}

/* ---- what the entry of a call kept for its return ---- */

enum { COPY_BY_HAND = 256 }; /* from this size on, a helper is cheaper than loads and stores */

void gen_latency_load(struct gen *g)
{
	emit_load(g->k, 8, REG_VALUE, BPF_REG_10, STACK_LATENCY);
}

/* The return of a call has copied everything kept into the record. */
void gen_kept_slot(struct gen *g, const struct slot *s)
{
	int base = g->c->in->pair ? BPF_REG_1 : REG_RECORD;

	if (g->c->in->pair)
		emit_load(g->k, 8, base, BPF_REG_10, STACK_KEPT);
	emit_load(g->k, 8, REG_VALUE, base, s->place.offset);
}

void gen_saved_argument(struct gen *g, const struct vreg *v)
{
	unsigned before = __builtin_popcount(g->p->calls.saved_args & ((1u << v->imm) - 1));

	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEPT);
	emit_load(g->k, 8, REG_VALUE, BPF_REG_1, g->p->calls.saved_at + 8 * before);
}

void gen_copy(struct gen *g, int base, uint32_t from, uint32_t end)
{
	if (end - from > COPY_BY_HAND && g->target->probe_read) {
		emit_read_kernel(g->k, base, from, end - from, BPF_REG_3, from);
		return;
	}
	for (uint32_t at = from; at < end; at += 8) {
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_3, at);
		emit_store(g->k, 8, base, at, BPF_REG_1);
	}
}
