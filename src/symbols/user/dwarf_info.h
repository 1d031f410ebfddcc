/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_info.h - the entries of .debug_info, of DWARF 2 to 5, which may come from anybody: functions, their parameters and
 * all types.
 *
 *	dwarf_form.c	values of attributes
 *	dwarf_info.c	units, entries and their attributes
 *	dwarf_btf.c	the types of a unit as BTF
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_INFO_H
#define CORETAP_SYMBOLS_USER_DWARF_INFO_H

#include "btf/btf.h"
#include "symbols/user/dwarf_lines.h"

enum { INFO_ENTRIES, INFO_ABBREVS, INFO_STR, INFO_LINE_STR, INFO_STR_OFFSETS, INFO_SECTIONS };
/* What the sections are called. */
extern const char *const dwarf_info_names[INFO_SECTIONS];

struct dwarf_info {
	struct dwarf_section sections[INFO_SECTIONS]; /* borrowed */
	bool hides_result; /* of the processor: a large result is returned through a first parameter */
};

/* The form of entries. */
struct dwarf_abbrev {
	uint64_t code;
	uint32_t specs; /* offset of its attributes in .debug_abbrev */
	uint16_t tag;
	bool has_children;
};

struct dwarf_unit {
	const struct dwarf_info *info;
	uint32_t offset;	    /* in .debug_info */
	struct dwarf_bytes entries; /* from its first entry on */
	unsigned version, offset_size, address_size;
	uint64_t strings; /* its offsets in .debug_str_offsets */
	bool is_cpp;
	struct dwarf_abbrev *abbrevs; /* owned */
	size_t abbrev_count;
};

enum dwarf_tag {
	TAG_ARRAY = 0x01,
	TAG_CLASS = 0x02,
	TAG_ENUM = 0x04,
	TAG_PARAMETER = 0x05,
	TAG_MEMBER = 0x0d,
	TAG_POINTER = 0x0f,
	TAG_REFERENCE = 0x10,
	TAG_UNIT = 0x11,
	TAG_STRUCT = 0x13,
	TAG_SUBROUTINE_TYPE = 0x15,
	TAG_TYPEDEF = 0x16,
	TAG_UNION = 0x17,
	TAG_INHERITANCE = 0x1c,
	TAG_SUBRANGE = 0x21,
	TAG_BASE = 0x24,
	TAG_CONST = 0x26,
	TAG_ENUMERATOR = 0x28,
	TAG_FUNCTION = 0x2e,
	TAG_VOLATILE = 0x35,
	TAG_RESTRICT = 0x37,
	TAG_NAMESPACE = 0x39,
	TAG_RVALUE_REFERENCE = 0x42,
	TAG_ATOMIC = 0x47,
};

/* An entry, with what types need of its attributes. Offsets are those in .debug_info; 0: none. */
struct dwarf_entry {
	uint32_t offset;
	uint16_t tag; /* 0: ends the children of another */
	bool has_children;
	const char *name, *linkage_name; /* NULL: none */
	uint32_t type, origin, specification;
	uint64_t size;	   /* bytes */
	uint64_t location; /* of a member, in bytes */
	uint64_t bits;	   /* of a bitfield; 0: none */
	uint64_t first_bit;
	bool has_first_bit, counts_from_high; /* first_bit: as DWARF 4, or as DWARF 2 */
	uint64_t count;			      /* of an array's elements */
	uint64_t value;			      /* of an enumerator */
	uint64_t low_pc;
	bool has_code; /* it is a function with instructions; their address may be elsewhere */
	bool has_low_pc, is_declaration, is_external, has_location;
	uint8_t encoding;
};

/* Reads the next unit of *all; *u must be zeros, or of the unit before. False at the end. A unit of an unknown form has no
 * entries. */
bool dwarf_unit_next(const struct dwarf_info *info, struct dwarf_bytes *all, struct dwarf_unit *u);
void dwarf_unit_free(struct dwarf_unit *u);
/* Reads the next entry. False at the end of the unit. */
bool dwarf_entry_next(const struct dwarf_unit *u, struct dwarf_bytes *b, struct dwarf_entry *e);
/* Reads the entry at an offset in .debug_info; false: it is not in the unit. */
bool dwarf_entry_at(const struct dwarf_unit *u, uint32_t offset, struct dwarf_entry *e);

/* Finds the function with an address or, where addresses are in another section, with a name in a table of symbols, and its
 * unit. Returns 0, and the caller frees *u; or -ENOENT. */
int dwarf_function_find(const struct dwarf_info *info, uint64_t address, const char *name,
			struct dwarf_unit *u, struct dwarf_entry *function);

/* ---- dwarf_btf.c ---- */

/* All types and functions of a unit as BTF on top of `base`. *id is that of the function with this entry; 0: it has none.
 * Returns 0, -E2BIG or -ENOMEM. The caller frees *bytes. */
int dwarf_btf_build(const struct dwarf_unit *u, const struct btf_view *base,
		    const struct dwarf_entry *function, uint32_t *id, void **bytes, size_t *size);

#endif
