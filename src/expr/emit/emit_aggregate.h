/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emit_aggregate.h - counted calls.
 */
#ifndef CORETAP_EXPR_EMIT_EMIT_AGGREGATE_H
#define CORETAP_EXPR_EMIT_EMIT_AGGREGATE_H

#include "expr/emit/emit_common.h"

extern const struct record_ops home_aggregate;
/* Clears the bits of REG_VALUE that are not part of the slot's field. */
void gen_key_bits(struct gen *g, const struct slot *s);

/* The name of the running task, with zeros after its NUL, to `to` in the record. */
void gen_key_comm(struct gen *g, int to);

#endif
