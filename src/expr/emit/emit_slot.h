/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_slot.h - a slot, in the fast and the exact way.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_SLOT_H
#define CORETAP_EXPR_EMIT_EMIT_SLOT_H

#include "expr/emit/emit_common.h"

void gen_labels_make(struct gen *g, size_t slot);
void gen_slot_fast(struct gen *g, const struct slot *s);
void gen_slot_exact(struct gen *g, const struct slot *s);

#endif
