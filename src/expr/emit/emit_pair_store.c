/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_pair_store.c - open begins, by the key of a pair: in the store that calls also use
 * (emit_inflight.c), with guards, because any program may use any key at any time.
 *
 * That store is correct if everything done with one key is done by one program at a time. So each
 * place has a guard, a word: a program adds 1 to it, and is inside if the result is 1. Else it
 * subtracts the 1 and tries again, a limited number of times. Everything done with the keys of
 * that place, in the array as well as in the hash, is done inside.
 *
 *	begin	record, on this CPU alone │ enter, key → place or hash, copy, leave
 *	end	                          │ enter, find, copy, delete, leave │ record
 *
 * The only atomic operation of 5.10 returns no result, so the word is read afterwards:
 *
 *	two enter: the program of the later addition reads a value that includes the earlier one, so
 *	  at most one sees a 1. Both may see a 2; then both subtract their 1. Until then a third
 *	  sees a 2 or more.
 *	one enters, another is inside: the value includes the 1 of that one, whatever others add and
 *	  subtract.
 *	one leaves, another enters: a 1 is seen only after the owner's subtraction, which comes after
 *	  all that it wrote (x86 keeps the order of stores, and a locked addition waits for them; on
 *	  arm64 the addition is an ordered one). So it sees a complete place and hash.
 *	a begin replaces a begin, two begins, two ends, a begin and an end of one key: one after the
 *	  other, in the order in which they are inside. No begin has two ends: the first one deletes
 *	  the key. No end has parts of two begins: nobody writes there while it copies. No entry of
 *	  the hash is reused while a program reads it: only programs inside delete keys of that place.
 *	keys of different places: use different places, and different keys of the hash, which has
 *	  locks of its own.
 *	different keys of one place: as if they were one, but the key is compared.
 *	an owner that is interrupted, or preempted, by a program that wants to enter: it cannot leave
 *	  meanwhile, so that program gives up. The same if the owner's virtual CPU stands still.
 *	one that gives up: it does nothing, and counts that: a begin that is not stored
 *	  (LOSS_BEGIN_BUSY), or an end that ended nothing (LOSS_END_BUSY), so that begins = ends that
 *	  were found + open + replaced + lost, exactly.
 *	user space (probe/pair.c): reads twice, and believes what had no one inside both times and is
 *	  the same. An entry of the hash is complete when it is added, and copied under its lock.
 *
 * A program is inside for a hundred instructions, without faults and without calls but those of
 * the hash and, for large records, a copying one.
 *
 * On arm64 before 5.18 additions order nothing: there only the hash is used. The guards remain;
 * the locks of the hash order what is written.
 */
#include "expr/emit/emit_call.h"

enum {
	PAIRS_MAX = 16384,	/* of the hash … */
	PAIRS_BYTES = 16 << 20, /* … but only as many as fit into this memory … */
	PAIRS_LEAST = 1024,
	TRIES = 200, /* attempts to enter: programs inside need less time */
};

enum {
	REG_PLACE = REG_VALUE,	/* the place of the key, whose guard is ours */
	REG_SCRATCH = REG_TASK, /* of a begin: the working copy */
};

/* ---- maps ---- */

static uint32_t hash_room(const struct gen *g)
{
	uint32_t fit = PAIRS_BYTES / g->p->pair.size;

	if (g->c->in->run.keys)
		return g->c->in->run.keys;
	return fit > PAIRS_MAX ? PAIRS_MAX : fit < PAIRS_LEAST ? PAIRS_LEAST : fit;
}

void pair_maps_add(struct gen *g)
{
	const struct expr_target *t = g->target;
	uint32_t size = g->p->pair.size;
	/* kprobe.multi is newer than ordered additions */
	bool ordered = target_arch(t)->orders_memory || t->kprobe_multi;
	struct inflight *s = &g->pairs;
	unsigned bits = call_size_bits(size);

	*s = (struct inflight){
		.size_bits = bits,
		.count_bits = bits + PLACES_BITS > ARRAY_BITS ? ARRAY_BITS - bits : PLACES_BITS,
		.words = g->p->pair.key_size / 8,
		.key_at = gen_stack_end(g) - (int)g->p->pair.key_size,
		.in_places = ordered,
		.ordered = ordered,
		.guarded = true,
	};
	s->hash = gen_map_index(g, EXPR_MAP_PAIRS, BPF_MAP_TYPE_HASH, g->p->pair.key_size, size,
				hash_room(g));
	s->places = gen_map_index(g, EXPR_MAP_PAIR_PLACES, BPF_MAP_TYPE_ARRAY, 4,
				  1u << (s->size_bits + s->count_bits), 1);
	g->pair_scratch = gen_map_index(g, EXPR_MAP_PAIR, BPF_MAP_TYPE_PERCPU_ARRAY, 4, size,
					g->c->in->run.siblings ?: 1);
}

void pair_scratch(struct gen *g)
{
	gen_lookup_index(g, g->pair_scratch, g->c->in->probe_number);
}

/* ---- the guard ---- */

/*
 * r3 = 0. The verifier follows all rounds one by one, which takes it 25 ms, unless a round begins like the one before. So
 * with may_goto, 0 is a number that it does not know.
 */
static void tries_begin(struct gen *g)
{
	if (!gen_loops_late(g)) {
		emit_move_imm(g->k, BPF_REG_3, 0);
		return;
	}
	emit_load(g->k, 8, BPF_REG_3, REG_RECORD, KEPT_GUARD);
	emit_move(g->k, BPF_REG_1, BPF_REG_3);
	emit_alu(g->k, BPF_SUB, BPF_REG_3, BPF_REG_1);
}

/* REG_PLACE = REG_RECORD = the place of the key, whose guard we own; or counts the loss and
 * exits. */
static void guard_enter(struct gen *g, enum loss busy)
{
	int again = label_new(g->k), wait = label_new(g->k), inside = label_new(g->k);
	int none = label_new(g->k);

	inflight_locate(g, &g->pairs);
	emit_move(g->k, REG_PLACE, REG_RECORD);
	tries_begin(g);
	label_bind(g->k, again);
	emit_load(g->k, 8, BPF_REG_1, REG_RECORD, KEPT_GUARD);
	emit_jump(g->k, BPF_JNE, BPF_REG_1, 0, wait);
	inflight_add(g, &g->pairs, KEPT_GUARD, TAKE);
	emit_load(g->k, 8, BPF_REG_1, REG_RECORD, KEPT_GUARD);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 1, inside);
	inflight_add(g, &g->pairs, KEPT_GUARD, LEAVE);
	label_bind(g->k, wait);
	if (gen_loops_late(g))
		emit_leave_late(g->k, none);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_3, 1);
	emit_jump(g->k, BPF_JLT, BPF_REG_3, TRIES, again);
	label_bind(g->k, none);
	gen_count_loss(g, busy);
	emit_goto(g->k, g->exit);
	label_bind(g->k, inside);
}

static void guard_leave(struct gen *g)
{
	emit_move(g->k, REG_RECORD, REG_PLACE);
	inflight_add(g, &g->pairs, KEPT_GUARD, LEAVE);
}

/* ---- begin ---- */

/* The new value appears in the hash as a whole. */
static void hash_update(struct gen *g, int full)
{
	emit_move(g->k, BPF_REG_3, REG_SCRATCH);
	emit_move_imm(g->k, BPF_REG_4, BPF_ANY);
	inflight_hash_call(g, &g->pairs, HELPER_MAP_UPDATE);
	emit_jump32(g->k, BPF_JNE, BPF_REG_0, 0, full); /* an int */
}

/* The place belongs to another key, or some keys of the place are in the hash, possibly ours. */
static void crowded_store(struct gen *g, int claim, int left)
{
	const struct inflight *s = &g->pairs;
	int known = label_new(g->k), full = label_new(g->k);

	inflight_lookup(g, s);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, known);
	if (s->in_places) {
		emit_load(g->k, 4, BPF_REG_1, REG_RECORD, KEPT_TAKEN);
		emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, claim);
	}
	hash_update(g, full);
	if (s->in_places)
		inflight_add(g, s, KEPT_TAKEN, DISPLACE);
	emit_goto(g->k, left);
	label_bind(g->k, known);
	if (!g->c->in->pair->keep_first) {
		hash_update(g, full);
		gen_count_loss(g, LOSS_REPLACED);
	}
	emit_goto(g->k, left);
	label_bind(g->k, full);
	gen_count_loss(g, LOSS_MAP_FULL);
	if (s->in_places)
		emit_goto(g->k, left);
}

static void store_key(struct gen *g)
{
	for (unsigned i = 0; i < g->pairs.words; i++) {
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, g->pairs.key_at + 8 * i);
		emit_store(g->k, 8, REG_RECORD, KEPT_KEY + 8 * i, BPF_REG_1);
	}
	inflight_add(g, &g->pairs, KEPT_TAKEN, TAKE);
}

/* Copies the time, and everything after the key, from r3 to `base`. */
static void copy_kept(struct gen *g, int base)
{
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_3, KEPT_TIME);
	emit_store(g->k, 8, base, KEPT_TIME, BPF_REG_1);
	gen_copy(g, base, g->p->pair.record, g->p->pair.size);
}

static void store_in_place(struct gen *g, int left)
{
	int known = label_new(g->k), claim = label_new(g->k), copy = label_new(g->k);

	inflight_if_ours(g, &g->pairs, known);
	emit_load(g->k, 8, BPF_REG_1, REG_RECORD, KEPT_TAKEN);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, claim);
	crowded_store(g, claim, left);
	label_bind(g->k, known);
	if (!g->c->in->pair->keep_first)
		gen_count_loss(g, LOSS_REPLACED);
	emit_goto(g->k, g->c->in->pair->keep_first ? left : copy);
	label_bind(g->k, claim);
	store_key(g);
	label_bind(g->k, copy);
	emit_move(g->k, BPF_REG_3, REG_SCRATCH);
	copy_kept(g, REG_RECORD);
}

void pair_store(struct gen *g)
{
	int left = label_new(g->k);

	emit_move(g->k, REG_SCRATCH, REG_RECORD);
	emit_alu_imm(g->k, BPF_SUB, REG_SCRATCH, g->p->pair.record);
	guard_enter(g, LOSS_BEGIN_BUSY);
	if (g->pairs.in_places)
		store_in_place(g, left);
	else
		crowded_store(g, left, left);
	label_bind(g->k, left);
	guard_leave(g);
}

/* ---- end ---- */

/* Deletes the key of REG_RECORD and leaves. Falls through; jumps to `busy` if the hash refuses. */
static void delete_found(struct gen *g, int busy)
{
	const struct inflight *s = &g->pairs;
	int ours = label_new(g->k), done = label_new(g->k);

	if (s->in_places)
		emit_jump_reg(g->k, BPF_JEQ, REG_RECORD, REG_PLACE, ours);
	inflight_hash_call(g, s, HELPER_MAP_DELETE);
	emit_jump32(g->k, BPF_JNE, BPF_REG_0, 0, busy);
	if (s->in_places) {
		emit_move(g->k, REG_RECORD, REG_PLACE);
		inflight_add(g, s, KEPT_TAKEN, REPLACE);
		emit_goto(g->k, done);
		label_bind(g->k, ours);
		inflight_free(g, s);
		label_bind(g->k, done);
	}
	guard_leave(g);
}

/* Emitted after the code that continues. Either there is no begin, or the hash could not be
 * changed because this program interrupts another one that changes it. */
static void leave_without(struct gen *g, int none, int busy)
{
	int taken = label_new(g->k);

	emit_goto(g->k, taken);
	label_bind(g->k, busy);
	gen_count_loss(g, LOSS_END_BUSY);
	label_bind(g->k, none);
	guard_leave(g);
	emit_goto(g->k, g->exit);
	label_bind(g->k, taken);
}

void pair_copy(struct gen *g)
{
	int none = label_new(g->k), busy = label_new(g->k);

	pair_scratch(g);
	emit_store(g->k, 8, BPF_REG_10, STACK_KEPT, BPF_REG_0);
	guard_enter(g, LOSS_END_BUSY);
	inflight_find(g, &g->pairs, none);
	emit_move(g->k, BPF_REG_3, REG_RECORD);
	emit_load(g->k, 8, BPF_REG_2, BPF_REG_10, STACK_KEPT);
	copy_kept(g, BPF_REG_2);
	delete_found(g, busy);
	leave_without(g, none, busy);
	emit_load(g->k, 8, REG_RECORD, BPF_REG_10, STACK_KEPT);
	emit_alu_imm(g->k, BPF_ADD, REG_RECORD, g->p->pair.record);
	emit_store(g->k, 8, BPF_REG_10, STACK_KEPT, REG_RECORD);
}

void pair_drop(struct gen *g)
{
	int none = label_new(g->k), busy = label_new(g->k);

	guard_enter(g, LOSS_END_BUSY);
	inflight_find(g, &g->pairs, none);
	delete_found(g, busy);
	leave_without(g, none, busy);
}
