/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_within.h - is this thread inside of a call of certain functions?
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_WITHIN_H
#define CORETAP_EXPR_EMIT_EMIT_WITHIN_H

#include "expr/emit/emit_common.h"

/* The programs that mark the calls of a set (expr_input.marks): they do nothing else. */
void gen_marks(struct gen *g);
/* A filter: jumps to g->exit unless the thread is inside of all sets of expr_input.within. Clobbers
 * REG_VALUE. */
void gen_filter_within(struct gen *g);
/* REG_VALUE = $depth. */
void gen_depth(struct gen *g);

#endif
