/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_split.h - one unit in a file of debug information of its own, or in one that many units are packed into.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_SPLIT_H
#define CORETAP_SYMBOLS_USER_DWARF_SPLIT_H

#include "symbols/user/dwarf_info.h"

/* The sections of such a file. */
enum {
	OWN_ENTRIES,
	OWN_ABBREVS,
	OWN_STR,
	OWN_STR_OFFSETS,
	OWN_LOCATIONS,
	OWN_RANGES,
	OWN_PIECES, /* of a unit, so far */
	OWN_INDEX = OWN_PIECES,
	OWN_SECTIONS
};
extern const char *const dwarf_own_names[OWN_SECTIONS];

/* The bytes of one unit in each section. */
struct unit_pieces {
	struct dwarf_bytes of[OWN_PIECES];
};

/* Returns the bytes of a section; none if it is missing. */
struct dwarf_bytes dwarf_own_section(const struct dwarf_section *s);
/* Finds a unit by its number: in a file of its own (.dwo), which has all of the other sections, or in one of packed units (.dwp).
 * The sections must be filled. Returns false if it is not there. */
bool dwarf_own_find(const struct dwarf_section *sections, uint64_t id, struct unit_pieces *p);
bool dwarf_packed_find(const struct dwarf_section *sections, uint64_t id, struct unit_pieces *p);

/* A unit whose entries are elsewhere: what its skeleton tells. */
struct skeleton {
	uint64_t id, addresses, low_pc;
	struct dwarf_extent extent;
	char *name, *folder; /* owned; folder NULL: unknown */
};

/* A unit that was appended. */
struct split {
	uint32_t offset; /* in .debug_info */
	uint64_t at[OWN_PIECES];
	struct skeleton skeleton; /* without its texts */
};

struct dwarf_splits {
	struct split *all; /* in the order of offsets */
	size_t count, room;
};

#endif
