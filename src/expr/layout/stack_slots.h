/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_slots.h - stacks in a record.
 */
#ifndef CORETAP_EXPR_LAYOUT_STACK_SLOTS_H
#define CORETAP_EXPR_LAYOUT_STACK_SLOTS_H

#include "expr/compile.h"
#include "util/buf.h"

/* How large they are. */
void stacks_measure(struct compile *c);
/* Assigns places from `at` on; returns the end. */
uint32_t stacks_place(struct compile *c, uint32_t at);
size_t stacks_count(const struct expr_program *p);
void stacks_schema(struct expr_program *p);
bool stacks_have(const struct expr_program *p, const char *key);
void stacks_describe(const struct expr_program *p, struct buf *o);

#endif
