/* SPDX-License-Identifier: GPL-2.0 */
/*
 * call.h - what the files that trace whole calls share: call.c (what is kept), call_kept.c (where),
 * call_side.c (the programs).
 */
#ifndef CORETAP_EXPR_CALL_H
#define CORETAP_EXPR_CALL_H

#include "expr/emit.h"

/* On the stack: what slots share lies below (CALL_TEMPS). */
enum {
	STACK_KEY = STACK_TEMPS,
	STACK_KEPT = STACK_TEMPS - 8, /* KEEP_RECORD: where it lies */
	STACK_LATENCY = STACK_TEMPS - 16,
};

/* What is kept of a call. KEEP_RECORD: the rest of a record follows, at its place. */
struct call_kept {
	uint64_t time;
	uint32_t tgid;
	uint32_t pad;
	uint32_t taken;     /* of a place in the array: 1, and 1 for each who just asks … */
	uint32_t displaced; /* … and how many keys that belong here are in the hash */
	uint64_t key;       /* whose place this is; in the hash 0 */
};
_Static_assert(sizeof(struct call_kept) <= sizeof(struct event_header), "a record follows");

static inline bool call_by_kprobe(const struct gen *g)
{
	return g->target->rung == EXPR_RUNG_KPROBE;
}

/* Does anything lie in a map? */
static inline bool call_has_map(const struct gen *g)
{
	return !g->c->in->session || g->p->keep == KEEP_RECORD;
}

/* call_kept.c. All spoil r0 … r5 and REG_RECORD. */
/* Asks for the maps; an error is in g->c->err. */
void call_maps_ask(struct gen *g);
/* REG_RECORD = where this call is kept from now on; or goes to g->full. */
void call_take(struct gen *g);
/* r1 = the call's key. */
void call_key(struct gen *g, bool at_return);
/* REG_RECORD = what was kept of the call whose key is in r1; or goes to `none`. */
void call_find(struct gen *g, int none);
/* Forgets this call, wherever it is. `found`: at REG_RECORD. */
void call_forget(struct gen *g, bool at_return, bool found);

/* call_side.c: both programs, or the one that sees both sides. */
void call_session(struct gen *g);
void call_pair(struct gen *g);

#endif
