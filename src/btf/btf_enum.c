/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_enum.c - finds the enum that has a constant.
 *
 * Every name that is neither a parameter nor a variable may be a constant, so this is asked often, and
 * mostly in vain. One sweep over the types notes the names of all constants; after that the name is
 * searched in the strings, and its offset among those noted.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/types.h>

#include "btf/btf_priv.h"

/* Both kinds of values begin with the offset of their name. */
_Static_assert(!offsetof(struct btf_enum, name_off) && !offsetof(struct btf_enum64, name_off), "");

/* The values of an enum, whose bytes are all in memory. */
static int enum_note(struct view_constants *k, const struct btf_type *t, uint32_t id)
{
	size_t words = (btf_kind(t) == BTF_KIND_ENUM64 ? sizeof(struct btf_enum64) :
							 sizeof(struct btf_enum)) /
		       sizeof(uint32_t);
	const uint32_t *name = (const uint32_t *)(t + 1);
	struct view_constant *more = realloc(k->all,
					     (k->count + (size_t)btf_vlen(t)) * sizeof(*more) + 1);

	if (!more)
		return -ENOMEM;
	k->all = more;
	for (unsigned i = 0; i < btf_vlen(t); i++, name += words)
		k->all[k->count++] = (struct view_constant){ *name, id };
	return 0;
}

static bool is_enum(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_ENUM || btf_kind(t) == BTF_KIND_ENUM64;
}

/* Notes the enums of the types whose headers are in the window; `id` goes with them. Returns how many
 * bytes it has seen: up to an enum that is not wholly in the window at most; or -errno. */
static ssize_t window_note(struct view_constants *k, const struct view_window *w, uint32_t *id)
{
	size_t at = 0;

	while (at + sizeof(struct btf_type) <= w->len) {
		const struct btf_type *t = (const void *)(w->data + at);
		size_t size = view_type_size(t);
		int err = 0;

		if (!size)
			return -EBADMSG;
		if (is_enum(t) && at + size > w->len)
			break;
		if (is_enum(t))
			err = enum_note(k, t, *id);
		if (err)
			return err;
		at += size;
		++*id;
	}
	return at;
}

/* All constants of the view's own types. What is damaged ends the list. */
static void constants_note(struct btf_view *b)
{
	uint32_t off = b->types, id = btf_view_first(b);
	struct view_window window;
	ssize_t seen = 1;

	if (b->constants.noted || view_window_init(&window, b))
		return;
	b->constants.noted = true;
	while (seen > 0 && off < b->types_end && !view_window_move(&window, b, off, b->types_end)) {
		seen = window_note(&b->constants, &window, &id);
		off += seen > 0 ? seen : 0;
	}
	view_window_free(&window);
}

static uint32_t constant_enum(const struct btf_view *b, uint32_t name)
{
	constants_note((struct btf_view *)b); /* no view is created const: see btf.h */
	for (uint32_t i = 0; i < b->constants.count; i++)
		if (b->constants.all[i].name == name)
			return b->constants.all[i].id;
	return 0;
}

uint32_t btf_view_enum_with(const struct btf_view *b, const char *name)
{
	uint32_t offset = view_string_find(b, name), id = 0;

	if (!offset)
		return 0;
	if (b->base && offset < b->base_strings)
		id = constant_enum(b->base, offset);
	return id ?: constant_enum(b, offset);
}
