/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * prefixed_names.c - names made by kernel macros: btf_trace_X, __traceiter_X, __x64_sys_X.
 *
 * All are collected in one pass over the types; a search for each would take a pass each.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/prefixed_names.h"

static int name_add(struct prefixed_names *n, const struct prefixed_name *name)
{
	size_t room = n->room ? n->room * 2 : 1024;
	struct prefixed_name *larger;

	if (n->count == n->room) {
		larger = realloc(n->names, room * sizeof(*larger));
		if (!larger)
			return -ENOMEM;
		n->names = larger;
		n->room = room;
	}
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
