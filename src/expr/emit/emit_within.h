/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_within.h - --in, $depth and @in(EXPR): the calls that a thread is inside of.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_WITHIN_H
#define CORETAP_EXPR_EMIT_EMIT_WITHIN_H

#include "expr/emit/emit_common.h"

/* The entry of a thread that is inside; the levels of @in(EXPR) follow it. */
struct within {
	uint64_t outer; /* frame of the outermost call */
	uint64_t last;	/* frame of the latest entry; 0: that call has ended */
	uint64_t count;
	uint32_t started, executed; /* identify the thread and its program */
};

enum {
	WITHIN_OUTER = offsetof(struct within, outer),
	WITHIN_LAST = offsetof(struct within, last),
	WITHIN_COUNT = offsetof(struct within, count),
	WITHIN_WHO = offsetof(struct within, started),
	WITHIN_LEVELS = 4, /* nested calls whose values are kept */
	/* offsets in a level */
	LEVEL_FRAME = 0,
	LEVEL_UNREAD = 8,
	LEVEL_VALUES = 16,
};

enum { REG_FRAME = REG_RECORD }; /* of a program that marks: the frame of the call */

/* Emits a program that marks the calls of a set (expr_within.marks). */
void gen_marks(struct gen *g);

/* A filter: jumps to g->exit unless the thread is inside of all sets of expr_within. Clobbers
 * REG_VALUE. */
void gen_filter_within(struct gen *g);
/* REG_VALUE = $depth. */
void gen_depth(struct gen *g);
/* REG_VALUE = value v->imm of the innermost call. Jumps to the slot's failure if there is none. */
void gen_inside(struct gen *g, const struct slot *s, const struct vreg *v, bool exact);

/* The functions below clobber r0 … r5. */

/* Sets r1 to the map and r2 to the address of this thread's key, for a helper. */
void within_key(struct gen *g, unsigned set);
/* REG_VALUE = this thread's entry; jumps to `none` if the thread is not inside. */
void within_find(struct gen *g, unsigned set, int none);
/* r1 = the words `started` and `executed` of this thread. */
void within_who(struct gen *g, bool user);
/* dst = the frame of the probed function. */
void within_frame(struct gen *g, int dst, bool at_return);
/* Jumps to `other` if `frame`, a register, is on another stack than the frame in r1. Clobbers r2. */
void within_if_elsewhere(struct gen *g, int frame, int other);
/* Bytes of an entry; the offset of level `i` in it. */
uint32_t within_size(const struct compile *c);
int within_level(const struct compile *c, int i);

#endif
