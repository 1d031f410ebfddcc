/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_call.h - the programs of a call.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_CALL_H
#define CORETAP_EXPR_EMIT_EMIT_CALL_H

#include "expr/emit/emit_common.h"
#include "expr/layout/layout.h"

void gen_call(struct gen *g);

/* ---- values that the entry of a call kept for the return ---- */

/* On the stack; the values that slots share are below (CALL_TEMPS). */
enum {
	STACK_KEY = STACK_TEMPS,
	STACK_KEPT = STACK_TEMPS - 8, /* KEEP_RECORD: its address */
	STACK_LATENCY = STACK_TEMPS - 16,
	/* The key of a user function's call: 16 bytes, in the words that nothing uses while a call
	 * is sought. */
	STACK_USER_KEY = STACK_STATUS,
	STACK_USER_TASK = STACK_SCRATCH,
};

void gen_latency_load(struct gen *g);
/* Copies bytes [from, end), multiples of 8, from r3 + from to `base` + from. Clobbers r0 to r5. */
void gen_copy(struct gen *g, int base, uint32_t from, uint32_t end);
void gen_kept_slot(struct gen *g, const struct slot *s);
void gen_saved_argument(struct gen *g, const struct vreg *v);

/* ---- emit_inflight.c: a store of what is under way, by its key: calls (emit_call_store.c), pairs (emit_pair_store.c) ---- */

enum {
	KEPT_TIME = offsetof(struct call_kept, time),
	KEPT_TGID = offsetof(struct call_kept, tgid),
	KEPT_GUARD = offsetof(struct call_kept, guard),
	KEPT_TAKEN = offsetof(struct call_kept, taken),
	KEPT_DISPLACED = offsetof(struct call_kept, displaced),
	KEPT_KEY = offsetof(struct call_kept, key),
	PLACES_BITS = 12, /* at most this many places … */
	ARRAY_BITS = 20,  /* … in at most this many bytes */
};

/* Added to the word of `taken` and `displaced`; or TAKE and LEAVE to a guard. */
#define TAKE	 1
#define LEAVE	 (-1)
#define DISPLACE (1ll << 32)
#define REPLACE	 (-DISPLACE)

/* All of these clobber r0 … r5. "The key" is on the stack at key_at; unless `guarded`, it is in r1, and
 * put there when the hash is asked. */

/* REG_RECORD = the place of the key; r1 stays, unless `guarded`. */
void inflight_locate(struct gen *g, const struct inflight *s);
/* Does the place at REG_RECORD have that key? Then jumps; else r1 stays, unless `guarded`. */
void inflight_if_ours(struct gen *g, const struct inflight *s, int label);
/* Jumps if the hash has no key of that place. */
void inflight_if_none_displaced(struct gen *g, int label);
/* Adds to the word at REG_RECORD + at, by default that of `taken` and `displaced`. */
void inflight_add(struct gen *g, const struct inflight *s, int at, int64_t n);
/* r0 = result of a helper of the hash for the key that is on the stack; of an update, r3 is the value. */
void inflight_hash_call(struct gen *g, const struct inflight *s, int helper);
/* r0 = the key's value in the hash, or NULL. */
void inflight_lookup(struct gen *g, const struct inflight *s);

/* REG_RECORD = what is kept under the key, or jumps to `none`; before, REG_RECORD is the key's place, if
 * it has one. */
void inflight_find(struct gen *g, const struct inflight *s, int none);
/* Makes the place at REG_RECORD free. */
void inflight_free(struct gen *g, const struct inflight *s);
/* Deletes the key from the hash; REG_RECORD is its place, if it has one. Jumps if it was not there. */
void inflight_delete(struct gen *g, const struct inflight *s, int done);

/* ---- emit_call_store.c: calls under way: their key, and the store that has them ---- */

static inline bool call_by_kprobe(const struct gen *g)
{
	return g->target->method == EXPR_CTX_KPROBE;
}

/* Is anything kept in a map? */
static inline bool call_has_map(const struct gen *g)
{
	return !g->c->in->session || g->p->keep == KEEP_RECORD;
}

/* Is the stack pointer known at a return? Else the program is refused: what is there instead is any
 * number. */
bool call_frame_at_return(struct gen *g);
/* Bytes by which the stack pointer is higher at the return: the return address has been popped. */
int call_popped(const struct gen *g);

/* All of these clobber r0 … r5 and REG_RECORD. */
void call_maps_add(struct gen *g);
/* REG_RECORD = where this call is kept from now on; jumps to g->full if there is no room. */
void call_reserve(struct gen *g);
/* r1 = the call's key. */
void call_key(struct gen *g, bool at_return);
/* REG_RECORD = what was kept of the call whose key is in r1; jumps to `none` if there is
 * nothing. */
void call_find(struct gen *g, int none);
/* Deletes this call from the store. `found`: REG_RECORD points to it. */
void call_delete(struct gen *g, bool at_return, bool found);

/* ---- emit_pair.c: the two programs of a pair of probes ---- */

/* Makes the one that expr_pair.makes_end says. */
void gen_pair(struct gen *g);

/* ---- emit_pair_store.c: what began and has not ended, by the key of a pair ---- */

/* All of these clobber r0 … r5, REG_VALUE and REG_RECORD. The key is on the stack. */
void pair_maps_add(struct gen *g);
/* r0 = what this CPU works on: first what a place has before its record. */
void pair_scratch(struct gen *g);
/* Keeps what the record at REG_RECORD, inside of the scratch, is part of; clobbers REG_TASK. Jumps to
 * the exit. */
void pair_keep(struct gen *g);
/* STACK_KEPT, and REG_RECORD = the record of what is ended, as a copy of this program's own; jumps to
 * the exit if nothing began. */
void pair_copy(struct gen *g);
/* The same without a copy. */
void pair_drop(struct gen *g);

#endif
