/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_call_store.h - calls under way: their key, and the store that has them.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_CALL_STORE_H
#define CORETAP_EXPR_EMIT_EMIT_CALL_STORE_H

#include "expr/emit/emit_common.h"

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
void call_maps_want(struct gen *g);
/* REG_RECORD = where this call is kept from now on; jumps to g->full if there is no room. */
void call_take(struct gen *g);
/* r1 = the call's key. */
void call_key(struct gen *g, bool at_return);
/* REG_RECORD = what was kept of the call whose key is in r1; jumps to `none` if there is
 * nothing. */
void call_find(struct gen *g, int none);
/* Deletes this call from the store. `found`: REG_RECORD points to it. */
void call_delete(struct gen *g, bool at_return, bool found);

#endif
