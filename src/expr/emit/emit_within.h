/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_within.h - is this thread inside of a call of certain functions?
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_WITHIN_H
#define CORETAP_EXPR_EMIT_EMIT_WITHIN_H

#include "expr/emit/emit_common.h"

/* A thread that is inside; then, if there is an @in(EXPR), what its calls keep (emit_inside.c). */
struct within {
	uint64_t outer,
		last; /* frames: of the outermost call, of the latest entry (0: it has ended) */
	uint64_t count;
	uint32_t started, executed; /* which thread and program it is */
};

enum { REG_FRAME = REG_RECORD }; /* of programs that mark: the call's frame */

/* The programs that mark the calls of a set (expr_input.marks): they do nothing else. */
void gen_marks(struct gen *g);
/* A filter: jumps to g->exit unless the thread is inside of all sets of expr_input.within. Clobbers
 * REG_VALUE. */
void gen_filter_within(struct gen *g);
/* REG_VALUE = $depth. */
void gen_depth(struct gen *g);

/* Clobber r0 … r5. REG_VALUE = this thread's entry; jumps to `none` if it is not inside. */
void within_find(struct gen *g, unsigned set, int none);
/* The frame of the function that is probed. */
void within_frame(struct gen *g, int dst, bool at_return);
/* Jumps to `other` if the frame, in a register, is on another stack than that in r1. Clobbers r2. */
void within_if_elsewhere(struct gen *g, int frame, int other);

#endif
