/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_form.h - values of attributes and of tables of files, by their form.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_FORM_H
#define CORETAP_SYMBOLS_USER_DWARF_FORM_H

#include "symbols/user/dwarf_info.h"

enum { FORM_INDIRECT = 0x16, FORM_IMPLICIT_CONST = 0x21 };

struct dwarf_value {
	enum {
		VALUE_NONE,
		VALUE_NUMBER,
		VALUE_ADDRESS,
		VALUE_REFERENCE,
		VALUE_TEXT,
		VALUE_BLOCK
	} kind;
	uint64_t number;
	const char *text;
	struct dwarf_bytes block;
};

/* Returns the bytes of a section; none if it is missing. */
struct dwarf_bytes dwarf_info_section(const struct dwarf_unit *u, int which);
/* Returns the bytes of a section from an offset on, of which `size` are needed; bad: it is not in the section. */
struct dwarf_bytes dwarf_info_at(const struct dwarf_unit *u, int which, uint64_t offset,
				 uint64_t size);
/* Reads the value at the current position of the entry. `implicit`: the value is part of the form instead. */
struct dwarf_value dwarf_value_read(const struct dwarf_unit *u, struct dwarf_bytes *b,
				    uint64_t form, int64_t implicit);
/* Reads an address of .debug_addr. Returns false if it is not in the section. */
bool dwarf_address_by_number(const struct dwarf_unit *u, uint64_t number, uint64_t *address);
/* Reads an entry and moves past it; tag 0: it ends a list of children. With `unit`, also what the unit's own entry says
 * of the unit. Returns false at the end, or if it is damaged. */
bool dwarf_entry_read(const struct dwarf_unit *u, struct dwarf_bytes *b, struct dwarf_entry *e,
		      struct dwarf_unit *unit);

#endif
