/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_list.c - lists of locations: which expression is valid at an address; lists of ranges: where code is. DWARF 5,
 * sections 7.7.3 and 7.25; DWARF 4, sections 2.6.2 and 2.17.3.
 */
#include "symbols/user/dwarf_form.h"
#include "symbols/user/dwarf_place.h"

enum {
	LIST_END,
	LIST_BASE_NUMBER,
	LIST_NUMBERS,
	LIST_NUMBER_LENGTH,
	LIST_OFFSETS,
	LIST_DEFAULT,
	LIST_BASE,
	LIST_ADDRESSES,
	LIST_ADDRESS_LENGTH,
	LIST_VIEWS,
	LISTED_MAX = 4096,    /* entries of one list that are read */
	RANGES_MAX = 1 << 20, /* the same of ranges */
	ENTRY_USUAL = 64,     /* bytes of an entry without its expression */
};

struct range {
	uint64_t base, low, high;
	bool is_location;
	bool has_locations; /* the list is one of locations */
};

static uint64_t numbered(const struct dwarf_unit *u, struct dwarf_bytes *b)
{
	uint64_t address = 0;

	b->bad |= !dwarf_address_by_number(u, dwarf_uleb(b), &address);
	return address;
}

/* Reads an entry up to its expression. Returns false at the end. */
static bool range_read(const struct dwarf_unit *u, struct dwarf_bytes *b, struct range *r)
{
	unsigned kind = (unsigned)dwarf_unsigned(b, 1), size = u->address_size;

	/* lists of ranges have no default */
	kind += !r->has_locations && kind >= LIST_DEFAULT && kind < LIST_ADDRESS_LENGTH;
	r->is_location = kind != LIST_BASE_NUMBER && kind != LIST_BASE && kind != LIST_VIEWS;
	r->low = r->high = 0;
	switch (kind) {
	case LIST_BASE_NUMBER: r->base = numbered(u, b); break;
	case LIST_BASE: r->base = dwarf_unsigned(b, size); break;
	case LIST_VIEWS:
		dwarf_uleb(b);
		dwarf_uleb(b);
		break;
	case LIST_NUMBERS:
		r->low = numbered(u, b);
		r->high = numbered(u, b);
		break;
	case LIST_NUMBER_LENGTH:
		r->low = numbered(u, b);
		r->high = r->low + dwarf_uleb(b);
		break;
	case LIST_OFFSETS:
		r->low = r->base + dwarf_uleb(b);
		r->high = r->base + dwarf_uleb(b);
		break;
	case LIST_DEFAULT: r->high = UINT64_MAX; break;
	case LIST_ADDRESSES:
		r->low = dwarf_unsigned(b, size);
		r->high = dwarf_unsigned(b, size);
		break;
	case LIST_ADDRESS_LENGTH:
		r->low = dwarf_unsigned(b, size);
		r->high = r->low + dwarf_uleb(b);
		break;
	default: return false;
	}
	return !b->bad;
}

/* Before DWARF 5, an entry is two addresses. */
static bool old_range_read(const struct dwarf_unit *u, struct dwarf_bytes *b, struct range *r)
{
	uint64_t low = dwarf_unsigned(b, u->address_size),
		 high = dwarf_unsigned(b, u->address_size);
	uint64_t all = u->address_size == 8 ? UINT64_MAX : UINT32_MAX;

	if (b->bad || (!low && !high))
		return false;
	r->is_location = low != all;
	if (!r->is_location)
		r->base = high;
	r->low = r->base + low;
	r->high = r->base + high;
	return true;
}

/* Reads up to the next range. Returns false at the end. */
static bool range_next(const struct dwarf_unit *u, int which, struct dwarf_bytes *b,
		       struct range *r)
{
	bool more;

	do {
		dwarf_section_need(&u->info->sections[which], b->at, ENTRY_USUAL);
		more = (u->version < 5 ? old_range_read : range_read)(u, b, r);
	} while (more && !r->is_location);
	return more;
}

bool dwarf_unit_may_have(const struct dwarf_unit *u, uint64_t address)
{
	const struct dwarf_extent *extent = &u->extent;
	int which = u->version < 5 ? INFO_OLD_RANGES : INFO_RANGES;
	struct dwarf_bytes b = dwarf_info_at(u, which, extent->list, ENTRY_USUAL);
	struct range range = { .base = u->low_pc };

	if (u->is_type)
		return false;
	if (!extent->has_list && extent->has_end)
		return address - u->low_pc < extent->end - (extent->is_size ? 0 : u->low_pc);
	if (!extent->has_list || b.bad)
		return true;
	for (int i = 0; i < RANGES_MAX; i++) {
		if (!range_next(u, which, &b, &range))
			return b.bad;
		if (address >= range.low && address < range.high)
			return true;
	}
	return true;
}

static bool range_has(const struct range *r, uint64_t address, bool or_empty)
{
	return (address >= r->low && address < r->high) ||
	       (or_empty && address == r->low && r->low == r->high);
}

static bool entry_has(const struct dwarf_unit *u, const struct dwarf_entry *e, uint64_t address,
		      bool or_empty)
{
	int which = u->version < 5 ? INFO_OLD_RANGES : INFO_RANGES;
	struct dwarf_bytes b = dwarf_info_at(u, which, e->code.ranges, ENTRY_USUAL);
	struct range range = { .base = u->low_pc };

	if (e->code.has_low_pc && e->code.has_end)
		return address - e->code.low_pc <
		       e->code.end - (e->code.is_size ? 0 : e->code.low_pc);
	for (int i = 0; e->code.has_ranges && i < RANGES_MAX && range_next(u, which, &b, &range);
	     i++)
		if (range_has(&range, address, or_empty))
			return true;
	return false;
}

bool dwarf_entry_has(const struct dwarf_unit *u, const struct dwarf_entry *e, uint64_t address)
{
	return entry_has(u, e, address, false);
}

bool dwarf_entry_touches(const struct dwarf_unit *u, const struct dwarf_entry *e, uint64_t address)
{
	return entry_has(u, e, address, true);
}

bool dwarf_ranges_begin(const struct dwarf_unit *u, uint64_t list, uint64_t *address)
{
	int which = u->version < 5 ? INFO_OLD_RANGES : INFO_RANGES;
	struct dwarf_bytes b = dwarf_info_at(u, which, list, ENTRY_USUAL);
	struct range range = { .base = u->low_pc };
	bool found = !b.bad && range_next(u, which, &b, &range);

	*address = range.low;
	return found;
}

bool dwarf_list_find(const struct dwarf_unit *u, uint64_t offset, uint64_t address,
		     struct dwarf_bytes *expr)
{
	int which = u->version < 5 ? INFO_OLD_LOCATIONS : INFO_LOCATIONS;
	struct dwarf_bytes b = dwarf_info_at(u, which, offset, ENTRY_USUAL);
	struct range range = { .base = u->low_pc, .has_locations = true };

	for (int i = 0; !b.bad && i < LISTED_MAX; i++) {
		uint64_t size;
		const uint8_t *at;

		if (!range_next(u, which, &b, &range))
			return false;
		size = u->version < 5 ? dwarf_unsigned(&b, 2) : dwarf_uleb(&b);
		at = dwarf_skip(&b, size);
		dwarf_section_need(&u->info->sections[which], at ?: b.end, size);
		*expr = dwarf_bytes(at, at ? size : 0);
		if (!at || (address >= range.low && address < range.high))
			return at;
	}
	return false;
}
