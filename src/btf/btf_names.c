/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_names.c - a hash table of all types by kind and name, for processes that ask for hundreds of names.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf/btf_priv.h"
#include "util/hash.h"

/* Building it costs as much as a few searches (btf_find.c); child processes inherit it. */

static uint32_t hash(unsigned kind, const char *name)
{
	uint32_t h = hash_add(HASH_BEGIN ^ kind, name, strlen(name));

	return h ^ h >> 15;
}

/* Returns the slot of a type, or the empty slot (0) where it would be. */
static uint32_t *slot_find(const struct btf_view *b, unsigned kind, const char *name)
{
	const struct view_names *n = &b->names;
	uint32_t i = hash(kind, name) & n->mask;

	for (; n->slots[i]; i = (i + 1) & n->mask)
		if (btf_view_kind(b, n->slots[i]) == kind &&
		    !strcmp(btf_view_name(b, n->slots[i]), name))
			break;
	return &n->slots[i];
}

/* Reads all pages, which the table needs. Passes then use them as if the file were mapped. */
static void pages_read_all(struct btf_view *b)
{
	if (b->fd < 0 || !view_need(b, 0, b->size))
		return;
	close(b->fd);
	b->fd = -1;
}

/* The first of several types with the same name and kind wins, as in a search. */
int btf_view_names_build(struct btf_view *b)
{
	uint32_t count = btf_view_count(b), room = 1;

	if (b->names.slots || b->base || !count)
		return b->names.slots ? 0 : -EINVAL;
	pages_read_all(b);
	while (room < 2 * count)
		room *= 2;
	b->names = (struct view_names){ calloc(room, sizeof(uint32_t)), room - 1 };
	if (!b->names.slots)
		return -ENOMEM;
	for (uint32_t id = 1; id < count; id++) {
		const char *name = btf_view_name(b, id);
		uint32_t *slot = *name ? slot_find(b, btf_view_kind(b, id), name) : NULL;

		if (slot && !*slot)
			*slot = id;
	}
	return 0;
}

bool view_names_find(const struct btf_view *b, struct btf_query *queries, size_t count)
{
	if (!b->names.slots)
		return false;
	for (size_t i = 0; i < count; i++)
		queries[i].id = *queries[i].name ? *slot_find(b, queries[i].kind, queries[i].name) :
						   0;
	return true;
}
