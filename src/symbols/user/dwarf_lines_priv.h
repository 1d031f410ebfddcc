/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_lines_priv.h - shared by dwarf_lines.c, which finds a program, and dwarf_line_program.c, which runs it.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_LINES_PRIV_H
#define CORETAP_SYMBOLS_USER_DWARF_LINES_PRIV_H

#include "symbols/user/dwarf_bytes.h"
#include "symbols/user/dwarf_lines.h"

enum { LENGTHS_MAX = 256 };

struct lines_unit {
	unsigned version, offset_size;
	unsigned step; /* bytes of the shortest instruction */
	int line_base;
	unsigned line_range, first_special;
	uint8_t lengths[LENGTHS_MAX]; /* operands of standard operations */
	struct dwarf_bytes names;     /* directories, then files */
	struct dwarf_bytes program;
};

struct lines_row {
	uint64_t address;
	uint64_t file, line;
	bool is_new, is_end;
};

/* Takes a unit from *all; false: there are no more. A unit that is not understood has no program. */
bool lines_unit_next(struct dwarf_bytes *all, struct lines_unit *u);
/* Runs up to the next row; false: there is none. *r is is_end before the first one. */
bool lines_row_next(const struct lines_unit *u, struct dwarf_bytes *b, struct lines_row *r);

#endif
