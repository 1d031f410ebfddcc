/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_types.c - the ids that types and functions of debug information have in BTF (dwarf_btf.c).
 */
#include "symbols/user/dwarf_info.h"

#include <stdlib.h>

void dwarf_types_free(struct dwarf_types *t)
{
	free(t->bytes);
	free(t->all);
	*t = (struct dwarf_types){ 0 };
}

static int by_offset(const void *key, const void *one)
{
	const uint32_t *offset = key;
	const struct dwarf_numbered *n = one;

	return *offset < n->offset ? -1 : *offset > n->offset;
}

uint32_t dwarf_types_id(const struct dwarf_types *t, uint32_t offset)
{
	const struct dwarf_numbered *n = t->count ? bsearch(&offset, t->all, t->count, sizeof(*n),
							    by_offset) :
						    NULL;

	return n ? n->id : 0;
}

uint32_t dwarf_types_function(const struct dwarf_types *t, const struct dwarf_entry *function)
{
	/* the parameters of an inlined copy are those of the original function */
	uint32_t id = dwarf_types_id(t, function->origin ?: function->offset);

	return id ? id + 1 : 0;
}
