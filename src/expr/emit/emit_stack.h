/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_stack.h - the requested stacks.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_STACK_H
#define CORETAP_EXPR_EMIT_EMIT_STACK_H

#include "expr/emit/emit_common.h"

void gen_stacks(struct gen *g);

#endif
