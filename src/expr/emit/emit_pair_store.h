/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_pair_store.h - what began and has not ended, by the key of a pair.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_PAIR_STORE_H
#define CORETAP_EXPR_EMIT_EMIT_PAIR_STORE_H

#include "expr/emit/emit_common.h"

/* All of these clobber r0 … r5, REG_VALUE and REG_RECORD. The key is on the stack. */
void pair_maps_want(struct gen *g);
/* r0 = what this CPU works on: first what a place has before its record. */
void pair_scratch(struct gen *g);
/* Keeps what the record at REG_RECORD, inside of the scratch, is part of; clobbers REG_TASK. Jumps to
 * the exit. */
void pair_keep(struct gen *g);
/* STACK_KEPT, and REG_RECORD = the record of what is ended, as a copy of this program's own; jumps to
 * the exit if nothing began. */
void pair_take(struct gen *g);
/* The same without a copy. */
void pair_drop(struct gen *g);

#endif
