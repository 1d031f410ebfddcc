/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stack_names.c - one block of memory for each stack: its frames, and behind them their texts.
 *
 * The tree is the C library's; hashes keep it flat. There are no more stacks than the kernel side
 * keeps.
 */
#include "probe/stack_names.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/stack.h"
#include "util/buf.h"

struct named {
	struct stack_id id;
	struct frame frames[];
};

static int named_compare(const void *x, const void *y)
{
	return memcmp(x, y, sizeof(struct stack_id));
}

/* ---- making ---- */

/* The texts of a frame are valid until the next one is read: until the end they are offsets. */
static const char *text_keep(struct buf *texts, const char *text)
{
	size_t at = texts->len;

	if (!text)
		return NULL;
	buf_bytes(texts, text, strlen(text) + 1);
	return (const char *)at + 1;
}

static void frames_read(struct buf *frames, struct buf *texts, const struct stack_id *id,
			const struct event_stack *stack)
{
	const struct field field = { .type = FIELD_USER_STACK };
	const struct value v = { .u = id->tgid,
				 .bytes = (const char *)stack->frames,
				 .len = (unsigned)stack->size };
	struct stack_walk w;
	struct frame frame;

	for (stack_begin(&w, &field, &v); stack_next(&w, &frame);) {
		frame.name = text_keep(texts, frame.name);
		frame.module = text_keep(texts, frame.module);
		frame.source = text_keep(texts, frame.source);
		buf_bytes(frames, &frame, sizeof(frame));
	}
}

static void texts_find(struct named *n, size_t count, const char *texts)
{
	for (struct frame *f = n->frames; f < n->frames + count; f++) {
		f->name = f->name ? texts + (size_t)f->name - 1 : NULL;
		f->module = f->module ? texts + (size_t)f->module - 1 : NULL;
		f->source = f->source ? texts + (size_t)f->source - 1 : NULL;
	}
}

static struct named *named_make(const struct stack_id *id, const struct event_stack *stack)
{
	struct named *n = NULL;
	struct buf frames, texts;
	char *behind;

	buf_init(&frames, -1);
	buf_init(&texts, -1);
	frames_read(&frames, &texts, id, stack);
	if (!frames.error && !texts.error)
		n = malloc(sizeof(*n) + frames.len + texts.len);
	if (n) {
		behind = (char *)n->frames + frames.len;
		n->id = *id;
		memcpy(n->frames, frames.data ?: "", frames.len);
		memcpy(behind, texts.data ?: "", texts.len);
		texts_find(n, frames.len / sizeof(struct frame), behind);
	}
	buf_free(&frames);
	buf_free(&texts);
	return n;
}

/* ---- the tree ---- */

void stack_names_add(void **tree, const struct stack_id *id, const struct event_stack *stack)
{
	struct named *n = named_make(id, stack),
		     **there = n ? tsearch(n, tree, named_compare) : NULL;

	if (!there || *there != n) /* named before: it stays */
		free(n);
}

const struct frame *stack_names_find(void *const *tree, const struct stack_id *id)
{
	struct named **there = tfind(id, tree, named_compare);

	return there ? (*there)->frames : NULL;
}

void stack_names_remove(void **tree, const struct stack_id *id)
{
	struct named **there = tfind(id, tree, named_compare), *n;

	if (!there)
		return;
	n = *there;
	tdelete(id, tree, named_compare);
	free(n);
}

void stack_names_free(void **tree)
{
	tdestroy(*tree, free);
	*tree = NULL;
}
