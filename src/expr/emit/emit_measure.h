/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_measure.h - a measured value into the entry of its key.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_MEASURE_H
#define CORETAP_EXPR_EMIT_EMIT_MEASURE_H

#include "expr/emit/emit_common.h"

/* From the lookup on; nothing in here calls a helper, which would clobber it. */
enum { REG_ENTRY = BPF_REG_0 };

/* Word `word` at `base` += 1, or += register `src` if that is not negative. Clobbers r1. */
void gen_word_add(struct gen *g, int base, unsigned word, int src);
/* Adds REG_VALUE to result `i` of the entry. Clobbers r1 to r5. */
void gen_measure(struct gen *g, size_t i);

#endif
