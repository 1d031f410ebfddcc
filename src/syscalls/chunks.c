/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chunks.c - the chunks of memory in a record.
 *
 * The record comes from a ring: every length in it is checked before it is used.
 */
#include <errno.h>

#include "syscalls/text.h"

/* Returns the chunk at `at` bytes from the record's start; NULL: it is not complete. */
static const struct syssnoop_chunk *chunk_at(const struct syssnoop_event *e, size_t at)
{
	const struct syssnoop_chunk *c = (const void *)((const char *)e + at);

	if (at > e->size || e->size - at < sizeof(*c) || c->len > e->size - at - sizeof(*c))
		return NULL;
	return c;
}

static const struct syssnoop_chunk *chunk_first(const struct syssnoop_event *e)
{
	return chunk_at(e, sizeof(*e));
}

static const struct syssnoop_chunk *chunk_next(const struct syssnoop_event *e,
					       const struct syssnoop_chunk *c)
{
	size_t at = (size_t)((const char *)c - (const char *)e);

	return chunk_at(e, at + sizeof(*c) + ((size_t)c->len + 3) / 4 * 4);
}

const struct syssnoop_chunk *chunk_find(const struct syssnoop_event *e, unsigned arg, unsigned when,
					unsigned part)
{
	const struct syssnoop_chunk *c = chunk_first(e);

	while (c && !(c->arg == arg && c->when & when && c->part == part))
		c = chunk_next(e, c);
	return c;
}

/* A variant may need less than the largest. */
static bool is_enough(const struct syssnoop_event *e, const struct syssnoop_chunk *c,
		      const struct type *t)
{
	uint32_t align;

	if (t->kind == TYPE_FDSET)
		return (uint64_t)c->len * 8 >= (uint32_t)e->args[0];
	return t->kind == TYPE_STRUCT && !t->array && c->len >= type_size(t, e->abi, &align);
}

/* Returns the passed data: the entry's chunk or, if that is incomplete, the return's. */
const struct syssnoop_chunk *chunk_of(const struct syssnoop_event *e, unsigned arg,
				      const struct type *t)
{
	const struct syssnoop_chunk *before, *after;

	if (t->ptr == '>' || t->ptr == '<')
		return chunk_find(e, arg, TAKE_AT_RETURN, 0);
	before = chunk_find(e, arg, TAKE_AT_ENTRY, 0);
	if (chunk_is_good(before) && (!before->unread || is_enough(e, before, t)))
		return before;
	after = chunk_find(e, arg, TAKE_AT_RETURN, 0);
	if (!after)
		return before;
	if (before && t->limit_arg == LIMIT_SIZE && e->ret == -E2BIG) /* the size is the kernel's */
		return before;
	return !before || after->len >= before->len ? after : before;
}

bool chunk_is_good(const struct syssnoop_chunk *c)
{
	return c && (c->status == EVENT_OK || c->status == EVENT_CUT);
}
