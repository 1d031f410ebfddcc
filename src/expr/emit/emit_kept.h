/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_kept.h - values that the entry of a call kept for the return.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_KEPT_H
#define CORETAP_EXPR_EMIT_EMIT_KEPT_H

#include "expr/emit/emit_common.h"
#include "expr/layout/call_state.h"

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

#endif
