/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_id.h - stacks that a record contains only as a struct stack_id (event.h): values of FIELD_KERNEL_STACK and
 * FIELD_USER_STACK like any other, once their frames are found.
 */
#ifndef CORETAP_OUTPUT_ROWS_STACK_ID_H
#define CORETAP_OUTPUT_ROWS_STACK_ID_H

#include <linux/types.h>

#include "output/field/field.h"
#include "event.h"
#include "output/field/field_kind.h"

/* For field.kind: [0] a kernel stack, 8 bytes; [1] a user stack, a whole struct stack_id. */
extern const struct field_kind stack_id_kinds[2];

/* Finds a stack by its id. Returns NULL if unknown; the result is valid until the next call. *named: value.named. */
typedef const struct event_stack *stack_find_fn(void *ctx, const struct stack_id *id,
						const struct frame **named);
/* From now on, stacks are found by this function; NULL: none is found. */
void stack_ids_set_finder(stack_find_fn *find, void *ctx);

#endif
