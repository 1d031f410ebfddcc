/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_info.h - the entries of .debug_info (DWARF 2 to 5), which any user may have made: functions, their parameters
 * and all types.
 *
 * dwarf_units.c finds units by offset, and the other file. dwarf_form.c reads values of attributes. dwarf_info.c reads units, entries and their attributes. dwarf_function.c finds
 * a function. dwarf_btf.c converts the types of a unit to BTF.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_INFO_H
#define CORETAP_SYMBOLS_USER_DWARF_INFO_H

#include <sys/types.h>

#include "btf/btf.h"
#include "symbols/user/dwarf_bytes.h"
#include "symbols/user/dwarf_find.h"

enum {
	INFO_ENTRIES,
	INFO_ABBREVS,
	INFO_STR,
	INFO_LINE_STR,
	INFO_STR_OFFSETS,
	INFO_ADDRESSES,
	INFO_LOCATIONS,	    /* lists of DWARF 5 … */
	INFO_OLD_LOCATIONS, /* … and before */
	INFO_RANGES,	    /* the addresses of code: lists of DWARF 5 … */
	INFO_OLD_RANGES,    /* … and before */
	INFO_INDEX,	    /* the units of addresses */
	INFO_TYPES, /* before DWARF 5: units of one type each; opening the file appends them to the entries */
	INFO_SECTIONS
};
/* The names of the sections. */
extern const char *const dwarf_info_names[INFO_SECTIONS];

/* Marks offsets of .debug_info in the other file, so that all offsets differ. */
#define DWARF_OTHER 0x80000000u

struct dwarf_info;

/* A type in a unit of its own (gcc -fdebug-types-section), which others refer to by a number. */
struct dwarf_signed {
	uint64_t signature;
	uint32_t type; /* the offset of its entry */
};

/* Where a function of a unit begins. */
struct dwarf_begin {
	uint64_t low_pc;
	uint32_t offset; /* of the function's entry */
};

/* Units by offset, for references. */
struct dwarf_units {
	uint32_t *starts;	    /* owned; offsets, in order */
	struct dwarf_signed *types; /* owned; units of one type each, in the order of signatures */
	size_t type_count;
	bool has_types; /* they were read */
	/* Returns the offset of the type with that signature; 0: there is none. */
	uint32_t (*signed_type)(const struct dwarf_info *info, uint64_t signature);
	size_t count;
	struct dwarf_unit **read; /* owned; by number; NULL: not yet */
	uint32_t found;		  /* the unit that was searched last, + 1; 0: none */
	struct dwarf_begins {
		struct dwarf_begin *all; /* owned */
		size_t count, room;
		uint32_t unit;
	} begins; /* of one unit */
};

struct dwarf_info {
	struct dwarf_section sections[INFO_SECTIONS];
	uint32_t base; /* of its offsets: 0, or DWARF_OTHER */
	struct dwarf_info
		*other; /* the file whose entries and texts this one refers to; NULL: none */
	struct dwarf_units *units; /* those that others refer to; NULL: references end at a unit */
	/* on this architecture, a large result is returned through a hidden first parameter */
	bool hides_result;
	struct dwarf_splits *splits; /* dwarf_split.c; NULL: all units are in the program's file */
	uint32_t types_at; /* where units of INFO_TYPES were appended; 0: there are none */
	bool in_kernel;	   /* pointers are to the kernel's memory */
	bool has_bools;	   /* keep booleans; false: bpftrace's language knows them as numbers;
			    * it wants BTF_INT_CHAR */
};

/* An abbreviation: the tag and attributes that entries with its code have. */
struct dwarf_abbrev {
	uint64_t code;
	uint32_t specs; /* offset of its list of attributes in .debug_abbrev */
	uint16_t tag;
	bool has_children;
};

struct dwarf_numbered {
	uint32_t offset, id;
};

/* Addresses of code. */
struct dwarf_extent {
	uint64_t end;  /* of the code from low_pc on; or its size */
	uint64_t list; /* offset of a list */
	bool has_end, is_size, has_list;
};

struct dwarf_unit {
	const struct dwarf_info *info;
	uint32_t offset;	    /* offset in .debug_info */
	struct dwarf_bytes entries; /* the bytes from its first entry on */
	unsigned version, offset_size, address_size;
	uint64_t strings;	    /* offset of its table in .debug_str_offsets */
	uint64_t addresses;	    /* the same in .debug_addr */
	uint64_t lists;		    /* the same in .debug_loclists */
	uint64_t range_lists;	    /* the same in .debug_rnglists */
	uint64_t low_pc;	    /* what the addresses of its lists are relative to */
	struct dwarf_extent extent; /* where its code is */
	/* of a unit that is in two files: its number, what the offsets of its texts are relative to, and, in the
	 * program's file, where the other one is */
	struct {
		uint64_t id, texts;
		const char *name, *folder;
	} split;
	uint64_t signature; /* of a unit of one type … */
	uint32_t type;	    /* … and the offset of its entry */
	bool is_cpp, is_rust, is_type;
	bool is_gnu;		      /* only where texts are read: dwarf_unit_is_gnu */
	bool skips_texts;	      /* while its own entry is read, for its numbers */
	struct dwarf_abbrev *abbrevs; /* owned */
	size_t abbrev_count;
};

enum dwarf_tag {
	TAG_ARRAY = 0x01,
	TAG_CLASS = 0x02,
	TAG_ENUM = 0x04,
	TAG_PARAMETER = 0x05,
	TAG_BLOCK = 0x0b,
	TAG_MEMBER = 0x0d,
	TAG_POINTER = 0x0f,
	TAG_REFERENCE = 0x10,
	TAG_UNIT = 0x11,
	TAG_STRUCT = 0x13,
	TAG_SUBROUTINE_TYPE = 0x15,
	TAG_TYPEDEF = 0x16,
	TAG_UNION = 0x17,
	TAG_VARIANT = 0x19,
	TAG_INHERITANCE = 0x1c,
	TAG_INLINED = 0x1d,
	TAG_MEMBER_POINTER = 0x1f,
	TAG_SUBRANGE = 0x21,
	TAG_BASE = 0x24,
	TAG_CONST = 0x26,
	TAG_ENUMERATOR = 0x28,
	TAG_FUNCTION = 0x2e,
	TAG_VARIANT_PART = 0x33,
	TAG_VARIABLE = 0x34,
	TAG_VOLATILE = 0x35,
	TAG_RESTRICT = 0x37,
	TAG_NAMESPACE = 0x39,
	TAG_UNSPECIFIED = 0x3b,
	TAG_RVALUE_REFERENCE = 0x42,
	TAG_ATOMIC = 0x47,
};

/* Where a parameter is, or what its place is relative to. */
struct dwarf_where {
	struct dwarf_bytes expr; /* at NULL: none, or a list */
	uint64_t list;		 /* offset of a list */
	bool has_list, has_value;
	struct dwarf_bytes frame; /* of a function: an expression for its frame base */
};

/* How an object of a class is passed; PASS_CHANGED of a function that obeys no calling convention. */
enum { PASS_CHANGED = 3, PASS_BY_REFERENCE = 4, PASS_BY_VALUE = 5 };

/* An entry, with those attributes that types need. Offsets are in .debug_info; 0: none. */
struct dwarf_entry {
	uint32_t offset;
	uint16_t tag; /* 0: an end of children */
	bool has_children;
	const char *name, *linkage_name; /* NULL: none */
	uint32_t type, specification;
	uint32_t origin;   /* what it is an instance of; of a type that is elsewhere: the type */
	uint64_t size;	   /* bytes */
	uint64_t location; /* of a member: bytes from the start of the struct */
	uint64_t bits;	   /* of a bitfield: its width; 0: none */
	uint64_t first_bit;
	/* first_bit is set, counted as in DWARF 4; or from the high end, as in DWARF 2 */
	bool has_first_bit, counts_from_high;
	uint64_t count; /* how many elements an array has */
	uint64_t value; /* of an enumerator or variant */
	/* of a function, block or inlined call; exists: its address may be in another section */
	struct {
		uint64_t low_pc, end; /* end: an address or, if is_size, the number of bytes */
		uint64_t ranges;      /* in several pieces: offset of the list */
		uint64_t entry;	      /* where it begins, if that is told apart; 0: not */
		bool exists, has_low_pc, has_end, is_size, has_ranges;
	} code;
	/* of the source: where it is declared; of an inlined call: where it is called */
	uint32_t line, call_line;
	bool is_declaration, is_external, has_location;
	uint8_t encoding;
	/* of a type, or a function */
	struct {
		uint32_t alignment; /* bytes, if the source says so; 0: that of the type */
		uint8_t passing;    /* PASS_…; 0: unknown */
		bool is_vector;
		/* of a parameter or function of C++ */
		bool is_artificial, is_virtual, is_defaulted, is_deleted;
	} abi;
	struct dwarf_where where;
};

/* ---- dwarf_units.c ---- */

/* Opens the debug information of a file, and the file that dwz moved the shared part of it into. *info must be zeroed. Returns 0,
 * -ENODATA if it has none, or an error of elf_file.h. Close it in any case. */
int dwarf_info_open(int fd, struct dwarf_info *info);
void dwarf_info_close(struct dwarf_info *info);
/* Returns the unit that an offset is in: `u`, or one that is kept; NULL if there is none. */
const struct dwarf_unit *dwarf_unit_of(const struct dwarf_unit *u, uint32_t offset);

/* Reads the entry at an offset in .debug_info, which may be in another unit. Returns false if there is none. */
bool dwarf_entry_at(const struct dwarf_unit *u, uint32_t offset, struct dwarf_entry *e);
/* Moves to the entry that `e` is an instance of, or the definition of. Returns false, with `e` unchanged or undefined, if
 * there is none. */
static inline bool dwarf_entry_origin(const struct dwarf_unit *u, struct dwarf_entry *e)
{
	uint32_t of = e->origin ?: e->specification;

	return of && dwarf_entry_at(u, of, e);
}
/* Returns `u` and the units that its entries refer to, and so on, sorted by offset. The caller frees *list. Returns 0, -E2BIG or
 * -ENOMEM. */
int dwarf_units_collect(const struct dwarf_unit *u, const struct dwarf_unit ***list, size_t *count);

/* ---- dwarf_split.c ---- */

/* Reads the units that a program's file has only skeletons of (gcc -gsplit-dwarf), and appends them to the sections.
 * What is missing is left out. Returns 0 or an error of elf_file.h. */
int dwarf_split_read(int fd, struct dwarf_info *info);
void dwarf_splits_free(struct dwarf_splits *s);
/* Sets what such a unit's offsets are relative to. Returns false if it is not one of those that were read. */
bool dwarf_split_apply(struct dwarf_unit *u, uint64_t *abbrevs);

/* ---- dwarf_info.c and dwarf_function.c ---- */

/* Reads the next unit of *all. *u must be zeroed, or the previous unit. Returns false at the end. A unit of an
 * unknown form has no entries. */
bool dwarf_unit_next(const struct dwarf_info *info, struct dwarf_bytes *all, struct dwarf_unit *u);
void dwarf_unit_free(struct dwarf_unit *u);
/* True if GCC made the unit. */
bool dwarf_unit_is_gnu(const struct dwarf_unit *u);
/* Reads all its bytes: dwarf_unit_next reads its own entry only. */
void dwarf_unit_load(const struct dwarf_unit *u);
/* Reads the next entry. Returns false at the end of the unit. */
bool dwarf_entry_next(const struct dwarf_unit *u, struct dwarf_bytes *b, struct dwarf_entry *e);

/* Returns the bytes that follow an entry: its children, if it has any. */
struct dwarf_bytes dwarf_entry_children(const struct dwarf_unit *u, const struct dwarf_entry *e);
enum { DWARF_STEPS_MAX = 16 << 20 };
/* Reads the next child of an entry, skipping grandchildren. `depth` is initially 0. *steps counts the entries that were
 * read, up to DWARF_STEPS_MAX: each level of nesting reads its entries again. Returns false at the end. */
bool dwarf_child_next(const struct dwarf_unit *u, struct dwarf_bytes *at, unsigned *depth,
		      struct dwarf_entry *child, uint64_t *steps);

/* Finds a function and its unit by its address or, where addresses are in another section, by its name in the symbol
 * table. Returns 0, and the caller frees *u; or -ENOENT. */
int dwarf_function_find(const struct dwarf_info *info, uint64_t address, const char *name,
			struct dwarf_unit *u, struct dwarf_entry *function);
/* True if the entry is of a function that the symbol table, or the source, knows by that name. */
bool dwarf_is_named(const struct dwarf_unit *u, const struct dwarf_entry *e, const char *name);
/* Finds where calls of a function are inlined: the addresses where their code begins, at most `most`. Returns how many there
 * are, or an error of reading. */
ssize_t dwarf_inlined_find(const struct dwarf_info *info, const char *name, uint64_t *addresses,
			   size_t most);
/* False if the unit's own entry tells that it has no code at the address. Defined in dwarf_list.c. */
bool dwarf_unit_may_have(const struct dwarf_unit *u, uint64_t address);
/* True if the entry has code at the address. Defined in dwarf_list.c. */
bool dwarf_entry_has(const struct dwarf_unit *u, const struct dwarf_entry *e, uint64_t address);
/* The same, or the entry begins there, with an empty range: as the entry of an inlined call whose first instruction is its
 * caller's. */
bool dwarf_entry_touches(const struct dwarf_unit *u, const struct dwarf_entry *e, uint64_t address);
/* Finds the first address of a list of ranges, where a function begins. */
bool dwarf_ranges_begin(const struct dwarf_unit *u, uint64_t list, uint64_t *address);
/* Finds the first unit that defines a type of this name (not NUL-terminated), here or in the other file. `kind`: that of BTF;
 * BTF_KIND_UNKN: any. Returns 0, and the caller frees *u; -ENOENT; or an error of reading. */
int dwarf_type_find(const struct dwarf_info *info, const char *name, size_t len, unsigned kind,
		    struct dwarf_unit *u);
bool dwarf_is_struct(unsigned tag);
/* True if the entry stands for a type in a unit of its own. */
bool dwarf_is_elsewhere(const struct dwarf_entry *type);
/* Finds the type below typedefs and qualifiers. Returns false if it is void, or unknown. */
bool dwarf_type_strip(const struct dwarf_unit *u, uint32_t offset, struct dwarf_entry *e);
/* Returns the alignment of a type if it is more than that of a word; less: unknown. */
uint32_t dwarf_alignment(const struct dwarf_unit *u, uint32_t type);
/* Returns how objects of the type are passed, and returned: PASS_BY_VALUE, also if it is no class, PASS_BY_REFERENCE, or 0: unknown. */
uint8_t dwarf_passing(const struct dwarf_unit *u, uint32_t type);
/* True if the function gets the address for its result as a first, unnamed parameter. */
bool dwarf_result_is_hidden(const struct dwarf_unit *u, const struct dwarf_entry *e);

/* ---- dwarf_btf.c ---- */

/* BTF of all types and functions of a unit. Pointers have the tag "user". */
struct dwarf_types {
	void *bytes;
	size_t size;
	struct dwarf_numbered *all; /* owned: ids by offset */
	size_t count;
};

/* Builds them on top of `base`. Returns 0, -E2BIG, -EBADMSG or -ENOMEM. */
int dwarf_btf_build(const struct dwarf_unit *u, const struct btf_view *base, struct dwarf_types *t);
void dwarf_types_free(struct dwarf_types *t);
/* Returns the id of the type at an offset, or 0. */
uint32_t dwarf_types_id(const struct dwarf_types *t, uint32_t offset);
/* Returns the id of the function that the entry has the code of, or 0. */
uint32_t dwarf_types_function(const struct dwarf_types *t, const struct dwarf_entry *function);

#endif
