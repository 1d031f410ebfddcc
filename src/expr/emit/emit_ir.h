/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_ir.h - the steps of a slot.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_IR_H
#define CORETAP_EXPR_EMIT_EMIT_IR_H

#include "expr/emit/emit_common.h"

/* Both leave the result in REG_VALUE. */
/* STORE_COUNTED: after its steps the length is here. */
enum { REG_LENGTH = BPF_REG_2 };
void gen_steps_fast(struct gen *g, const struct slot *s);
void gen_steps_exact(struct gen *g, const struct slot *s);

#endif
