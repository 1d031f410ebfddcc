/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_lookup.c - a list of names to be looked up at once, and what was found.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/btf_priv.h"
#include "util/array.h"

struct btf_query *btf_lookup_query(const struct btf_lookup *w, unsigned kind, const char *name,
				   size_t len)
{
	for (size_t i = 0; i < w->count; i++) {
		struct btf_query *q = &w->queries[i];

		if (q->kind == kind && !strncmp(q->name, name, len) && !q->name[len])
			return q;
	}
	return NULL;
}

void btf_lookup_add(struct btf_lookup *w, unsigned kind, const char *name, size_t len)
{
	char *copy;

	if (btf_lookup_query(w, kind, name, len))
		return;
	copy = ARRAY_RESERVE(w->queries, w->count, w->room, 32) ? strndup(name, len) : NULL;
	if (!copy) {
		w->err = -ENOMEM;
		return;
	}
	w->queries[w->count++] = (struct btf_query){ .kind = kind, .name = copy };
}

uint32_t btf_lookup_id(const struct btf_lookup *w, unsigned kind, const char *name, size_t len)
{
	const struct btf_query *q = btf_lookup_query(w, kind, name, len);

	return q ? q->id : 0;
}

void btf_lookup_free(struct btf_lookup *w)
{
	for (size_t i = 0; i < w->count; i++)
		free((char *)w->queries[i].name);
	free(w->queries);
	*w = (struct btf_lookup){ 0 };
}
