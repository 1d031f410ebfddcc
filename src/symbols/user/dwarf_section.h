/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dwarf_section.h - a section of debug information: whole, or a window that is filled page by page where it is asked for.
 *
 * A window is private memory, not a mapping of the file: truncating a mapped file kills the process that reads it, and
 * bytes that were checked could change. Pages that were not asked for read as zeros.
 */
#ifndef CORETAP_SYMBOLS_USER_DWARF_SECTION_H
#define CORETAP_SYMBOLS_USER_DWARF_SECTION_H

#include "symbols/user/elf_file.h"

enum {
	DWARF_WINDOW_MIN =
		256 << 10 /* bytes of a section that gets a window; smaller ones are read whole */
};

struct dwarf_window;

struct dwarf_section {
	char *bytes; /* NULL: missing */
	size_t size;
	struct dwarf_window *window; /* NULL: all bytes are there, allocated by malloc */
	bool was_packed;	     /* it was decompressed, whole */
};

/* Makes a window for a section that is large and not compressed; reads others whole. Returns 0 or an error of
 * elf_file.h. */
int dwarf_section_open(const struct elf_file *e, const Elf64_Shdr *s, struct dwarf_section *to);
void dwarf_sections_free(struct dwarf_section *sections, size_t count);
/* Reads `size` bytes from `at` on, as far as the section has them, that were not read yet. */
void dwarf_section_need(const struct dwarf_section *s, const void *at, uint64_t size);
/* Reads all of it, after which the file is not needed. Returns 0 or an error of elf_file.h. */
int dwarf_section_fill(struct dwarf_section *s);
/* Forgets what was read, if that is much. Nothing may point into the section. */
void dwarf_section_trim(const struct dwarf_section *s);
/* Returns 0 or the error of reading that came first: then some bytes are zeros instead. */
int dwarf_section_error(const struct dwarf_section *s);

#endif
