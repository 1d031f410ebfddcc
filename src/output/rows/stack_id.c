/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_id.c - loads a stack by its struct stack_id.
 *
 * This file does not know where stacks are stored.
 */
#include "output/rows/stack_id.h"

#include <errno.h>
#include <string.h>

#include "output/field/field_kind.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "output/field/value_text.h"

static stack_find_fn *find;
static void *find_ctx;

void stack_ids_set_finder(stack_find_fn *fn, void *ctx)
{
	find = fn;
	find_ctx = ctx;
}

static enum event_status status_of(uint64_t hash)
{
	if (hash == STACK_NEVER)
		return EVENT_NIL;
	return hash == STACK_FAULT ? EVENT_FAULT : EVENT_NONE;
}

static int load_stack_id(const struct field *f, const void *record, size_t size, struct value *v)
{
	const struct event_stack *stack;
	struct stack_id id = { 0 };

	(void)size;
	if (f->size > sizeof(id))
		return -EBADMSG;
	memcpy(&id, (const char *)record + f->offset, f->size);
	*v = (struct value){ 0 };
	stack = find && id.hash >= STACK_NONE ? find(find_ctx, &id, &v->named) : NULL;
	v->status = stack ? EVENT_OK : status_of(id.hash);
	if (!stack)
		return 0;
	v->u = f->type == FIELD_USER_STACK ? id.tgid : stack->function;
	v->bytes = (const char *)stack->frames;
	v->len = (unsigned)stack->size;
	return stack->size < 0 || v->len % 8 ? -EBADMSG : 0;
}

#define STACK_ID                                                                                   \
	{                                                                                          \
		.name = "stack", .flags = KIND_BELOW, .size_min = sizeof(__u64),                   \
		.load = load_stack_id, .text = text_stack, .json = json_stack                      \
	}
const struct field_kind stack_id_kinds[2] = { STACK_ID, STACK_ID };
