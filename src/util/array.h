/* SPDX-License-Identifier: GPL-2.0-only */
/* array.h - arrays that grow by doubling. */
#ifndef CORETAP_UTIL_ARRAY_H
#define CORETAP_UTIL_ARRAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Grows `array`, the address of a pointer to items of `size` bytes: `count` are used, *room are allocated. The caller
 * frees it. */
static inline bool array_reserve(void *array, size_t count, size_t *room, size_t first, size_t size)
{
	size_t more = *room ? 2 * *room : first;
	void *items;

	if (count < *room)
		return true;
	memcpy(&items, array, sizeof(items));
	items = realloc(items, more * size);
	if (!items)
		return false;
	memcpy(array, &items, sizeof(items));
	*room = more;
	return true;
}

/* Allocates room for one more item in `list`; an empty list gets room for `first`. Returns false, with nothing
 * changed, if out of memory. */
#define ARRAY_RESERVE(list, count, room, first)                                                    \
	array_reserve(&(list), count, &(room), first, sizeof(*(list)))

#endif
