/* SPDX-License-Identifier: GPL-2.0-only */
/* dwarf_splits.c - the units that dwarf_split.c appended: what their headers do not tell. */
#include "symbols/user/dwarf_split.h"

#include <stdlib.h>

enum {
	STRINGS_HEAD = 8, /* bytes of the header before a table of texts … */
	LISTS_HEAD = 12,  /* … and before one of lists */
};

void dwarf_splits_free(struct dwarf_splits *s)
{
	if (s)
		free(s->all);
	free(s);
}

bool dwarf_split_apply(struct dwarf_unit *u, uint64_t *abbrevs)
{
	const struct dwarf_splits *s = u->info->splits;
	size_t low = 0, high = s ? s->count : 0;
	const struct split *found;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (s->all[middle].offset < u->offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (!s || low == s->count || s->all[low].offset != u->offset)
		return false;
	found = &s->all[low];
	*abbrevs += found->at[OWN_ABBREVS];
	u->split.texts = found->at[OWN_STR];
	u->strings = found->at[OWN_STR_OFFSETS] + STRINGS_HEAD;
	u->lists = found->at[OWN_LOCATIONS] + LISTS_HEAD;
	u->range_lists = found->at[OWN_RANGES] + LISTS_HEAD;
	u->addresses = found->skeleton.addresses;
	u->low_pc = found->skeleton.low_pc;
	u->extent = found->skeleton.extent;
	return true;
}
