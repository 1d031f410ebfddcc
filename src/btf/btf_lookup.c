/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_lookup.c - looks up names in BTF, all in one pass.
 */
#include "btf/btf_lookup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static struct btf_query *query_find(const struct btf_lookup *w, unsigned kind, const char *name,
				    size_t len)
{
	for (size_t i = 0; i < w->count; i++) {
		struct btf_query *q = &w->queries[i];

		if (q->kind == kind && !strncmp(q->name, name, len) && !q->name[len])
			return q;
	}
	return NULL;
}

static bool room_make(struct btf_lookup *w)
{
	size_t room = w->room ? 2 * w->room : 32;
	struct btf_query *queries;

	if (w->count < w->room)
		return true;
	queries = realloc(w->queries, room * sizeof(*queries));
	if (!queries)
		return false;
	w->queries = queries;
	w->room = room;
	return true;
}

void btf_lookup_add(struct btf_lookup *w, unsigned kind, const char *name, size_t len)
{
	char *copy;

	if (query_find(w, kind, name, len))
		return;
	copy = room_make(w) ? strndup(name, len) : NULL;
	if (!copy) {
		w->err = -ENOMEM;
		return;
	}
	w->queries[w->count++] = (struct btf_query){ .kind = kind, .name = copy };
}

int btf_lookup_find(struct btf_lookup *w, const struct btf_view *btf)
{
	return w->err ? w->err : btf_view_find_all(btf, w->queries, w->count);
}

uint32_t btf_lookup_id(const struct btf_lookup *w, unsigned kind, const char *name, size_t len)
{
	const struct btf_query *q = query_find(w, kind, name, len);

	return q ? q->id : 0;
}

void btf_lookup_free(struct btf_lookup *w)
{
	for (size_t i = 0; i < w->count; i++)
		free((char *)w->queries[i].name);
	free(w->queries);
	*w = (struct btf_lookup){ 0 };
}
