/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete_types.c - the kernel's types that begin with a text, for completion.
 */
#include "front/complete.h"

#include <stdlib.h>
#include <string.h>

void complete_types_each(struct completion *c, unsigned kind, const char *begin,
			 complete_type_fn *each, void *ctx)
{
	struct prefixed_names found = { 0 };
	struct btf_modules *modules = NULL;
	struct btf_view *btf = NULL;
	const char *before = NULL;

	if (btf_view_open(c->btf, &btf))
		return;
	if (!c->btf)
		btf_modules_open(btf, NULL, &modules);
	if (!prefixed_names_find(&found, btf, modules, &begin, 1))
		for (size_t i = 0; i < found.count; i++) {
			const struct prefixed_name *n = &found.names[i];

			if (btf_view_kind(n->btf, n->id) != kind ||
			    (before && !strcmp(before, n->name)))
				continue;
			each(c, n, ctx);
			before = n->name;
		}
	free(found.names);
	btf_modules_close(modules);
	btf_view_close(btf);
}
