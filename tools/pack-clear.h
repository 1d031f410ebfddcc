/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack-clear.h - for build tools: clears what nobody needs in a BPF object: the lines of its source, and the labels of
 * its jumps. These are most of it when packed.
 *
 * .BTF.ext holds, for each instruction, its line in the source, whose text is among the strings of .BTF
 * (Documentation/bpf/btf.rst). The kernel shows them in the verifier's log; nothing else reads them. What is cleared
 * stays as zeros, which take no room when packed. Objects are of 64 bits and of this machine's byte order.
 */
#ifndef CORETAP_TOOLS_PACK_CLEAR_H
#define CORETAP_TOOLS_PACK_CLEAR_H

#include <elf.h>
#include <linux/btf.h>
#include <stdint.h>
#include <string.h>

#include "pack.h"

/* struct btf_ext_header, of which no header of the kernel has a copy for users */
struct ext_header {
	uint16_t magic;
	uint8_t version, flags;
	uint32_t hdr_len, func_info_off, func_info_len, line_info_off, line_info_len;
};

struct ext_line {
	uint32_t insn_off, file_name_off, line_off, line_col;
};

/* Returns the bytes of a section, and their number unless `size` is NULL; or NULL. */
static inline void *section_find(const struct pack_bytes *object, const char *name, size_t *size)
{
	const Elf64_Ehdr *elf = object->data;
	const Elf64_Shdr *sections = (void *)((char *)object->data + elf->e_shoff);
	const char *names = (char *)object->data + sections[elf->e_shstrndx].sh_offset;

	for (size_t i = 0; i < elf->e_shnum; i++) {
		if (strcmp(names + sections[i].sh_name, name))
			continue;
		if (size)
			*size = sections[i].sh_size;
		return (char *)object->data + sections[i].sh_offset;
	}
	return NULL;
}

/* Clears a text that no name of a type or member can be. */
static inline void line_clear(char *text)
{
	if (strpbrk(text, " (){};/"))
		memset(text, 0, strlen(text));
}

static inline void lines_clear(const struct pack_bytes *object)
{
	const struct btf_header *btf = section_find(object, ".BTF", NULL);
	struct ext_header *ext = section_find(object, ".BTF.ext", NULL);
	char *strings, *from, *at, *end;

	if (!btf || !ext)
		return;
	strings = (char *)btf + btf->hdr_len + btf->str_off;
	from = (char *)ext + ext->hdr_len + ext->line_info_off;
	end = from + ext->line_info_len;
	/* the size of a record; then for each section its name, the number of records, and these */
	for (at = from + sizeof(uint32_t); at < end;) {
		uint32_t count = ((uint32_t *)at)[1];

		for (at += 2 * sizeof(uint32_t); count--; at += *(uint32_t *)from) {
			line_clear(strings + ((struct ext_line *)at)->line_off);
			line_clear(strings + ((struct ext_line *)at)->file_name_off);
		}
	}
	memset(from, 0, ext->line_info_len);
	ext->line_info_len = 0;
}

/* Labels are symbols of no type, LBB3_7. No relocation refers to them: a jump holds its distance. Cleared, a symbol is
 * one that is not defined and has no name, which libbpf skips. */
static inline void labels_clear(const struct pack_bytes *object)
{
	size_t size = 0;
	Elf64_Sym *at = section_find(object, ".symtab", &size), *end = at + size / sizeof(*at);
	char *names = section_find(object, ".strtab", NULL);

	for (; names && at < end; at++) {
		char *name = names + at->st_name;

		if (ELF64_ST_TYPE(at->st_info) != STT_NOTYPE || strncmp(name, "LBB", 3))
			continue;
		memset(name, 0, strlen(name));
		memset(at, 0, sizeof(*at));
	}
}

/* Clears both. */
static inline void object_clear(const struct pack_bytes *object)
{
	lines_clear(object);
	labels_clear(object);
}

#endif
