/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena.c - the memory of one program: allocated in pieces, freed as a whole.
 */
#include "expr/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_SIZE = 8192 };

struct arena_block {
	struct arena_block *next;
	size_t used, size;
	_Alignas(16) char bytes[];
};

static struct arena_block *block_add(struct arena *a, size_t size)
{
	size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;
	struct arena_block *block = calloc(1, sizeof(*block) + room);

	if (!block)
		return NULL;
	block->size = room;
	block->next = a->blocks;
	a->blocks = block;
	return block;
}

void *arena_alloc(struct arena *a, size_t size)
{
	struct arena_block *block = a->blocks;
	void *bytes;

	size = (size + 15) & ~(size_t)15;
	if (!block || size > block->size - block->used)
		block = block_add(a, size);
	if (!block)
		return NULL;
	bytes = block->bytes + block->used;
	block->used += size;
	return bytes;
}

char *arena_text(struct arena *a, const char *text, size_t len)
{
	char *copy = arena_alloc(a, len + 1);

	if (copy)
		memcpy(copy, text, len);
	return copy;
}

char *arena_print(struct arena *a, const char *fmt, va_list args)
{
	va_list again;
	char *text;
	int len;

	va_copy(again, args);
	len = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	text = len < 0 ? NULL : arena_alloc(a, (size_t)len + 1);
	if (text)
		vsnprintf(text, (size_t)len + 1, fmt, args);
	return text;
}

void arena_free(struct arena *a)
{
	while (a->blocks) {
		struct arena_block *next = a->blocks->next;

		free(a->blocks);
		a->blocks = next;
	}
}
