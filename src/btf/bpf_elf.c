/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bpf_elf.c - finds the sections of BPF objects.
 */
#include "btf/bpf_elf.h"

#include <elf.h>
#include <stdint.h>
#include <string.h>

static const void *bytes_at(const void *elf, size_t size, uint64_t off, uint64_t len)
{
	return off <= size && len <= size - off ? (const char *)elf + off : NULL;
}

static const char *name_at(const void *elf, size_t size, const Elf64_Shdr *names, uint32_t off)
{
	const char *all = bytes_at(elf, size, names->sh_offset, names->sh_size);

	if (!all || off >= names->sh_size || !memchr(all + off, 0, names->sh_size - off))
		return "";
	return all + off;
}

const void *bpf_elf_section(const void *elf, size_t size, const char *name, size_t *section_size)
{
	const Elf64_Ehdr *h = bytes_at(elf, size, 0, sizeof(*h));
	const Elf64_Shdr *s;

	if (!h || memcmp(h->e_ident, ELFMAG, SELFMAG) || h->e_ident[EI_CLASS] != ELFCLASS64)
		return NULL;
	if (h->e_shoff % _Alignof(Elf64_Shdr))
		return NULL;
	s = bytes_at(elf, size, h->e_shoff, h->e_shnum * sizeof(*s));
	for (unsigned i = 0; s && i < h->e_shnum && h->e_shstrndx < h->e_shnum; i++) {
		if (strcmp(name_at(elf, size, &s[h->e_shstrndx], s[i].sh_name), name))
			continue;
		*section_size = s[i].sh_size;
		return bytes_at(elf, size, s[i].sh_offset, s[i].sh_size);
	}
	return NULL;
}
