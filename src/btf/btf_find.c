/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_find.c - finds BTF types by kind and name.
 *
 * All names of a batch are first searched in the string section, in one sweep (Wu and Manber: skip
 * as far as the last two bytes allow); the pass over the types then compares only offsets. This
 * file does not know what a type means.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/btf_modules.h"
#include "btf/btf_priv.h"
#include "util/array.h"
#include "util/suggest.h"

enum {
	SKIP_SLOTS = 65536, /* one for each pair of bytes */
	SKIP_MAX = 255,
	NAME_MAX_LEN = 512, /* KSYM_NAME_LEN of every kernel */
};

/* The names as they are in the section, with the NULs before and after them. */
struct strings_search {
	const struct btf_query *queries;
	uint32_t *offsets; /* answers, 0: not found */
	size_t count;
	size_t shortest, longest; /* bytes with both NULs, of the names not yet found */
	uint8_t skip[SKIP_SLOTS]; /* how far to advance after a pair of bytes */
};

static unsigned skip_slot(const uint8_t *p)
{
	uint16_t two;

	memcpy(&two, p, sizeof(two));
	return two;
}

/* Notes the two bytes of "\0name\0" that end at `i`. */
static void skip_note(struct strings_search *s, const char *name, size_t i)
{
	uint8_t two[] = { i > 1 ? name[i - 2] : 0, name[i - 1] };
	uint8_t *slot = &s->skip[skip_slot(two)];
	size_t rest = s->shortest - 1 - i;

	if (rest < *slot)
		*slot = rest;
}

/* True if the name has not been found yet. */
static bool is_sought(const struct strings_search *s, size_t i)
{
	size_t len = strlen(s->queries[i].name);

	return !s->offsets[i] && len > 0 && len < NAME_MAX_LEN;
}

/* Prepares the search for the names not yet found. Short ones are found early, because the
 * commonest structs have them; without them the search is faster. Leaves `longest` 0 if none
 * remains. */
static void search_prepare(struct strings_search *s)
{
	s->shortest = SKIP_MAX;
	s->longest = 0;
	for (size_t i = 0; i < s->count; i++) {
		size_t len = strlen(s->queries[i].name) + 2;

		if (!is_sought(s, i))
			continue;
		s->shortest = len < s->shortest ? len : s->shortest;
		s->longest = len > s->longest ? len : s->longest;
	}
	memset(s->skip, s->shortest - 1, sizeof(s->skip));
	for (size_t i = 0; i < s->count; i++) {
		if (!is_sought(s, i))
			continue;
		for (size_t end = 1; end < s->shortest; end++)
			skip_note(s, s->queries[i].name, end);
	}
}

/* Checks if one of the names is at p, which has `room` bytes. `at` is its offset. */
static bool search_compare(struct strings_search *s, const uint8_t *p, size_t room, uint32_t at)
{
	bool found = false;

	for (size_t i = 0; i < s->count; i++) {
		const char *name = s->queries[i].name;
		size_t len;

		if (s->offsets[i] || !room || *name != *p)
			continue;
		len = strlen(name) + 1;
		if (len <= room && len > 1 && !memcmp(p, name, len)) {
			s->offsets[i] = at;
			found = true;
		}
	}
	return found;
}

/* `base` is the offset of the window's first byte in the string section. */
static void search_window(struct strings_search *s, const struct view_window *w, uint32_t base)
{
	const uint8_t *start = w->data, *end = start + w->len;
	const uint8_t *p = start + s->shortest;

	while (p <= end && s->longest) {
		unsigned skip = s->skip[skip_slot(p - 2)];
		const uint8_t *begin = p - s->shortest;

		if (skip) {
			p += skip;
			continue;
		}
		if (!*begin &&
		    search_compare(s, begin + 1, end - begin - 1, base + (begin + 1 - start)))
			search_prepare(s);
		p = begin + 1 + s->shortest;
	}
}

static int search_section(struct strings_search *s, const struct btf_view *b)
{
	uint32_t off = b->strings;
	struct view_window window;
	int err = view_window_init(&window, b);

	while (!err && off < b->strings_end) {
		err = view_window_move(&window, b, off, b->strings_end);
		if (err)
			break;
		if (b->base && off == b->strings) /* a module's first name has no NUL before it */
			search_compare(s, window.data, window.len, b->base_strings);
		search_window(s, &window, off - b->strings + b->base_strings);
		if (!s->longest)
			break;
		off += window.len;
		if (off < b->strings_end) /* a name may cross the border */
			off -= s->longest - 1;
	}
	view_window_free(&window);
	return err;
}

static int sections_search(struct strings_search *s, const struct btf_view *b)
{
	int err = b->base ? sections_search(s, b->base) : 0;

	return err ?: search_section(s, b);
}

/* A module's strings are only those that the base does not have. */
static int search_strings(struct strings_search *s, const struct btf_view *b)
{
	search_prepare(s);
	if (!s->longest)
		return 0;
	return sections_search(s, b);
}

uint32_t view_string_find(const struct btf_view *b, const char *name)
{
	const struct btf_query query = { .name = name };
	struct strings_search *s = calloc(1, sizeof(*s));
	uint32_t offset = 0;

	if (!s)
		return 0;
	s->queries = &query;
	s->offsets = &offset;
	s->count = 1;
	if (search_strings(s, b))
		offset = 0;
	free(s);
	return offset;
}

/* Searches both: the offset of a name does not show whose types use it. */
static int pass_types(const struct btf_view *b, struct strings_search *s, struct btf_query *queries)
{
	bool any = false;
	int err;

	for (size_t i = 0; i < s->count; i++)
		any |= s->offsets[i];
	if (!any)
		return 0;
	err = view_pass(b, queries, s->offsets, s->count);
	if (err || !b->base)
		return err;
	for (size_t i = 0; i < s->count; i++)
		if (!queries[i].id && s->offsets[i] && s->offsets[i] < b->base_strings)
			return pass_types(b->base, s, queries);
	return 0;
}

static int names_search(const struct btf_view *b, struct btf_query *queries, size_t count)
{
	struct strings_search *s = calloc(1, sizeof(*s) + count * sizeof(*s->offsets));
	int err;

	if (!s)
		return -ENOMEM;
	s->queries = queries;
	s->offsets = (uint32_t *)(s + 1);
	s->count = count;
	for (size_t i = 0; i < count; i++)
		queries[i].id = 0;
	err = search_strings(s, b);
	if (!err)
		err = pass_types(b, s, queries);
	free(s);
	return err;
}

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

/* Answers what has been asked before; the rest are unknown. Returns how many those are. */
static size_t known_answer(const struct btf_lookup *known, struct btf_query *queries, size_t count,
			   struct btf_query **unknown)
{
	size_t rest = 0;

	for (size_t i = 0; i < count; i++) {
		const struct btf_query *q = query_find(known, queries[i].kind, queries[i].name,
						       strlen(queries[i].name));

		if (q)
			queries[i].id = q->id;
		else
			unknown[rest++] = &queries[i];
	}
	return rest;
}

enum { KNOWN_MOST = 256 }; /* they are compared one by one */

/* The answers stay, also that there is none: several probes ask for the same, and a search takes 3 ms or more. */
static void answers_keep(struct btf_lookup *known, const struct btf_query *queries, size_t count)
{
	for (size_t i = 0; i < count && known->count < KNOWN_MOST; i++) {
		size_t len = strlen(queries[i].name);
		struct btf_query *q;

		btf_lookup_add(known, queries[i].kind, queries[i].name, len);
		q = query_find(known, queries[i].kind, queries[i].name, len);
		if (q)
			q->id = queries[i].id;
	}
	known->err = 0; /* without memory the next one asks again */
}

int btf_view_find_all(const struct btf_view *b, struct btf_query *queries, size_t count)
{
	struct btf_lookup *known = &((struct btf_view *)b)->known; /* no view is created const */
	struct btf_query **unknown, *asked;
	size_t rest;
	int err = -ENOMEM;

	if (view_names_find(b, queries, count))
		return 0;
	unknown = calloc(count + 1, sizeof(*unknown));
	asked = calloc(count + 1, sizeof(*asked));
	if (unknown && asked) {
		rest = known_answer(known, queries, count, unknown);
		for (size_t i = 0; i < rest; i++)
			asked[i] = *unknown[i];
		err = rest ? names_search(b, asked, rest) : 0;
		for (size_t i = 0; i < rest && !err; i++)
			unknown[i]->id = asked[i].id;
		if (!err)
			answers_keep(known, asked, rest);
	}
	free(unknown);
	free(asked);
	return err;
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

/* ---- many names in one pass ---- */

void btf_lookup_add(struct btf_lookup *w, unsigned kind, const char *name, size_t len)
{
	char *copy;

	if (query_find(w, kind, name, len))
		return;
	copy = ARRAY_RESERVE(w->queries, w->count, w->room, 32) ? strndup(name, len) : NULL;
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

/* ---- names with given prefixes ---- */

/* Kernel macros make such names: btf_trace_X, __traceiter_X, __x64_sys_X. All are collected in one pass over the types,
 * because a search for each would cost a pass. */
static int name_add(struct prefixed_names *n, const struct prefixed_name *name)
{
	if (!ARRAY_RESERVE(n->names, n->count, n->room, 1024))
		return -ENOMEM;
	n->names[n->count++] = *name;
	return 0;
}

static int view_search(struct prefixed_names *n, const struct btf_view *btf,
		       const char *const *prefixes, size_t count)
{
	uint32_t end = btf_view_count(btf);
	int err = 0;

	for (uint32_t id = btf_view_first(btf); id < end && !err; id++) {
		const struct btf_type *t = btf_view_type(btf, id);
		const char *name;

		if (!t || (btf_kind(t) != BTF_KIND_FUNC && btf_kind(t) != BTF_KIND_TYPEDEF))
			continue;
		name = btf_view_string(btf, t->name_off);
		for (size_t i = 0; i < count; i++) {
			size_t len = strlen(prefixes[i]);
			struct prefixed_name one = { name + len, i, btf, id };

			if (strncmp(name, prefixes[i], len) != 0)
				continue;
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
