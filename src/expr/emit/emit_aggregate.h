/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_aggregate.h - counted calls.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_AGGREGATE_H
#define CORETAP_EXPR_EMIT_EMIT_AGGREGATE_H

#include "expr/emit/emit_common.h"

extern const struct record_ops home_aggregate;

/* ---- emit_measure.c: adds a measured value to its entry ---- */

/* The entry, from the lookup on. No helper is called after it, which would clobber r0. */
enum { REG_ENTRY = BPF_REG_0 };

/* Word `word` at `base` += 1, or += register `src` if that is not negative. Clobbers r1. */
void gen_word_add(struct gen *g, int base, unsigned word, int src);
/* Adds REG_VALUE to result `i` of the entry. Clobbers r1 to r5. */
void gen_measure(struct gen *g, size_t i);

#endif
