/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stacks.c - finds the stacks that records and keys refer to (emit_stack_id.c).
 *
 * A user stack is named as soon as it is announced: a moment later its process may have exited, or
 * run another program. Kernel stacks are named when they are shown.
 */
#include "probe/stacks.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "probe/argdump.h"
#include "probe/stack_names.h"
#include "util/log.h"

/* ---- which symbols are needed ---- */

static void text_look(struct session *s, const char *text)
{
	s->kernel_names |= strstr(text, "$kstack") != NULL;
	s->user_names |= strstr(text, "$ustack") != NULL;
}

void stacks_announce(struct session *s, const struct argdump *a)
{
	const struct aggregate *g = &a->aggregate;

	for (size_t i = 0; i < g->keys_count; i++)
		for (size_t j = 0; j < g->keys[i].count; j++)
			text_look(s, g->keys[i].texts[j]);
	for (size_t i = 0; i < a->request_count; i++)
		for (size_t j = 0; j < a->requests[i].expr_count; j++)
			text_look(s, a->requests[i].exprs[j]);
}

int stacks_copy_check(const struct session *s, const struct argdump *a)
{
	if (!s->options.dwarf)
		return 0;
	if (s->options.dwarf > EXPR_COPY_MAX) {
		log_error("--dwarf copies at most 28K of a stack");
	} else if (aggregate_wanted(&a->aggregate)) {
		log_error(
			"--dwarf shows the stack of each call; it cannot be combined with counting");
		log_hint(
			"'$ustack' and --folded count by stacks, which are found by frame pointers");
	} else if (s->user_names) { /* nothing else asks for names yet */
		log_error("$ustack is found by frame pointers; --dwarf is for -U alone");
		log_hint("leave out $ustack: the stack is printed below each record");
	} else if (a->pair.until.count) {
		log_error(
			"--dwarf cannot be combined with --until: what has begun would be kept with "
			"a copy of its stack");
	} else {
		return 0;
	}
	return -EINVAL;
}

/* ---- finding ---- */

/* The stack, in the room for one; NULL: it is not there. */
static const struct event_stack *stack_read(const struct argdump_stacks *k,
					    const struct stack_id *id)
{
	return bpf_map_lookup_elem(k->kept, id, k->room) ? NULL : k->room;
}

static const struct event_stack *stack_find(void *ctx, const struct stack_id *id,
					    const struct frame **named)
{
	struct argdump_stacks *k = ctx;

	if (k->is_sweeping)
		buf_bytes(&k->used, id, sizeof(*id));
	*named = stack_names_find(&k->named, id);
	return stack_read(k, id);
}

void stacks_poll(struct session *s)
{
	struct argdump_stacks *k = &((struct argdump *)s->private)->stacks;
	const struct event_stack *stack;
	struct stack_id id;

	while (k->room && k->news >= 0 && !bpf_map_lookup_and_delete_elem(k->news, NULL, &id)) {
		stack = stack_read(k, &id);
		if (stack && stack->size >= 0)
			stack_names_add(&k->named, &id, stack);
	}
}

/* ---- sweeping ---- */

/*
 * A row is without its stack if a program found the stack after the exchange of the maps, and for
 * the only time in that interval, but before the stack was deleted as one that the interval before
 * did not have. So this is done only where otherwise there would be no room.
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

	k->kept = a->maps.fds[EXPR_MAP_STACKS];
	k->news = a->maps.fds[EXPR_MAP_NEWS];
	if (k->kept < 0)
		return 0;
	if (bpf_obj_get_info_by_fd(k->kept, &info, &len))
		return -errno;
	k->most = info.max_entries;
	k->room = malloc(info.value_size);
	if (!k->room)
		return -ENOMEM;
	stack_ids_from(stack_find, k);
	return 0;
}

void stacks_close(struct argdump *a)
{
	stack_ids_from(NULL, NULL);
	stack_names_free(&a->stacks.named);
	free(a->stacks.room);
	a->stacks.room = NULL;
}
