/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_call.h - the programs of a call.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_CALL_H
#define CORETAP_EXPR_EMIT_EMIT_CALL_H

#include "expr/emit/emit_common.h"
#include "expr/layout/layout.h"

void gen_call(struct gen *g);

/* ---- what the entry of a call kept for its return ---- */

/* Stack offsets; the values that slots share are below (CALL_TEMPS). */
enum {
	STACK_KEY = STACK_TEMPS,
	STACK_KEPT = STACK_TEMPS - 8, /* KEEP_RECORD: address of what was kept */
	STACK_LATENCY = STACK_TEMPS - 16,
	/* The key of a user function's call: 16 bytes, in words that are unused during the
	 * search. */
	STACK_USER_KEY = STACK_STATUS,
	STACK_USER_TASK = STACK_SCRATCH,
};

void gen_latency_load(struct gen *g);
/* Copies bytes [from, end), multiples of 8, from r3 + from to `base` + from. Clobbers r0 to r5. */
void gen_copy(struct gen *g, int base, uint32_t from, uint32_t end);
void gen_kept_slot(struct gen *g, const struct slot *s);
void gen_saved_argument(struct gen *g, const struct vreg *v);

/* ---- emit_inflight.c: stores open calls and pairs by their key ---- */

enum {
	KEPT_TIME = offsetof(struct call_kept, time),
	KEPT_TGID = offsetof(struct call_kept, tgid),
	KEPT_GUARD = offsetof(struct call_kept, guard),
	KEPT_TAKEN = offsetof(struct call_kept, taken),
	KEPT_DISPLACED = offsetof(struct call_kept, displaced),
	KEPT_KEY = offsetof(struct call_kept, key),
	PLACES_BITS = 12, /* at most that many places … */
	ARRAY_BITS = 20,  /* … in at most this many bytes */
};

/* Added to the word of `taken` and `displaced`. TAKE and LEAVE are also added to a guard. */
#define TAKE	 1
#define LEAVE	 (-1)
#define DISPLACE (1ll << 32)
#define REPLACE	 (-DISPLACE)

/* All of these clobber r0 … r5. If `guarded`, the key is on the stack at key_at. Else it is in r1,
 * and the functions that ask the hash store it. */

/* REG_RECORD = the place of the key. Keeps r1, unless `guarded`. */
void inflight_locate(struct gen *g, const struct inflight *s);
/* Jumps if the place at REG_RECORD has that key. Else keeps r1, unless `guarded`. */
void inflight_if_ours(struct gen *g, const struct inflight *s, int label);
/* Jumps if no key of that place is in the hash. */
void inflight_if_none_displaced(struct gen *g, int label);
/* Adds to the word at REG_RECORD + at. */
void inflight_add(struct gen *g, const struct inflight *s, int at, int64_t n);
/* r0 = the result of a helper of the hash, for the key on the stack. For an update, r3 must be the
 * value. */
void inflight_hash_call(struct gen *g, const struct inflight *s, int helper);
/* r0 = the value of the key in the hash, or NULL. */
void inflight_lookup(struct gen *g, const struct inflight *s);

/* REG_RECORD = the value of the key; jumps to `none` if it has none. Before, REG_RECORD must be
 * the place, if there are places. */
void inflight_find(struct gen *g, const struct inflight *s, int none);
/* Frees the place at REG_RECORD. */
void inflight_free(struct gen *g, const struct inflight *s);
/* Deletes the key from the hash. REG_RECORD must be its place, if there are places. Jumps if the
 * key was not in the hash. */
void inflight_delete(struct gen *g, const struct inflight *s, int done);

/* ---- emit_call_store.c: open calls, by their key ---- */

static inline bool call_by_kprobe(const struct gen *g)
{
	return g->target->method == EXPR_CTX_KPROBE;
}

/* True if the entry keeps anything in a map. */
static inline bool call_has_map(const struct gen *g)
{
	return !g->c->in->session || g->p->calls.keep == KEEP_RECORD;
}

/* True if the stack pointer is known at a return. Else refuses the program. */
bool call_frame_at_return(struct gen *g);
/* Bytes that the return has popped from the stack: the return address. */
int call_popped(const struct gen *g);

/* All of these clobber r0 … r5 and REG_RECORD. */
void call_maps_add(struct gen *g);
/* REG_RECORD = memory for this call; jumps to g->full if there is none. */
void call_reserve(struct gen *g);
/* r1 = the call's key. */
void call_key(struct gen *g, bool at_return);
/* REG_RECORD = the value of the call whose key is in r1; jumps to `none` if it has none. */
void call_find(struct gen *g, int none);
/* Deletes this call from the store. `found`: REG_RECORD points to it. */
void call_delete(struct gen *g, bool at_return, bool found);

/* ---- emit_pair.c: the two programs of a pair ---- */

/* Emits the program that expr_pair.makes_end selects. */
void gen_pair(struct gen *g);

/* ---- emit_pair_store.c: open begins, by the key of the pair ---- */

/* All of these clobber r0 … r5, REG_VALUE and REG_RECORD. The key must be on the stack. */
void pair_maps_add(struct gen *g);
/* r0 = this CPU's working copy of a kept value (struct call_kept). */
void pair_scratch(struct gen *g);
/* Stores the working copy, whose record is at REG_RECORD. Clobbers REG_TASK; jumps to the exit. */
void pair_store(struct gen *g);
/* STACK_KEPT = REG_RECORD = a copy of the begin's record, which is deleted from the store. Jumps
 * to the exit if there is no begin. */
void pair_copy(struct gen *g);
/* Deletes the begin without a copy. */
void pair_drop(struct gen *g);

#endif
