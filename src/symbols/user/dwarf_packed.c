/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_packed.c - finds a unit in a file of debug information of its own, or by the index of one that many units are
 * packed into: DWARF 5, section 7.3.5.
 */
#include "symbols/user/dwarf_split.h"

enum { UNIT_SPLIT = 5, COLUMNS_MAX = 16 };

const char *const dwarf_own_names[OWN_SECTIONS] = {
	".debug_info.dwo",     ".debug_abbrev.dwo",   ".debug_str.dwo",	 ".debug_str_offsets.dwo",
	".debug_loclists.dwo", ".debug_rnglists.dwo", ".debug_cu_index",
};
/* The number of each in the index; 0: all units share it. */
static const unsigned numbers[OWN_PIECES] = { 1, 3, 0, 6, 5, 8 };

struct dwarf_bytes dwarf_own_section(const struct dwarf_section *s)
{
	return dwarf_bytes(s->bytes, s->bytes ? s->size : 0);
}

/* Reads the header of a unit and returns its number; 0: it is of another kind. *all is moved behind it. */
static uint64_t unit_id(struct dwarf_bytes *all, struct dwarf_bytes *unit)
{
	const uint8_t *start = all->at;
	uint64_t size = dwarf_unsigned(all, 4), id;
	unsigned offset_size = size == UINT32_MAX ? 8 : 4;
	struct dwarf_bytes b;

	if (offset_size == 8)
		size = dwarf_unsigned(all, 8);
	b = dwarf_bytes(all->at, size <= dwarf_left(all) ? size : 0);
	if (!dwarf_skip(all, size))
		return 0;
	*unit = dwarf_bytes(start, all->at - start);
	if (dwarf_unsigned(&b, 2) != 5 || dwarf_unsigned(&b, 1) != UNIT_SPLIT)
		return 0;
	dwarf_skip(&b, 1 + offset_size);
	id = dwarf_unsigned(&b, 8);
	return b.bad ? 0 : id;
}

bool dwarf_own_find(const struct dwarf_section *sections, uint64_t id, struct unit_pieces *p)
{
	struct dwarf_bytes all = dwarf_own_section(&sections[OWN_ENTRIES]);

	for (int i = 0; i < OWN_PIECES; i++)
		p->of[i] = dwarf_own_section(&sections[i]);
	while (dwarf_left(&all) && !all.bad)
		if (unit_id(&all, &p->of[OWN_ENTRIES]) == id)
			return true;
	return false;
}

/* The index of packed units: a hash table of their numbers, and tables of offsets and sizes with a column for each
 * section. */
struct packed_index {
	struct dwarf_bytes ids, rows, columns, offsets, sizes;
	uint64_t column_count, unit_count;
};

static struct dwarf_bytes table(struct dwarf_bytes *b, uint64_t count, unsigned size)
{
	const uint8_t *at = count <= UINT32_MAX ? dwarf_skip(b, count * size) : NULL;

	b->bad |= !at;
	return dwarf_bytes(at, at ? count * size : 0);
}

static bool index_read(const struct dwarf_section *section, struct packed_index *x)
{
	struct dwarf_bytes b = dwarf_own_section(section);
	uint64_t slots;

	if (dwarf_unsigned(&b, 2) != 5)
		return false;
	dwarf_skip(&b, 2);
	x->column_count = dwarf_unsigned(&b, 4);
	x->unit_count = dwarf_unsigned(&b, 4);
	slots = dwarf_unsigned(&b, 4);
	if (x->column_count > COLUMNS_MAX)
		return false;
	x->ids = table(&b, slots, 8);
	x->rows = table(&b, slots, 4);
	x->columns = table(&b, x->column_count, 4);
	x->offsets = table(&b, x->unit_count * x->column_count, 4);
	x->sizes = table(&b, x->unit_count * x->column_count, 4);
	return !b.bad;
}

/* Returns the row of a unit from 0 on, or unit_count. */
static uint64_t row_of(struct packed_index x, uint64_t id)
{
	while (dwarf_left(&x.ids)) {
		bool is_it = dwarf_unsigned(&x.ids, 8) == id;
		uint64_t row = dwarf_unsigned(&x.rows, 4);

		if (is_it && row && row <= x.unit_count)
			return row - 1;
	}
	return x.unit_count;
}

static uint64_t cell(struct dwarf_bytes t, uint64_t at)
{
	dwarf_skip(&t, 4 * at);
	return dwarf_unsigned(&t, 4);
}

/* Returns the part of a section that a unit has. */
static struct dwarf_bytes part(struct dwarf_bytes all, uint64_t offset, uint64_t size)
{
	const uint8_t *at = dwarf_skip(&all, offset) ? all.at : NULL;

	return dwarf_bytes(at, at && size <= dwarf_left(&all) ? size : 0);
}

bool dwarf_packed_find(const struct dwarf_section *sections, uint64_t id, struct unit_pieces *p)
{
	struct packed_index x;
	uint64_t row;

	if (!index_read(&sections[OWN_INDEX], &x) || (row = row_of(x, id)) == x.unit_count)
		return false;
	for (int i = 0; i < OWN_PIECES; i++) {
		p->of[i] = numbers[i] ? dwarf_bytes(NULL, 0) : dwarf_own_section(&sections[i]);
		for (uint64_t c = 0; c < x.column_count; c++)
			if (numbers[i] && cell(x.columns, c) == numbers[i])
				p->of[i] = part(dwarf_own_section(&sections[i]),
						cell(x.offsets, row * x.column_count + c),
						cell(x.sizes, row * x.column_count + c));
	}
	return dwarf_left(&p->of[OWN_ENTRIES]) > 0;
}
