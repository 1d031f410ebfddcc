/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pack-lines.h - for build tools: clears the lines of the source in a BPF object, which are half of it when packed.
 *
 * .BTF.ext holds, for each instruction, its line in the source, whose text is among the strings of .BTF
 * (Documentation/bpf/btf.rst). The kernel shows them in the verifier's log; nothing else reads them. What is cleared
 * stays as zeros, which take no room when packed. Objects are of 64 bits and of this machine's byte order.
 */
#ifndef CORETAP_TOOLS_PACK_LINES_H
#define CORETAP_TOOLS_PACK_LINES_H

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

/* Returns the bytes of a section, or NULL. */
static inline void *section_find(const struct pack_bytes *object, const char *name)
{
	const Elf64_Ehdr *elf = object->data;
	const Elf64_Shdr *sections = (void *)((char *)object->data + elf->e_shoff);
	const char *names = (char *)object->data + sections[elf->e_shstrndx].sh_offset;

	for (size_t i = 0; i < elf->e_shnum; i++)
		if (!strcmp(names + sections[i].sh_name, name))
			return (char *)object->data + sections[i].sh_offset;
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
	const struct btf_header *btf = section_find(object, ".BTF");
	struct ext_header *ext = section_find(object, ".BTF.ext");
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

#endif
