/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_inside.h - @in(EXPR): what the calls of --in keep for those inside of them.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_INSIDE_H
#define CORETAP_EXPR_EMIT_EMIT_INSIDE_H

#include "expr/emit/emit_within.h"

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
