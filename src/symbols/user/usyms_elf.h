/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_elf.h - the functions of one ELF file by their offset in it. For usyms*.c only.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_ELF_H
#define CORETAP_SYMBOLS_USER_USYMS_ELF_H

#include "symbols/user/usyms.h"

struct cfi;
struct dwarf_lines;
struct usyms_elf;
enum { USYMS_ID_SIZE = 2 * 32 + 1 };

/* Reads a file, or an image in memory if fd is -1 (the vdso). Neither is needed afterwards. Returns 0 or an error of
 * elf_file.h. If only the symbols could not be read, *e still contains the segments; on other errors *e is NULL. */
int usyms_elf_read(int fd, const void *image, size_t size, struct usyms_elf **e);
/* Also reads the file's call frame information, if any. Returns 0 or an error of elf_file.h. */
int usyms_elf_read_cfi(struct usyms_elf *e, int fd, const void *image, size_t size);
/* Returns NULL if it was not read, or the file has none. */
const struct cfi *usyms_elf_cfi(const struct usyms_elf *e);
/* Also reads the lines of its source files, from the file or from separate debug information. */
int usyms_elf_read_lines(struct usyms_elf *e, int fd, const void *image, size_t size);
/* Finds the source file and line at an address in terms of the file's program headers. Returns false if unknown. */
bool usyms_elf_line(const struct usyms_elf *e, uint64_t address, const char **file, unsigned *line);
/* Also reads the file's build id, if any. Returns 0 or an error of elf_file.h. */
int usyms_elf_read_id(struct usyms_elf *e, int fd, const void *image, size_t size);
void usyms_elf_free(struct usyms_elf *e);
/* Returns the memory in use, in bytes: less than 3 times the file's size. 0 for NULL. */
size_t usyms_elf_bytes(const struct usyms_elf *e);
/* True if all names and offsets are equal. Either may be NULL. */
bool usyms_elf_equal(const struct usyms_elf *a, const struct usyms_elf *b);
/* Returns the function at an offset in the file, and the offset into it; or NULL. */
const char *usyms_elf_name(const struct usyms_elf *e, uint64_t file_offset, uint64_t *offset);
/* Converts an offset in the file to an address in terms of its program headers. */
uint64_t usyms_elf_address(const struct usyms_elf *e, uint64_t file_offset);

/* ---- for usyms_elf.c and usyms_debug.c only ---- */

struct function {
	uint64_t offset; /* offset in the file */
	uint32_t size;
	uint32_t name; /* offset in names */
	uint32_t rank;
	uint32_t pad; /* explicit, because structs are compared as bytes */
};

struct usyms_elf {
	struct elf_segment *segments;
	size_t segment_count;
	struct function *functions; /* sorted by offset */
	size_t count;
	char *names;
	size_t names_size;
	struct cfi *cfi;	   /* NULL: not read, or the file has none */
	struct dwarf_lines *lines; /* NULL in the same cases */
	char id[USYMS_ID_SIZE];	   /* the build id in hexadecimal; "" in the same cases */
};

#endif
