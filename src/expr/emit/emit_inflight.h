/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_inflight.h - a store of what is under way, by its key: calls (emit_call_store.c), pairs
 * (emit_pair_store.c).
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_INFLIGHT_H
#define CORETAP_EXPR_EMIT_EMIT_INFLIGHT_H

#include "expr/emit/emit_common.h"
#include "expr/layout/call_state.h"

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
void inflight_place(struct gen *g, const struct inflight *s);
/* Does the place at REG_RECORD have that key? Then jumps; else r1 stays, unless `guarded`. */
void inflight_if_ours(struct gen *g, const struct inflight *s, int label);
/* Jumps if the hash has no key of that place. */
void inflight_if_none_displaced(struct gen *g, int label);
/* Adds to the word at REG_RECORD + at, by default that of `taken` and `displaced`. */
void inflight_add(struct gen *g, const struct inflight *s, int at, int64_t n);
/* r0 = result of a helper of the hash for the key that is on the stack; of an update, r3 is the value. */
void inflight_hash_call(struct gen *g, const struct inflight *s, int helper);
/* r0 = the key's value in the hash, or NULL. */
void inflight_look(struct gen *g, const struct inflight *s);

/* REG_RECORD = what is kept under the key, or jumps to `none`; before, REG_RECORD is the key's place, if
 * it has one. */
void inflight_find(struct gen *g, const struct inflight *s, int none);
/* Makes the place at REG_RECORD free. */
void inflight_forget(struct gen *g, const struct inflight *s);
/* Deletes the key from the hash; REG_RECORD is its place, if it has one. Jumps if it was not there. */
void inflight_delete(struct gen *g, const struct inflight *s, int done);

#endif
