/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf_file.h - segments and symbol tables of an ELF file that any user may have made.
 *
 * Everything that the file says about itself is checked before use: nothing is read beyond its end, and memory and
 * time stay in proportion to its bytes on disk. It may change while it is read. All functions return these errors:
 * -ENOEXEC: not an ELF file of this machine's byte order, or one that contradicts itself; -EFBIG: over the limit for
 * one file; or another -errno.
 */
#ifndef CORETAP_SYMBOLS_USER_ELF_FILE_H
#define CORETAP_SYMBOLS_USER_ELF_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

enum {
	ELF_SEGMENTS_MAX = 128,	    /* segments to load; files have at most ten */
	ELF_TABLES_MAX = 128 << 20, /* limit for the symbols and names of one file, in bytes */
};

struct elf_segment {
	uint64_t offset, size; /* offset and size in the file */
	uint64_t address;
	uint64_t flags; /* PF_X, …; 64 bits, so that segments can be compared as bytes */
};

struct elf_file {
	int fd; /* -1: an image in memory */
	const char *image;
	uint64_t size; /* bytes */
	uint64_t room; /* limit for a symbol table and its names, in bytes */
	bool wide;     /* a 64-bit file */
	Elf64_Ehdr head;
	struct elf_segment segments[ELF_SEGMENTS_MAX];
	size_t segment_count;
};

/* A symbol table and its names. */
struct elf_symbols {
	uint64_t offset, count;
	char *names; /* ends with a NUL; the caller frees it */
	uint64_t names_size;
};

/* Reads headers and segments. fd and image are borrowed as long as `e` is used. */
int elf_file_read(struct elf_file *e, int fd, const void *image, size_t size);
/* Reads the first table of a type (SHT_SYMTAB, SHT_DYNSYM). If the file has none, count and names
 * are 0. */
int elf_symbols_read(const struct elf_file *e, uint32_t type, struct elf_symbols *s);
/* Calls `visit` for each symbol of the table that has a name, until it returns true. */
int elf_symbols_each(const struct elf_file *e, const struct elf_symbols *s,
		     bool (*visit)(void *ctx, const Elf64_Sym *symbol), void *ctx);
/* Calls `visit` for each section of a type (SHT_NOTE), until it returns something other than 0; returns that. */
int elf_sections_each(const struct elf_file *e, uint32_t type,
		      int (*visit)(void *ctx, const Elf64_Shdr *s), void *ctx);
bool elf_section_is(const struct elf_file *e, const Elf64_Shdr *s, const char *name);
/* Returns the section's bytes followed by a NUL. The caller frees them. */
int elf_section_bytes(const struct elf_file *e, const Elf64_Shdr *s, char **bytes);
/* The same for a section that may be compressed, as debug sections often are. */
int elf_section_plain(const struct elf_file *e, const Elf64_Shdr *s, char **bytes, size_t *size);
/* Converts an address to an offset in the file. Returns false if no segment contains it. */
bool elf_offset(const struct elf_file *e, uint64_t address, uint64_t *offset);
/* The same for an address of code. */
bool elf_code_offset(const struct elf_file *e, uint64_t address, uint64_t *offset);
/* Returns the address of an offset in the file; 0: no segment contains it. */
uint64_t elf_address(const struct elf_file *e, uint64_t offset);

/* Returns the text of an error of these functions, for messages. */
const char *elf_strerror(int err);

#endif
