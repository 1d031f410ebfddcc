/* SPDX-License-Identifier: GPL-2.0-only */
/* dwarf_unit.c - the header of a unit of .debug_info, and its abbreviations: DWARF 5, section 7.5. */
#include "symbols/user/dwarf_form.h"

#include <stdlib.h>

enum {
	UNIT_COMPILE = 1,
	UNIT_TYPE = 2,
	UNIT_PARTIAL = 3,
	UNIT_SKELETON = 4,
	UNIT_SPLIT = 5,
	ABBREVS_MAX = 1 << 16,
	ABBREV_USUAL = 1024, /* bytes of an abbreviation: no compiler writes longer ones */
	UNIT_HEAD = 4096,    /* bytes of the unit's header and its own entry, with its texts */
};

static bool abbrev_read(struct dwarf_bytes *b, const uint8_t *start, struct dwarf_abbrev *a)
{
	uint64_t attribute, form;

	a->code = dwarf_uleb(b);
	if (!a->code)
		return false;
	a->tag = (uint16_t)dwarf_uleb(b);
	a->has_children = dwarf_unsigned(b, 1);
	a->specs = (uint32_t)(b->at - start);
	do {
		attribute = dwarf_uleb(b);
		form = dwarf_uleb(b);
		if (form == FORM_IMPLICIT_CONST)
			dwarf_sleb(b);
	} while ((attribute || form) && !b->bad);
	return !b->bad;
}

static bool abbrevs_read(struct dwarf_unit *u, uint64_t offset)
{
	const uint8_t *start = dwarf_info_section(u, INFO_ABBREVS).at;
	struct dwarf_bytes b = dwarf_info_at(u, INFO_ABBREVS, offset, ABBREV_USUAL);
	size_t room = 0;
	struct dwarf_abbrev one;

	if (b.bad || u->info->sections[INFO_ABBREVS].size > UINT32_MAX)
		return false;
	while (u->abbrev_count < ABBREVS_MAX && abbrev_read(&b, start, &one)) {
		dwarf_section_need(&u->info->sections[INFO_ABBREVS], b.at, ABBREV_USUAL);
		if (u->abbrev_count == room) {
			struct dwarf_abbrev *more = realloc(u->abbrevs,
							    (room = 2 * room + 64) * sizeof(*more));

			if (!more)
				return false;
			u->abbrevs = more;
		}
		if (u->abbrev_count && u->abbrevs[u->abbrev_count - 1].code >= one.code)
			/* if not sorted, they would have to be searched one by one */
			return false;
		u->abbrevs[u->abbrev_count++] = one;
	}
	return !b.bad;
}

void dwarf_unit_free(struct dwarf_unit *u)
{
	free(u->abbrevs);
	u->abbrevs = NULL;
	u->abbrev_count = 0;
}

static bool unit_begin(struct dwarf_unit *u, struct dwarf_bytes *b)
{
	struct dwarf_entry top;
	struct dwarf_bytes first;
	unsigned type = UNIT_COMPILE;
	uint64_t abbrevs;

	u->version = (unsigned)dwarf_unsigned(b, 2);
	if (u->version >= 5) {
		type = (unsigned)dwarf_unsigned(b, 1);
		u->address_size = (unsigned)dwarf_unsigned(b, 1);
	}
	abbrevs = dwarf_unsigned(b, u->offset_size);
	if (u->version < 5)
		u->address_size = (unsigned)dwarf_unsigned(b, 1);
	if (u->version < 5 && u->info->types_at && (u->offset & ~DWARF_OTHER) >= u->info->types_at)
		type = UNIT_TYPE;
	if (type == UNIT_SKELETON || type == UNIT_SPLIT)
		u->split.id = dwarf_unsigned(b, 8);
	u->is_type = type == UNIT_TYPE;
	if (u->is_type) {
		u->signature = dwarf_unsigned(b, 8);
		u->type = u->offset + (uint32_t)dwarf_unsigned(b, u->offset_size);
	}
	/* the defaults, if the sections have a single table */
	u->strings = u->addresses = 2 * u->offset_size;
	u->lists = u->range_lists = 3 * u->offset_size;
	if (type == UNIT_SPLIT && !dwarf_split_apply(u, &abbrevs))
		return false;
	if (b->bad || u->version < 2 || u->version > 5 || !u->address_size || u->address_size > 8 ||
	    type < UNIT_COMPILE || type > UNIT_SPLIT || !abbrevs_read(u, abbrevs))
		return false;
	/* read twice, because an attribute may precede the base that it needs */
	for (int i = 0; i < 2; i++) {
		u->skips_texts = type != UNIT_SKELETON || !i;
		first = *b;
		if (!dwarf_entry_read(u, &first, &top, u))
			return false;
	}
	u->skips_texts = false;
	u->entries = *b;
	return type != UNIT_SKELETON;
}

bool dwarf_unit_is_gnu(const struct dwarf_unit *u)
{
	struct dwarf_unit again = *u;
	struct dwarf_entry top;

	return dwarf_entry_read(u, &again.entries, &top, &again) && again.is_gnu;
}

void dwarf_unit_load(const struct dwarf_unit *u)
{
	dwarf_section_need(&u->info->sections[INFO_ENTRIES], u->entries.at,
			   dwarf_left(&u->entries));
}

bool dwarf_unit_next(const struct dwarf_info *info, struct dwarf_bytes *all, struct dwarf_unit *u)
{
	uint64_t offset = all->at - (const uint8_t *)info->sections[INFO_ENTRIES].bytes;
	struct dwarf_bytes b;
	uint64_t size;

	dwarf_section_need(&info->sections[INFO_ENTRIES], all->at, UNIT_HEAD);
	size = dwarf_unsigned(all, 4);
	dwarf_unit_free(u);
	*u = (struct dwarf_unit){ .info = info,
				  .offset = (uint32_t)offset | info->base,
				  .offset_size = 4 };
	if (size == UINT32_MAX) {
		u->offset_size = 8;
		size = dwarf_unsigned(all, 8);
	}
	if (all->bad || !size || size > dwarf_left(all) || offset + size > INT32_MAX)
		return false;
	b = dwarf_bytes(all->at, size);
	dwarf_skip(all, size);
	if (!unit_begin(u, &b))
		u->entries = dwarf_bytes(NULL, 0);
	return true;
}
