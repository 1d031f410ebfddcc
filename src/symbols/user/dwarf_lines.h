/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_lines.h - the source file and line of an address, from the section .debug_line of DWARF 2 to 5, which may
 * come from anybody.
 *
 * Memory holds the sections and 32 bytes for each sequence of code, but no rows: a lookup runs the program of one
 * sequence again.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_LINES_H
#define CORETAP_SYMBOLS_USER_DWARF_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/user/dwarf_bytes.h"

struct dwarf_lines;

/* .debug_line, .debug_line_str and .debug_str, which malloc made; bytes NULL: there is none. */
enum { LINES_PROGRAM, LINES_STR, LINES_OTHER_STR, LINES_SECTIONS };
struct dwarf_section {
	char *bytes;
	size_t size;
};

/* Reads the sections of a file, or of the one that has its debug information; without the first the others are of no use.
 * bytes NULL: there is none. The file is an image in memory if fd is -1. Returns 0 or an error of elf_file.h. */
int dwarf_sections_read(int fd, const void *image, size_t size, const char *const *names,
			struct dwarf_section *sections, size_t count);
void dwarf_sections_free(struct dwarf_section *sections, size_t count);

/* Takes the sections, also if it fails: 0 or -ENOMEM. Units that are damaged are left out. */
int dwarf_lines_read(const struct dwarf_section *sections, struct dwarf_lines **out);
void dwarf_lines_free(struct dwarf_lines *l);
/* The memory in use; 0 for NULL. */
size_t dwarf_lines_size(const struct dwarf_lines *l);
/* The last part of the file's path, and the line; false: not known. */
bool dwarf_lines_find(struct dwarf_lines *l, uint64_t address, const char **file, unsigned *line);

/* ---- only for dwarf_lines.c, which finds programs, and dwarf_line_program.c, which runs them ---- */

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

/* Reads the next unit of *all. False at the end. A unit of an unknown form has no program. */
bool lines_unit_next(struct dwarf_bytes *all, struct lines_unit *u);
/* Runs up to the next row; false: there is none. *r is is_end before the first one. */
bool lines_row_next(const struct lines_unit *u, struct dwarf_bytes *b, struct lines_row *r);

#endif
