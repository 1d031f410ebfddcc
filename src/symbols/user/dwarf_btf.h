/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_btf.h - what the two parts of the conversion to BTF share: dwarf_btf.c gives ids to the entries of all units,
 * dwarf_btf_entry.c writes each.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_BTF_H
#define CORETAP_SYMBOLS_USER_DWARF_BTF_H

#include <string.h>

#include "btf/btf_write.h"
#include "symbols/user/dwarf_info.h"

enum { DWARF_DIMENSIONS_MAX = 8 };

struct dwarf_build {
	const struct dwarf_unit *main;
	const struct dwarf_unit *u;	 /* whose entries are being read */
	const struct dwarf_unit **units; /* owned; all that are referred to, sorted by offset */
	size_t unit_count;
	uint32_t first, next;
	struct dwarf_numbered *all; /* owned; sorted by offset */
	size_t count, room;
	struct btf_write out;
	/* how many entries were read as children; each level of nesting reads its entries again */
	uint64_t steps;
};

/* True for the type of `nullptr`: others of this kind have no size. */
static inline bool dwarf_build_is_null(const struct dwarf_entry *e)
{
	return e->name && strstr(e->name, "nullptr");
}

/* Reads the next child; false: there is none, or too many entries were read. */
static inline bool dwarf_build_child(struct dwarf_build *b, struct dwarf_bytes *at, unsigned *depth,
				     struct dwarf_entry *child)
{
	return dwarf_child_next(b->u, at, depth, child, &b->steps);
}

/* Reads how many elements each dimension of an array has, 0: unknown; returns the number of dimensions, at least 1. */
unsigned dwarf_build_dimensions(struct dwarf_build *b, const struct dwarf_entry *e,
				uint64_t counts[DWARF_DIMENSIONS_MAX]);
/* Returns the id of the entry at an offset; 0, void, if it has none. */
static inline uint32_t dwarf_build_entry_id(const struct dwarf_build *b, uint32_t offset)
{
	const struct dwarf_types t = { .all = b->all, .count = b->count };

	return dwarf_types_id(&t, offset);
}

/* Writes the types of an entry: as many as it has ids. */
void dwarf_build_entry(struct dwarf_build *b, const struct dwarf_entry *e);
/* Writes a pointer, to user memory or the kernel's. It has the id `id`; the next one is its tag's, or not used. */
void dwarf_build_pointer(struct dwarf_build *b, const char *name, uint32_t id, uint32_t target);

#endif
