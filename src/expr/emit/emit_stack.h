/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_stack.h - the requested stacks.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_STACK_H
#define CORETAP_EXPR_EMIT_EMIT_STACK_H

#include "expr/emit/emit_common.h"

enum { USER_STACK_FLAG = 1 << 8 }; /* BPF_F_USER_STACK */

void gen_stacks(struct gen *g);
/* A struct event_user_copy, to REG_RECORD + at (emit_user_copy.c). Clobbers r0 … r5 and REG_VALUE. */
void gen_user_copy(struct gen *g, uint32_t at);
/* STORE_STACK (emit_stack_id.c). Clobbers r0 … r5 and REG_VALUE. */
void gen_stack_id(struct gen *g, const struct slot *s);
/* The address of the probed function, to base + at; 0: not known, or a user stack. */
void gen_stack_function(struct gen *g, int which, int base, uint32_t at);
/* As many frames as records have, to base + at. r0: their bytes, or an error. Clobbers r0 … r5. */
void gen_stack_frames(struct gen *g, int which, int base, uint32_t at);

#endif
