/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_function.c - finds a function or a type among the units of .debug_info, by the index of addresses (.debug_aranges) if there
 * is one, else by what each unit tells of its code.
 */
#include <errno.h>
#include <string.h>

#include "symbols/user/dwarf_form.h"
#include "util/array.h"

enum {
	CHAIN_MAX = 64, /* typedefs and qualifiers in a row */
};

/* ---- types ---- */

bool dwarf_is_struct(unsigned tag)
{
	return tag == TAG_STRUCT || tag == TAG_CLASS || tag == TAG_UNION;
}

bool dwarf_is_elsewhere(const struct dwarf_entry *type)
{
	return type->origin && (dwarf_is_struct(type->tag) || type->tag == TAG_ENUM);
}

bool dwarf_type_strip(const struct dwarf_unit *u, uint32_t offset, struct dwarf_entry *e)
{
	for (int i = 0; i < CHAIN_MAX && offset && dwarf_entry_at(u, offset, e); i++) {
		bool is_elsewhere = dwarf_is_elsewhere(e);

		if (!is_elsewhere && e->tag != TAG_TYPEDEF && e->tag != TAG_CONST &&
		    e->tag != TAG_VOLATILE && e->tag != TAG_RESTRICT && e->tag != TAG_ATOMIC)
			return true;
		offset = is_elsewhere ? e->origin : e->type;
	}
	return false;
}

/* ---- the function in a unit ---- */

bool dwarf_is_named(const struct dwarf_unit *u, const struct dwarf_entry *e, const char *name)
{
	struct dwarf_entry origin = *e;

	for (int hops = 0; hops < 4; hops++) {
		bool is_whole = !origin.origin && !origin.specification;
		const char *own = origin.linkage_name ?: is_whole ? origin.name : NULL;

		if (own)
			return !strcmp(own, name);
		if (!dwarf_entry_origin(u, &origin))
			return false;
	}
	return false;
}

static bool is_at(const struct dwarf_unit *u, const struct dwarf_entry *e, uint64_t address,
		  const char *name)
{
	uint64_t begin = e->code.low_pc;

	if (e->code.has_low_pc ||
	    (e->code.has_ranges && dwarf_ranges_begin(u, e->code.ranges, &begin)))
		return begin == address;
	return e->code.exists && dwarf_is_named(u, e, name);
}

/* Lists where the functions of a unit begin. Returns false if out of memory. */
static bool begins_read(const struct dwarf_unit *u, struct dwarf_begins *list)
{
	struct dwarf_bytes b = u->entries;
	struct dwarf_entry e;

	list->count = 0;
	while (b.at && dwarf_entry_next(u, &b, &e)) {
		if (e.tag != TAG_FUNCTION || !e.code.has_low_pc)
			continue;
		if (!ARRAY_RESERVE(list->all, list->count, list->room, 256))
			return false;
		list->all[list->count++] = (struct dwarf_begin){ e.code.low_pc, e.offset };
	}
	list->unit = u->offset;
	return true;
}

/* Finds the function in the list of its unit, which is made when the same unit is searched twice in a row: functions of a
 * pattern are in few units. */
static bool function_listed(const struct dwarf_unit *u, uint64_t address, struct dwarf_entry *e)
{
	struct dwarf_units *units = u->info->units;
	bool is_again = units && units->found == u->offset + 1;

	if (units)
		units->found = u->offset + 1;
	if (!is_again || ((!units->begins.count || units->begins.unit != u->offset) &&
			  !begins_read(u, &units->begins)))
		return false;
	for (size_t i = 0; i < units->begins.count; i++)
		if (units->begins.all[i].low_pc == address)
			return dwarf_entry_at(u, units->begins.all[i].offset, e);
	return false;
}

static bool function_in_unit(const struct dwarf_unit *u, uint64_t address, const char *name,
			     struct dwarf_entry *e)
{
	struct dwarf_bytes b = u->entries;

	dwarf_unit_load(u);
	if (function_listed(u, address, e))
		return true;
	while (b.at && dwarf_entry_next(u, &b, e)) {
		if (e->tag != TAG_FUNCTION)
			continue;
		if (is_at(u, e, address, name))
			return true;
	}
	return false;
}

/* ---- the unit of an address ---- */

enum { ARANGES_VERSION = 2 };

/* Reads a table of .debug_aranges. Returns true if it has the address; *unit is the offset of its unit. */
static bool table_has(struct dwarf_bytes b, unsigned offset_size, uint64_t address, uint64_t *unit)
{
	unsigned version = (unsigned)dwarf_unsigned(&b, 2), size;
	size_t head = (offset_size == 8 ? 12 : 4) + 2 + offset_size + 2;

	*unit = dwarf_unsigned(&b, offset_size);
	size = (unsigned)dwarf_unsigned(&b, 1);
	/* no segments; the tuples begin at a multiple of their size */
	if (dwarf_unsigned(&b, 1) || version != ARANGES_VERSION || (size != 4 && size != 8))
		return false;
	dwarf_skip(&b, (2 * size - head % (2 * size)) % (2 * size));
	while (dwarf_left(&b) && !b.bad) {
		uint64_t low = dwarf_unsigned(&b, size), length = dwarf_unsigned(&b, size);

		if (!b.bad && address - low < length)
			return true;
	}
	return false;
}

static bool unit_of_address(const struct dwarf_info *info, uint64_t address, uint64_t *unit)
{
	const struct dwarf_section *s = &info->sections[INFO_INDEX];
	struct dwarf_bytes all = dwarf_bytes(s->bytes, s->bytes ? s->size : 0);

	dwarf_section_need(s, s->bytes, s->size);
	while (dwarf_left(&all) && !all.bad) {
		uint64_t size = dwarf_unsigned(&all, 4);
		unsigned offset_size = size == UINT32_MAX ? 8 : 4;
		const uint8_t *at;

		if (offset_size == 8)
			size = dwarf_unsigned(&all, 8);
		at = dwarf_skip(&all, size);
		if (at && table_has(dwarf_bytes(at, size), offset_size, address, unit))
			return true;
	}
	return false;
}

/* Bounds what a search through many units holds. */
static void trim(const struct dwarf_info *info)
{
	for (int i = 0; i < INFO_SECTIONS; i++)
		dwarf_section_trim(&info->sections[i]);
	if (info->other)
		trim(info->other);
}

static int not_found(const struct dwarf_info *info)
{
	int err = 0;

	for (int i = 0; i < INFO_SECTIONS && !err; i++)
		err = dwarf_section_error(&info->sections[i]);
	return err ?: -ENOENT;
}

int dwarf_function_find(const struct dwarf_info *info, uint64_t address, const char *name,
			struct dwarf_unit *u, struct dwarf_entry *function)
{
	const struct dwarf_section *s = &info->sections[INFO_ENTRIES];
	struct dwarf_bytes all = dwarf_bytes(s->bytes, s->size);
	uint64_t unit;

	trim(info);
	*u = (struct dwarf_unit){ 0 };
	if (unit_of_address(info, address, &unit) && dwarf_skip(&all, unit) &&
	    dwarf_unit_next(info, &all, u) && function_in_unit(u, address, name, function))
		return 0;
	/* compilers may leave the index out, or units out of it */
	all = dwarf_bytes(s->bytes, s->size);
	while (dwarf_left(&all) && dwarf_unit_next(info, &all, u)) {
		if (dwarf_unit_may_have(u, address) && function_in_unit(u, address, name, function))
			return 0;
		trim(info);
	}
	dwarf_unit_free(u);
	return not_found(info);
}

/* ---- inlined calls ---- */

/* The entry that is told apart may be before the code, where no variable is in scope yet. */
static bool inlined_begin(const struct dwarf_unit *u, const struct dwarf_entry *e,
			  uint64_t *address)
{
	bool is_inside = e->code.entry && dwarf_entry_touches(u, e, e->code.entry);

	*address = is_inside ? e->code.entry : e->code.low_pc;
	return *address || (e->code.has_ranges && dwarf_ranges_begin(u, e->code.ranges, address));
}

static size_t inlined_in_unit(const struct dwarf_unit *u, const char *name, uint64_t *addresses,
			      size_t count, size_t most)
{
	struct dwarf_bytes b = u->entries;
	uint32_t origin = 0; /* of the call before */
	bool is_same = false;
	struct dwarf_entry e;

	dwarf_unit_load(u);
	while (b.at && dwarf_entry_next(u, &b, &e)) {
		if (e.tag != TAG_INLINED || !e.origin)
			continue;
		if (e.origin != origin)
			is_same = dwarf_is_named(u, &e, name);
		origin = e.origin;
		if (is_same && count < most && inlined_begin(u, &e, &addresses[count]))
			count++;
	}
	return count;
}

enum { NAMES_MAX = 16 };

/* Where the name may be in .debug_str: units that refer to none of these places, and do not have the name themselves, need not
 * be read entry by entry. */
struct name_places {
	const char *name;
	uint32_t offsets[NAMES_MAX];
	size_t count;
	bool is_unknown; /* names may be found in other ways */
};

/* True if calls may be of functions that another unit, or file, declares: an abbreviation has the attribute AT_ABSTRACT_ORIGIN
 * with a reference to any unit (FORM_REF_ADDR). */
static bool origins_are_apart(const struct dwarf_info *info)
{
	static const uint8_t attribute[] = { 0x31, 0x10 };
	const struct dwarf_section *s = &info->sections[INFO_ABBREVS];

	if (info->other || !s->bytes)
		return true;
	dwarf_section_need(s, s->bytes, s->size);
	return memmem(s->bytes, s->size, attribute, sizeof(attribute));
}

/* A name may be the end of a longer one. */
static struct name_places places_find(const struct dwarf_info *info, const char *name)
{
	const struct dwarf_section *s = &info->sections[INFO_STR];
	struct name_places p = { .name = name,
				 .is_unknown = info->sections[INFO_STR_OFFSETS].bytes ||
					       origins_are_apart(info) };
	size_t len = strlen(name) + 1;
	const char *at = s->bytes;

	if (!at)
		return p;
	dwarf_section_need(s, s->bytes, s->size);
	while ((at = memmem(at, s->bytes + s->size - at, name, len))) {
		p.is_unknown |= p.count == NAMES_MAX;
		if (p.is_unknown)
			break;
		p.offsets[p.count++] = (uint32_t)(at++ - s->bytes);
	}
	return p;
}

static bool unit_mentions(const struct dwarf_unit *u, const struct name_places *p)
{
	size_t left = u->entries.at ? dwarf_left(&u->entries) : 0;

	if (p->is_unknown || !left || u->offset_size != sizeof(p->offsets[0]))
		return left;
	dwarf_unit_load(u);
	for (size_t i = 0; i < p->count; i++)
		if (memmem(u->entries.at, left, &p->offsets[i], sizeof(p->offsets[i])))
			return true;
	return memmem(u->entries.at, left, p->name, strlen(p->name) + 1);
}

ssize_t dwarf_inlined_find(const struct dwarf_info *info, const char *name, uint64_t *addresses,
			   size_t most)
{
	const struct dwarf_section *s = &info->sections[INFO_ENTRIES];
	struct dwarf_bytes all = dwarf_bytes(s->bytes, s->bytes ? s->size : 0);
	struct name_places places = places_find(info, name);
	struct dwarf_unit u = { 0 };
	size_t count = 0;
	int err;

	while (dwarf_left(&all) && dwarf_unit_next(info, &all, &u)) {
		if (unit_mentions(&u, &places))
			count = inlined_in_unit(&u, name, addresses, count, most);
		trim(info);
	}
	dwarf_unit_free(&u);
	err = not_found(info);
	return count || err == -ENOENT ? (ssize_t)count : err;
}

/* ---- the unit of a type ---- */

static bool defines(const struct dwarf_entry *e, const char *name, size_t len, unsigned kind)
{
	unsigned of = e->tag == TAG_UNION   ? BTF_KIND_UNION :
		      e->tag == TAG_ENUM    ? BTF_KIND_ENUM :
		      e->tag == TAG_TYPEDEF ? BTF_KIND_TYPEDEF :
		      e->tag == TAG_BASE    ? BTF_KIND_INT :
					      BTF_KIND_STRUCT;

	return (dwarf_is_struct(e->tag) || of != BTF_KIND_STRUCT) && (!kind || kind == of) &&
	       !e->is_declaration && e->name && !strncmp(e->name, name, len) && !e->name[len];
}

int dwarf_type_find(const struct dwarf_info *info, const char *name, size_t len, unsigned kind,
		    struct dwarf_unit *u)
{
	const struct dwarf_section *s = &info->sections[INFO_ENTRIES];
	struct dwarf_bytes all = dwarf_bytes(s->bytes, s->bytes ? s->size : 0);
	struct dwarf_entry e;

	*u = (struct dwarf_unit){ 0 };
	while (dwarf_left(&all) && dwarf_unit_next(info, &all, u)) {
		struct dwarf_bytes b = u->entries;

		dwarf_unit_load(u);
		while (b.at && dwarf_entry_next(u, &b, &e))
			if (defines(&e, name, len, kind))
				return 0;
		trim(info);
	}
	dwarf_unit_free(u);
	return info->other ? dwarf_type_find(info->other, name, len, kind, u) : not_found(info);
}
