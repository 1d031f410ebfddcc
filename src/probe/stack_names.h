/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_names.h - user stacks with the names they had when they were captured.
 */
#ifndef CORETAP_PROBE_STACK_NAMES_H
#define CORETAP_PROBE_STACK_NAMES_H

#include "output/rows/stack_id.h"

/* Names the frames of a user stack and keeps them in `tree`. Without memory, does nothing. */
void stack_names_add(void **tree, const struct stack_id *id, const struct event_stack *stack);
/* Its frames, as many as the stack has; NULL: it has not been named. */
const struct frame *stack_names_find(void *const *tree, const struct stack_id *id);
void stack_names_remove(void **tree, const struct stack_id *id);
void stack_names_free(void **tree);

#endif
