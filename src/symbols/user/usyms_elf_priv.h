/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_elf_priv.h - what usyms_elf.c keeps of a file, with the tables of usyms_debug.c.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_ELF_PRIV_H
#define CORETAP_SYMBOLS_USER_USYMS_ELF_PRIV_H

#include "symbols/user/usyms_elf.h"

struct function {
	uint64_t offset; /* in the file */
	uint32_t size;
	uint32_t name; /* in names */
	uint32_t rank;
	uint32_t pad; /* explicit, because structs are compared as bytes */
};

struct usyms_elf {
	struct elf_segment *segments;
	size_t segment_count;
	struct function *functions; /* by offset */
	size_t count;
	char *names;
	size_t names_size;
	struct cfi *cfi;	   /* NULL: not read, or none … */
	struct dwarf_lines *lines; /* … the same */
};

#endif
