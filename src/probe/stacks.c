/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.c - finds the stacks that records and keys refer to (emit_stack_id.c).
 *
 * A user stack is named as soon as the program announces it: a moment later its process may have exited, or run
 * another program. Kernel stacks are named when they are shown.
 */
#include "probe/stacks.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/value.h"
#include "probe/argdump.h"
#include "util/log.h"
#include "output/field/stack.h"
#include "util/buf.h"
#include "output/rows/stack_id.h"

/* ---- one block of memory for each stack with names ---- */

struct named {
	struct stack_id id;
	size_t count;
	struct frame frames[];
};

static int named_compare(const void *x, const void *y)
{
	return memcmp(x, y, sizeof(struct stack_id));
}

/* ---- building ---- */

/* Copies a text of a frame, which is valid only until the next frame is read. Returns its offset plus 1 until all
 * frames are read. */
static const char *text_append(struct buf *texts, const char *text)
{
	size_t at = texts->len;

	if (!text)
		return NULL;
	buf_bytes(texts, text, strlen(text) + 1);
	return (const char *)at + 1;
}

static void frame_append(struct buf *frames, struct buf *texts, const struct frame *f)
{
	struct frame frame = *f;

	frame.name = text_append(texts, f->name);
	frame.module = text_append(texts, f->module);
	frame.path = text_append(texts, f->path);
	frame.source = text_append(texts, f->source);
	buf_bytes(frames, &frame, sizeof(frame));
}

static void frames_read(struct buf *frames, struct buf *texts, struct stack_walk *w)
{
	struct frame frame;

	while (stack_next(w, &frame))
		frame_append(frames, texts, &frame);
	if (w->copied.end)
		frame_append(frames, texts, &(struct frame){ .name = w->copied.end });
}

static void texts_find(struct named *n, const char *texts)
{
	for (struct frame *f = n->frames; f < n->frames + n->count; f++) {
		f->name = f->name ? texts + (size_t)f->name - 1 : NULL;
		f->module = f->module ? texts + (size_t)f->module - 1 : NULL;
		f->path = f->path ? texts + (size_t)f->path - 1 : NULL;
		f->source = f->source ? texts + (size_t)f->source - 1 : NULL;
	}
}

static struct named *named_build(const struct stack_id *id, struct stack_walk *w)
{
	struct named *n = NULL;
	struct buf frames, texts;
	char *behind;

	buf_init(&frames, -1);
	buf_init(&texts, -1);
	frames_read(&frames, &texts, w);
	if (!frames.error && !texts.error)
		n = malloc(sizeof(*n) + frames.len + texts.len);
	if (n) {
		behind = (char *)n->frames + frames.len;
		n->id = *id;
		n->count = frames.len / sizeof(struct frame);
		memcpy(n->frames, frames.data ?: "", frames.len);
		memcpy(behind, texts.data ?: "", texts.len);
		texts_find(n, behind);
	}
	buf_free(&frames);
	buf_free(&texts);
	return n;
}

/* ---- the tree ---- */

/* Returns false if out of memory. */
static bool stack_names_add(void **tree, const struct stack_id *id, struct stack_walk *w)
{
	struct named *n = named_build(id, w), **there = n ? tsearch(n, tree, named_compare) : NULL;

	if (!there || *there != n) /* it was named before: keep the first */
		free(n);
	return there;
}

static const struct named *stack_names_find(void *const *tree, const struct stack_id *id)
{
	struct named **there = tfind(id, tree, named_compare);

	return there ? *there : NULL;
}

static void stack_names_remove(void **tree, const struct stack_id *id)
{
	struct named **there = tfind(id, tree, named_compare), *n;

	if (!there)
		return;
	n = *there;
	tdelete(id, tree, named_compare);
	free(n);
}

static void stack_names_free(void **tree)
{
	tdestroy(*tree, free);
	*tree = NULL;
}

/* ---- which symbols are needed ---- */

static void text_visit(struct session *s, const char *text)
{
	s->names.kernel |= strstr(text, "$kstack") != NULL;
	s->names.user |= strstr(text, "$ustack") != NULL;
}

void stacks_announce(struct session *s, const struct argdump *a)
{
	const struct aggregate *g = &a->aggregate;

	for (size_t i = 0; i < g->keys_count; i++)
		for (size_t j = 0; j < g->keys[i].count; j++)
			text_visit(s, g->keys[i].texts[j]);
	for (size_t i = 0; i < a->request_count; i++)
		for (size_t j = 0; j < a->requests[i].expr_count; j++)
			text_visit(s, a->requests[i].exprs[j]);
	/* Counts lose nothing while the kernel's symbols are read to print them. User stacks wait for their names, as
	 * records for room in the ring. */
	s->names.late = aggregate_wanted(g) && !s->names.user && !s->options.stacks.user;
}

int stacks_copy_check(const struct session *s, const struct argdump *a)
{
	if (s->options.stacks.dwarf > EXPR_COPY_MAX) {
		log_error("--dwarf copies at most 28K of a stack");
	} else if (model_has(&a->model, MODEL_UNTIL)) {
		log_error(
			"--dwarf cannot be combined with --until: each begin would be stored with "
			"a copy of its stack");
	} else if (aggregate_wanted(&a->aggregate) && !s->names.user) {
		log_error("--dwarf reads user stacks, and nothing is counted by them");
		log_hint("--by '$ustack' counts by user stacks, and so does --folded");
	} else if (!aggregate_wanted(&a->aggregate) &&
		   s->names.user) { /* nothing else asks for user symbols */
		log_error("$ustack is found by frame pointers; --dwarf is only for -U");
		log_hint("leave out $ustack: the stack is printed below each record");
	} else {
		return 0;
	}
	return -EINVAL;
}

/* ---- finding ---- */

/* Reads the stack into the room for one. Returns NULL if it does not exist. */
static const struct event_stack *stack_read(const struct argdump_stacks *k,
					    const struct stack_id *id)
{
	return bpf_map_lookup_elem(k->kept, id, k->room) ? NULL : k->room;
}

/* Returns a copied stack: its copy is gone, but the named frames have their addresses. */
static const struct event_stack *copied_find(struct argdump_stacks *k, const struct named *named)
{
	if (!named)
		return NULL;
	*k->room = (struct event_stack){ .size = (int)(named->count * sizeof(uint64_t)) };
	for (size_t i = 0; i < named->count; i++)
		k->room->frames[i] = named->frames[i].address ?: UINT64_MAX;
	return k->room;
}

const struct event_stack *stacks_find(void *ctx, const struct stack_id *id,
				      const struct frame **named)
{
	struct argdump_stacks *k = ctx;
	const struct named *n;

	if (!k->room)
		return NULL;
	if (k->is_sweeping)
		buf_bytes(&k->used, id, sizeof(*id));
	n = stack_names_find(&k->named, id);
	*named = n ? n->frames : NULL;
	return k->copies && id->tgid ? copied_find(k, n) : stack_read(k, id);
}

static void stack_name(struct argdump_stacks *k, const struct stack_id *id,
		       const struct event_stack *stack)
{
	const struct field field = { .type = FIELD_USER_STACK };
	const struct value v = { .u = id->tgid,
				 .bytes = (const char *)stack->frames,
				 .len = (unsigned)stack->size };
	struct stack_walk w;

	stack_begin(&w, &field, &v);
	stack_names_add(&k->named, id, &w);
}

void stacks_poll(struct session *s)
{
	struct argdump_stacks *k = &((struct argdump *)s->private)->stacks;
	const struct event_stack *stack;
	struct stack_id id;

	while (k->room && !k->copies && k->news >= 0 &&
	       !bpf_map_lookup_and_delete_elem(k->news, NULL, &id)) {
		stack = stack_read(k, &id);
		if (stack && stack->size >= 0)
			stack_name(k, &id, stack);
	}
}

/* ---- copies ---- */

/* Returns the hash of the frames: never one of enum stack_none. */
static uint64_t frames_hash(const struct stack_frames *f)
{
	uint64_t hash = f->end ? (uintptr_t)f->end : 0;

	for (size_t i = 0; i < f->count; i++)
		hash = (hash ^ f->frames[i].address) * 0x9e3779b97f4a7c15ull;
	return hash | STACK_NONE;
}

uint64_t stacks_copy_name(struct argdump_stacks *k, const struct stack_id *copy,
			  const struct field *field, const struct value *v)
{
	struct stack_id id = *copy;
	struct stack_walk w;

	stack_begin(&w, field, v);
	if (!w.copied.count)
		return STACK_FAULT;
	id.hash = frames_hash(&w.copied);
	if (stack_names_find(&k->named, &id))
		return id.hash;
	if (k->named_count >= k->most || !stack_names_add(&k->named, &id, &w))
		return STACK_LOST;
	k->named_count++;
	return id.hash;
}

void stacks_copies_forget(struct argdump_stacks *k)
{
	if (k->named_count <= k->most / 2)
		return;
	stack_names_free(&k->named);
	k->named_count = 0;
}

/* ---- sweeping ---- */

/*
 * A row lacks its stack if a program used the stack only once in this interval, after the exchange of the maps but
 * before the stack was deleted as one that the previous interval did not use. So sweeping is done only if the map
 * would otherwise become full.
 */
void stacks_sweep_begin(struct argdump *a)
{
	struct argdump_stacks *k = &a->stacks;
	struct stack_id id, *before = NULL;

	if (!k->room)
		return;
	buf_init(&k->old, -1);
	buf_init(&k->used, -1);
	while (!bpf_map_get_next_key(k->kept, before, &id)) {
		buf_bytes(&k->old, &id, sizeof(id));
		before = &id;
	}
	k->is_sweeping = !k->old.error && k->old.len / sizeof(id) > k->most / 2;
}

static int id_compare(const void *x, const void *y)
{
	return memcmp(x, y, sizeof(struct stack_id));
}

static void unused_delete(struct argdump_stacks *k)
{
	const struct stack_id *id = (const void *)k->old.data;
	size_t used = k->used.len / sizeof(*id);

	if (used)
		qsort(k->used.data, used, sizeof(*id), id_compare);
	for (size_t i = 0; i < k->old.len / sizeof(*id); i++, id++) {
		struct stack_id key = *id;

		if (used && bsearch(&key, k->used.data, used, sizeof(key), id_compare))
			continue;
		bpf_map_delete_elem(k->kept, &key);
		stack_names_remove(&k->named, &key);
	}
}

void stacks_sweep_end(struct argdump *a)
{
	struct argdump_stacks *k = &a->stacks;

	if (!k->room)
		return;
	if (k->is_sweeping && !k->used.error)
		unused_delete(k);
	k->is_sweeping = false;
	buf_free(&k->old);
	buf_free(&k->used);
}

/* ---- open and close ---- */

int stacks_open(struct argdump *a)
{
	struct argdump_stacks *k = &a->stacks;
	struct bpf_map_info info = { 0 };
	__u32 len = sizeof(info);
	size_t size;

	k->kept = a->maps.fds[EXPR_MAP_STACKS];
	k->news = a->maps.fds[EXPR_MAP_NEWS];
	if (k->kept < 0 && k->news < 0)
		return 0;
	if (k->kept >= 0 && bpf_obj_get_info_by_fd(k->kept, &info, &len))
		return -errno;
	k->most = info.max_entries ?: a->aggregate.options.keys ?: STACKS_MOST;
	/* a copied stack may have a last frame that says why it ends */
	size = sizeof(*k->room) + ((a->run.stack_depth ?: STACK_DEFAULT) + 1) * sizeof(uint64_t);
	k->room = malloc(info.value_size > size ? info.value_size : size);
	if (!k->room)
		return -ENOMEM;
	stack_ids_set_finder(stacks_find, k);
	return 0;
}

void stacks_close(struct argdump *a)
{
	stack_ids_set_finder(NULL, NULL);
	stack_names_free(&a->stacks.named);
	free(a->stacks.room);
	a->stacks.room = NULL;
}
