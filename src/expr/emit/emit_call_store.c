/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_call_store.c - open calls: their key, and the store that holds them (emit_inflight.c).
 *
 * The key is an address on the kernel's stack: of the arguments that a trampoline saves, or of
 * the return address. No other call of any task has that address at the same time, however deeply
 * calls nest, so everything done with one key is done by one task, in order. A call that never
 * returns leaves its key in the store; the next call with that key takes over its entry.
 *
 * A user function's call has a key of two words: the address on the user's stack, which is the
 * same in many processes (without ASLR, after a fork), and the thread, by the kernel's numbers.
 * The context cannot be the key: it is the user's registers at the top of the kernel's stack, the
 * same address for all nested calls. Nor can the kernel's own record of the call (struct
 * return_instance), which no program gets before the sessions of 6.13. The stack pointer is
 * exact: at the entry of a function it points to the return address (x86-64), or the call has not
 * changed it (arm64), and a thread cannot have two calls with the same one. At the return x86-64
 * has popped the return address, of 4 bytes in a 32-bit program. Such a call costs a thousand
 * instructions anyway, so it is kept in the hash only.
 *
 *	recursion, nested calls	the stack pointer is lower
 *	longjmp, an abandoned coroutine	the next call with that stack pointer takes over (no_return)
 *	fork	the child returns with the parent's stack pointer, but has another number: no_entry
 *	the thread or the process ends	no other call has that key soon: user space deletes it
 *		(probe/lost_calls.c)
 *	more than 64 nested calls	the kernel does not follow them (MAX_URETPROBE_DEPTH), and
 *		reports it nowhere: as longjmp
 */
#include "expr/emit/emit_call.h"

enum {
	CALLS_MAX = 16384, /* of the hash, shared by all programs … */
	CALLS_LEAST = 1024,
	CALLS_LEAST_EACH = 128, /* … at least that many each, if there are many programs … */
	CALLS_BYTES = 8 << 20,	/* … but only as many as fit into this memory */
};

/* ---- the maps ---- */

/* Without may_goto the verifier needs long for the walk of a path, and would follow it twice: for a record in a place and
 * for one in the hash. */
static bool has_long_path(const struct gen *g)
{
	const struct plan *plan = &g->p->plan;

	if (g->target->may_goto)
		return false;
	for (size_t i = 0; i < g->p->slot_count && g->p->calls.keep == KEEP_RECORD; i++) {
		if (g->p->slots[i].store.kind == STORE_PATH)
			return true;
	}
	for (size_t i = 0; i < plan->value_count && g->p->calls.entry_counts; i++) {
		if (plan->values[i].op == VREG_PATH)
			return true;
	}
	return false;
}

static bool has_places(const struct gen *g)
{
	return !has_long_path(g) && !g->c->in->site.in_user &&
	       (target_arch(g->target)->orders_memory || !call_by_kprobe(g));
}

/* With many programs, each gets few places. */
static unsigned count_bits(const struct gen *g)
{
	int room = ARRAY_BITS - call_size_bits(g->p->calls.size);

	for (size_t programs = g->c->in->run.siblings; programs > 1; programs /= 2)
		room--;
	if (room < 0 || !has_places(g))
		return 0;
	return room < PLACES_BITS ? room : PLACES_BITS;
}

/* The capacity of the hash. Its entries are preallocated, because allocation may not be possible
 * while a call is traced. */
static uint32_t calls_room(const struct gen *g)
{
	size_t programs = g->c->in->run.siblings ?: 1;
	uint32_t fit = CALLS_BYTES / g->p->calls.size / programs;
	uint32_t least = programs > 1 ? CALLS_LEAST_EACH : CALLS_LEAST;

	return fit > CALLS_MAX ? CALLS_MAX : fit < least ? least : fit;
}

void call_maps_add(struct gen *g)
{
	if (!call_has_map(g))
		return;
	g->calls = (struct inflight){
		.size_bits = call_size_bits(g->p->calls.size),
		.count_bits = count_bits(g),
		.words = g->c->in->site.in_user ? 2 : 1,
		.key_at = g->c->in->site.in_user ? STACK_USER_KEY : STACK_KEY,
		.in_places = has_places(g),
		.ordered = true,
	};
	g->calls.hash = gen_map_index(g, EXPR_MAP_CALLS, BPF_MAP_TYPE_HASH, 8 * g->calls.words,
				      g->p->calls.size, calls_room(g));
	g->calls.places = gen_map_index(g, EXPR_MAP_PLACES, BPF_MAP_TYPE_ARRAY, 4,
					1u << (g->calls.size_bits + g->calls.count_bits), 1);
}

/* ---- the key ---- */

/* r1 ^= the number of the function, in bits that are the same in all addresses. One program may
 * serve two functions of which one ends with a jump to the other: both return to the same
 * place. */
static void gen_key_point(struct gen *g)
{
	emit_store(g->k, 8, BPF_REG_10, STACK_KEY, BPF_REG_1);
	gen_point(g, BPF_REG_0);
	emit_alu_imm(g->k, BPF_LSH, BPF_REG_0, 48);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEY);
	emit_alu(g->k, BPF_XOR, BPF_REG_1, BPF_REG_0);
}

int call_popped(const struct gen *g)
{
	int size = target_arch(g->target)->return_size;

	return g->c->in->site.in_user32 ? size / 2 : size;
}

bool call_frame_at_return(struct gen *g)
{
	const struct arch *arch = target_arch(g->target);

	if (!g->target->few_registers || arch->ftrace_return >> arch->sp & 1)
		return true;
	compile_refuse(g->c, (struct span){},
		       "kprobe.multi does not know where the stack was when the function returns");
	compile_hint(g->c, "--attach kprobe does");
	return false;
}

static void gen_key_thread(struct gen *g)
{
	emit_call(g->k, HELPER_PID_TGID);
	emit_store(g->k, 8, BPF_REG_10, STACK_USER_TASK, BPF_REG_0);
}

void call_key(struct gen *g, bool at_return)
{
	const struct arch *arch = target_arch(g->target);

	if (g->c->in->session && at_return) { /* the entry stored the key in the cookie */
		emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEY);
	} else if (call_by_kprobe(g)) {
		if (g->c->in->site.in_user)
			gen_key_thread(g);
		emit_load(g->k, 8, BPF_REG_1, REG_CTX, arch_offset(arch->sp));
		if (at_return && call_frame_at_return(g) && call_popped(g))
			emit_alu_imm(g->k, BPF_SUB, BPF_REG_1, call_popped(g));
		if (g->c->in->run.points && g->c->in->point.index < 0)
			gen_key_point(g);
	} else { /* to the verifier a negated pointer is a number */
		emit_move(g->k, BPF_REG_1, REG_CTX);
		emit_negate(g->k, BPF_REG_1);
	}
}

/* ---- operations on a call ---- */

/* r0 = a new entry of the hash. Its value is not initialized: the stack is too small for one. */
static void hash_add(struct gen *g, const struct inflight *s)
{
	int full = label_new(g->k), added = label_new(g->k);

	if (s->in_places)
		inflight_add(g, s, KEPT_TAKEN, DISPLACE + LEAVE);
	emit_map(g->k, BPF_REG_1, s->hash);
	emit_address(g->k, BPF_REG_2, BPF_REG_10, s->key_at);
	emit_map_value(g->k, BPF_REG_3, s->places);
	emit_move_imm(g->k, BPF_REG_4, BPF_ANY);
	emit_call(g->k, HELPER_MAP_UPDATE);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, full);
	inflight_hash_call(g, s, HELPER_MAP_LOOKUP);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, added);
	label_bind(g->k, full);
	if (s->in_places)
		inflight_add(g, s, KEPT_TAKEN, REPLACE);
	emit_goto(g->k, g->full);
	label_bind(g->k, added);
	emit_store_imm(g->k, 8, BPF_REG_0, KEPT_KEY, 0);
}

/* The place belongs to another call, or some keys of the place are in the hash, possibly ours. */
static void reserve_crowded(struct gen *g, const struct inflight *s, int claim, int taken)
{
	int known = label_new(g->k), free = label_new(g->k), entry = label_new(g->k);

	inflight_lookup(g, s);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, known);
	emit_load(g->k, 4, BPF_REG_1, REG_RECORD, KEPT_TAKEN);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 1, free);
	hash_add(g, s);
	emit_goto(g->k, entry);
	label_bind(g->k, known);
	inflight_add(g, s, KEPT_TAKEN, LEAVE);
	label_bind(g->k, entry);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	emit_goto(g->k, taken);
	label_bind(g->k, free);
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, s->key_at);
	label_bind(g->k, claim);
}

static void reserve_place(struct gen *g, const struct inflight *s)
{
	int claim = label_new(g->k), taken = label_new(g->k);

	inflight_locate(g, s);
	inflight_if_ours(g, s, taken);
	inflight_add(g, s, KEPT_TAKEN, TAKE);
	emit_load(g->k, 8, BPF_REG_2, REG_RECORD, KEPT_TAKEN);
	emit_jump(g->k, BPF_JEQ, BPF_REG_2, 1, claim);
	reserve_crowded(g, s, claim, taken);
	emit_store(g->k, 8, REG_RECORD, KEPT_KEY, BPF_REG_1);
	label_bind(g->k, taken);
}

/* An earlier call of a user function with that key never returned. */
static void count_left(struct gen *g, int known)
{
	int taken = label_new(g->k);

	emit_goto(g->k, taken);
	label_bind(g->k, known);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	gen_count_loss(g, LOSS_NO_RETURN);
	label_bind(g->k, taken);
}

static void reserve_entry(struct gen *g, const struct inflight *s)
{
	int known = label_new(g->k);

	inflight_lookup(g, s);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, known);
	hash_add(g, s);
	if (!g->c->in->site.in_user)
		label_bind(g->k, known);
	emit_move(g->k, REG_RECORD, BPF_REG_0);
	if (g->c->in->site.in_user)
		count_left(g, known);
}

void call_reserve(struct gen *g)
{
	call_key(g, false);
	if (g->calls.in_places)
		reserve_place(g, &g->calls);
	else
		reserve_entry(g, &g->calls);
}

void call_find(struct gen *g, int none)
{
	if (g->calls.in_places)
		inflight_locate(g, &g->calls);
	inflight_find(g, &g->calls, none);
}

void call_delete(struct gen *g, bool at_return, bool found)
{
	const struct inflight *s = &g->calls;
	int ours = label_new(g->k), done = label_new(g->k);

	if (found && s->in_places) {
		emit_load(g->k, 8, BPF_REG_1, REG_RECORD, KEPT_KEY);
		emit_jump(g->k, BPF_JNE, BPF_REG_1, 0, ours);
	}
	call_key(g, at_return);
	if (s->in_places) {
		inflight_locate(g, s);
		inflight_if_ours(g, s, ours);
		inflight_if_none_displaced(g, done);
	}
	inflight_delete(g, s, done);
	if (s->in_places) {
		emit_goto(g->k, done);
		label_bind(g->k, ours);
		inflight_free(g, s);
	}
	label_bind(g->k, done);
}
