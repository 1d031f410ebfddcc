/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_lines.h - finds the source file and line of an address in the section .debug_line (DWARF 2 to 5), which any
 * user may have made.
 *
 * Memory holds the sections and 32 bytes for each sequence of code, but no rows: each lookup runs the program of one
 * sequence.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_LINES_H
#define CORETAP_SYMBOLS_USER_DWARF_LINES_H

#include "symbols/user/dwarf_bytes.h"
#include "symbols/user/dwarf_section.h"

struct dwarf_lines;

/* .debug_line, .debug_line_str and .debug_str. */
enum { LINES_PROGRAM, LINES_STR, LINES_OTHER_STR, LINES_SECTIONS };

/* Owns the sections from here on, even on failure. Skips damaged units. Returns 0 or an error of elf_file.h. */
int dwarf_lines_read(struct dwarf_section *sections, struct dwarf_lines **out);
void dwarf_lines_free(struct dwarf_lines *l);
/* Returns the memory in use, in bytes; 0 for NULL. */
size_t dwarf_lines_size(const struct dwarf_lines *l);
/* Finds the last component of the file's path, and the line. Returns false if unknown. */
bool dwarf_lines_find(struct dwarf_lines *l, uint64_t address, const char **file, unsigned *line);

/* ---- lines of a source file, which a path names, or the last components of one; column 0: any ---- */

enum { DWARF_PATH_MAX = 512 };

/* Calls `visit` for each address at which code of the line begins, with the path of the file, until it returns true. */
void dwarf_lines_each(const struct dwarf_lines *l, const char *file, unsigned line, unsigned column,
		      bool (*visit)(void *ctx, uint64_t address, const char *path), void *ctx);
/* True if a path ends with the components of another. */
bool dwarf_path_ends(const char *path, const char *end);
/* Returns the next line of the file that has code; 0: none. */
unsigned dwarf_lines_after(const struct dwarf_lines *l, const char *file, unsigned line);

/* ---- for dwarf_lines.c, which finds programs, dwarf_line_program.c, which runs them, and dwarf_line_names.c ---- */

enum { LENGTHS_MAX = 256 };

struct lines_unit {
	unsigned version, offset_size;
	unsigned step; /* bytes of the shortest instruction */
	int line_base;
	unsigned line_range, first_special;
	bool begins_statements;	      /* what is_statement is at first */
	uint8_t lengths[LENGTHS_MAX]; /* number of operands of each standard operation */
	struct dwarf_bytes names;     /* the tables of directories and files */
	struct dwarf_bytes program;
};

struct lines_row {
	uint64_t address;
	uint64_t file, line, column;
	bool is_statement; /* a place for breakpoints, as the compiler recommends */
	bool is_new, is_end;
};

/* Reads the next unit of *all. Returns false at the end. A unit of an unknown form has no program. */
bool lines_unit_next(struct dwarf_bytes *all, struct lines_unit *u);
/* Runs to the next row. Returns false if there is none. *r is initially is_end. */
bool lines_row_next(const struct lines_unit *u, struct dwarf_bytes *b, struct lines_row *r);

/* Returns the last component of a file's path; NULL: the tables have no such file. */
const char *lines_file_name(const struct dwarf_section *sections, const struct lines_unit *u,
			    uint64_t number);
/* Writes a file's path, as far as the tables tell; "" if they do not. */
void lines_file_path(const struct dwarf_section *sections, const struct lines_unit *u,
		     uint64_t number, char *to, size_t size);

#endif
