/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_aggregate.h - counted calls.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_AGGREGATE_H
#define CORETAP_EXPR_EMIT_EMIT_AGGREGATE_H

#include "expr/emit/emit_common.h"

extern const struct record_ops home_aggregate;

/* ---- emit_measure.c: a measured value into the entry of its key ---- */

/* From the lookup on; nothing in here calls a helper, which would clobber it. */
enum { REG_ENTRY = BPF_REG_0 };

/* Word `word` at `base` += 1, or += register `src` if that is not negative. Clobbers r1. */
void gen_word_add(struct gen *g, int base, unsigned word, int src);
/* Adds REG_VALUE to result `i` of the entry. Clobbers r1 to r5. */
void gen_measure(struct gen *g, size_t i);

#endif
