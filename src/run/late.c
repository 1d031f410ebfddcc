/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * late.c - see late.h. Late records also come nearly in order: a new one is inserted from the end.
 */
#include "run/late.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Allocates room for one more record at the end. */
static int room_reserve(struct late *l)
{
	struct late_record **bigger;
	size_t room;

	if (l->end < l->room)
		return 0;
	if (l->first) {
		l->end -= l->first;
		memmove(l->records, l->records + l->first, l->end * sizeof(*l->records));
		l->first = 0;
		return 0;
	}
	room = l->room ? 2 * l->room : 64;
	bigger = reallocarray(l->records, room, sizeof(*bigger));
	if (!bigger)
		return -ENOMEM;
	l->records = bigger;
	l->room = room;
	return 0;
}

int late_add(struct late *l, uint64_t time, const void *record, size_t size)
{
	struct late_record *r = room_reserve(l) ? NULL : malloc(sizeof(*r) + size);
	size_t i;

	if (!r)
		return -ENOMEM;
	r->time = time;
	r->size = size;
	memcpy(r->bytes, record, size);
	for (i = l->end++; i > l->first && l->records[i - 1]->time > time; i--)
		l->records[i] = l->records[i - 1];
	l->records[i] = r;
	return 0;
}

void late_drop(struct late *l)
{
	free(l->records[l->first++]);
	if (l->first == l->end)
		l->first = l->end = 0;
}

void late_free(struct late *l)
{
	while (late_first(l))
		late_drop(l);
	free(l->records);
}
