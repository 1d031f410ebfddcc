/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_find.c - finds BTF types by kind and name.
 *
 * All names of a batch are first searched in the string section (btf_strings.c); the pass over the types then compares
 * only offsets. This file does not know what a type means.
 *
 * A process that asks for hundreds of names builds a hash table of all types instead.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "btf/btf_modules.h"
#include "btf/btf_priv.h"
#include "util/array.h"
#include "util/hash.h"
#include "util/suggest.h"

/* ---- the hash table: building it costs as much as a few searches; child processes inherit it ---- */

static uint32_t name_hash(unsigned kind, const char *name)
{
	uint32_t h = hash_add(HASH_BEGIN ^ kind, name, strlen(name));

	return h ^ h >> 15;
}

/* Returns the slot of a type, or the empty slot (0) where it would be. */
static uint32_t *name_slot(const struct btf_view *b, unsigned kind, const char *name)
{
	const struct view_names *n = &b->names;
	uint32_t i = name_hash(kind, name) & n->mask;

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
		uint32_t *slot = *name ? name_slot(b, btf_view_kind(b, id), name) : NULL;

		if (slot && !*slot)
			*slot = id;
	}
	return 0;
}

/* Answers all queries from the table. Returns false if the view has none. */
static bool view_names_find(const struct btf_view *b, struct btf_query *queries, size_t count)
{
	if (!b->names.slots)
		return false;
	for (size_t i = 0; i < count; i++)
		queries[i].id = *queries[i].name ? *name_slot(b, queries[i].kind, queries[i].name) :
						   0;
	return true;
}

/* ---- searches ---- */

/* Compares both kinds of names: the offset of a name does not show whose types use it. */
static int pass_types(const struct btf_view *b, const uint32_t *offsets, struct btf_query *queries,
		      size_t count)
{
	bool any = false;
	int err;

	for (size_t i = 0; i < count; i++)
		any |= offsets[i];
	if (!any)
		return 0;
	err = view_pass(b, queries, offsets, count);
	if (err || !b->base)
		return err;
	for (size_t i = 0; i < count; i++)
		if (!queries[i].id && offsets[i] && offsets[i] < b->base_strings)
			return pass_types(b->base, offsets, queries, count);
	return 0;
}

static int names_search(const struct btf_view *b, struct btf_query *queries, size_t count)
{
	uint32_t *offsets = calloc(count, sizeof(*offsets));
	int err;

	if (!offsets)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		queries[i].id = 0;
	err = view_strings_find(b, queries, offsets, count) ?:
							      pass_types(b, offsets, queries, count);
	free(offsets);
	return err;
}

/* Answers queries that were asked before, and collects the others. Returns the number of the others. */
static size_t known_answer(const struct btf_lookup *known, struct btf_query *queries, size_t count,
			   struct btf_query **unknown)
{
	size_t rest = 0;

	for (size_t i = 0; i < count; i++) {
		const struct btf_query *q = btf_lookup_query(
			known, queries[i].kind, queries[i].name, strlen(queries[i].name));

		if (q)
			queries[i].id = q->id;
		else
			unknown[rest++] = &queries[i];
	}
	return rest;
}

enum { KNOWN_MOST = 256 }; /* entries are compared one by one */

/* Caches the results, even if nothing was found: several probes ask for the same names, and a search takes 3 ms or
 * more. */
static void answers_cache(struct btf_lookup *known, const struct btf_query *queries, size_t count)
{
	for (size_t i = 0; i < count && known->count < KNOWN_MOST; i++) {
		size_t len = strlen(queries[i].name);
		struct btf_query *q;

		btf_lookup_add(known, queries[i].kind, queries[i].name, len);
		q = btf_lookup_query(known, queries[i].kind, queries[i].name, len);
		if (q)
			q->id = queries[i].id;
	}
	known->err = 0; /* if out of memory, the next query searches again */
}

bool view_cached(const struct btf_view *b, struct btf_query *q)
{
	struct btf_query *unknown;

	return !known_answer(&b->known, q, 1, &unknown);
}

void view_cache(const struct btf_view *b, const struct btf_query *q)
{
	answers_cache(&((struct btf_view *)b)->known, q, 1); /* cast: as below */
}

/* Answers the others, with what is expected. */
static int unknown_search(struct btf_view *b, struct btf_query *const *unknown, size_t count)
{
	struct btf_lookup expected = b->expected;
	struct btf_query *asked = calloc(count + expected.count, sizeof(*asked));
	int err;

	if (!asked)
		return -ENOMEM;
	b->expected = (struct btf_lookup){ 0 };
	for (size_t i = 0; i < count; i++)
		asked[i] = *unknown[i];
	if (expected.count)
		memcpy(asked + count, expected.queries, expected.count * sizeof(*asked));
	err = names_search(b, asked, count + expected.count);
	for (size_t i = 0; i < count && !err; i++)
		unknown[i]->id = asked[i].id;
	if (!err)
		answers_cache(&b->known, asked, count + expected.count);
	btf_lookup_free(&expected);
	free(asked);
	return err;
}

int btf_view_find_all(const struct btf_view *view, struct btf_query *queries, size_t count)
{
	struct btf_view *b = (struct btf_view *)view; /* cast: every view is created non-const */
	struct btf_query **unknown;
	size_t rest;
	int err;

	if (view_names_find(b, queries, count))
		return 0;
	unknown = calloc(count + 1, sizeof(*unknown));
	if (!unknown)
		return -ENOMEM;
	rest = known_answer(&b->known, queries, count, unknown);
	err = rest ? unknown_search(b, unknown, rest) : 0;
	free(unknown);
	return err;
}

void btf_view_expect(struct btf_view *b, struct btf_lookup *w)
{
	for (size_t i = 0; i < w->count; i++)
		btf_lookup_add(&b->expected, w->queries[i].kind, w->queries[i].name,
			       strlen(w->queries[i].name));
	btf_lookup_free(w);
}

uint32_t btf_view_find(const struct btf_view *b, unsigned kind, const char *name)
{
	struct btf_query query = { kind, name, 0 };

	return btf_view_find_all(b, &query, 1) ? 0 : query.id;
}

uint32_t btf_view_find_own(const struct btf_view *b, unsigned kind, const char *name)
{
	for (uint32_t id = btf_view_first(b); id < btf_view_count(b); id++) {
		const struct btf_type *t = btf_view_type(b, id);

		if (t && btf_kind(t) == kind && !strcmp(btf_view_string(b, t->name_off), name))
			return id;
	}
	return 0;
}

uint32_t btf_view_func(const struct btf_view *b, const char *name)
{
	return btf_view_find(b, BTF_KIND_FUNC, name);
}

void btf_view_func_names(const struct btf_view *b, struct suggestion *n)
{
	for (uint32_t id = 1; id < btf_view_count(b); id++) {
		const struct btf_type *t = btf_view_type(b, id);

		if (t && btf_kind(t) == BTF_KIND_FUNC)
			suggest_offer(n, btf_view_string(b, t->name_off));
	}
}

int btf_lookup_find(struct btf_lookup *w, const struct btf_view *btf)
{
	return w->err ? w->err : btf_view_find_all(btf, w->queries, w->count);
}

/* ---- names with given prefixes ---- */

/* Kernel macros create such names: btf_trace_X, __traceiter_X, __x64_sys_X. All are collected in one pass over the
 * types, because a search for each would cost a pass. */
static int name_add(struct prefixed_names *n, const struct prefixed_name *name)
{
	if (!ARRAY_RESERVE(n->names, n->count, n->room, 1024))
		return -ENOMEM;
	n->names[n->count++] = *name;
	return 0;
}

/* Reads the types one after the other; btf_view_type() would cost three times as much. */
static int view_search(struct prefixed_names *n, const struct btf_view *btf,
		       const char *const *prefixes, size_t count)
{
	uint32_t end = btf_view_count(btf), off = btf->types;
	int err = 0;

	for (uint32_t id = btf_view_first(btf); id < end && !err; id++) {
		const struct btf_type *t = (const void *)(btf->data + off);
		const char *name;

		if (!view_need(btf, off, sizeof(*t)))
			return -EIO;
		off += view_type_size(t);
		if (btf_kind(t) != BTF_KIND_FUNC && btf_kind(t) != BTF_KIND_TYPEDEF)
			continue;
		name = btf_view_string(btf, t->name_off);
		for (size_t i = 0; i < count; i++) {
			struct prefixed_name one = { NULL, i, btf, id };
			size_t len;

			if (*name != *prefixes[i] && *prefixes[i])
				continue;
			len = strlen(prefixes[i]);
			if (strncmp(name, prefixes[i], len) != 0)
				continue;
			one.name = name + len;
			err = name_add(n, &one);
			break;
		}
	}
	return err;
}

static int name_compare(const void *a, const void *b)
{
	const struct prefixed_name *one = a, *other = b;
	int order = strcmp(one->name, other->name);

	return order ? order : (int)one->prefix - (int)other->prefix;
}

int prefixed_names_find(struct prefixed_names *n, const struct btf_view *kernel,
			struct btf_modules *modules, const char *const *prefixes, size_t count)
{
	int err = view_search(n, kernel, prefixes, count);

	for (size_t i = 0; i < btf_modules_count(modules) && !err; i++) {
		const struct btf_view *btf;

		if (!btf_modules_view(modules, i, &btf))
			err = view_search(n, btf, prefixes, count);
	}
	if (n->count)
		qsort(n->names, n->count, sizeof(*n->names), name_compare);
	return err;
}

const struct prefixed_name *prefixed_names_get(const struct prefixed_names *n, const char *name,
					       size_t prefix)
{
	const struct prefixed_name key = { .name = name, .prefix = prefix };

	if (!n->count)
		return NULL;
	return bsearch(&key, n->names, n->count, sizeof(*n->names), name_compare);
}
