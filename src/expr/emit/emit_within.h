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

/* ---- emit_inside.c: @in(EXPR): what the calls of --in keep for those inside of them ---- */

/* Bytes of a thread's entry, and where a new one is on the stack of a program that marks. */
uint32_t within_size(const struct compile *c);
int within_new_at(const struct gen *g);

/* Of a program that marks; without an @in( ) they do nothing. The values of this call, to the stack, and,
 * behind the program, the exact way to each. */
void inside_values(struct gen *g);
void inside_values_exact(struct gen *g);
/* What is on the stack, into the new entry on the stack; into the entry at REG_VALUE, of a call whose frame
 * is REG_FRAME: in another one, or the outermost. Clobber r1, r2, REG_VALUE. */
void inside_keep_first(struct gen *g);
void inside_keep(struct gen *g);
void inside_keep_anew(struct gen *g);
/* The call with REG_FRAME has ended. */
void inside_leave(struct gen *g);

/* Of those inside: REG_VALUE = that value of the innermost call. Jumps if there is none. */
void gen_inside(struct gen *g, const struct slot *s, const struct vreg *v, bool exact);

#endif
