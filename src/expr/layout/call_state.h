/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call_state.h - what is kept of a call from its entry to its return.
 */
#ifndef CORETAP_EXPR_LAYOUT_CALL_STATE_H
#define CORETAP_EXPR_LAYOUT_CALL_STATE_H

#include "expr/compile.h"

/* What is kept of a call. KEEP_RECORD: followed by the rest of a record, at its usual place. */
struct call_kept {
	uint64_t time;
	uint32_t tgid;
	uint32_t pad;
	/* in the array: 1, plus 1 for each program that is just asking for the place … */
	uint32_t taken;
	uint32_t displaced; /* … and the number of keys of this place that are in the hash */
	uint64_t key;	    /* the key that owns the place; in the hash 0 */
};
_Static_assert(sizeof(struct call_kept) <= sizeof(struct event_header), "a record follows");

/* After the plan: decides on which side each slot is computed, and what is kept; then its size. */
void call_keep(struct compile *c);
void call_layout(struct expr_program *p);

#endif
