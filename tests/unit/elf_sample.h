/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf_sample.h - a small ELF file made up here: for the tests of the symbol reader, its fuzzer, and
 * the workload whose files are hostile.
 *
 * Text from 0x1000 of the file on is at address 0x401000, and a second segment has addresses that
 * are 0x2000 ahead of the file: what lld makes.
 */
#ifndef CORETAP_ELF_SAMPLE_H
#define CORETAP_ELF_SAMPLE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct elf_sample {
	Elf64_Ehdr head;
	Elf64_Phdr segments[2];
	Elf64_Sym symtab[12], dynsym[4];
	char strtab[256], dynstr[64];
	Elf64_Shdr sections[5];
};

enum { SAMPLE_NULL, SAMPLE_SYMTAB, SAMPLE_STRTAB, SAMPLE_DYNSYM, SAMPLE_DYNSTR, SAMPLE_SECTIONS };

static inline unsigned sample_name(char *table, unsigned *used, const char *name)
{
	unsigned at = *used;

	strcpy(table + at, name);
	*used += strlen(name) + 1;
	return at;
}

static inline Elf64_Sym sample_symbol(unsigned name, int bind, int type, uint64_t value,
				      uint64_t size)
{
	return (Elf64_Sym){ .st_name = name,
			    .st_info = ELF64_ST_INFO(bind, type),
			    .st_shndx = 1,
			    .st_value = value,
			    .st_size = size };
}

static inline void sample_section(struct elf_sample *e, int i, int type, size_t offset, size_t size,
				  int link, int entry)
{
	e->sections[i] = (Elf64_Shdr){ .sh_type = type,
				       .sh_offset = offset,
				       .sh_size = size,
				       .sh_link = link,
				       .sh_entsize = entry,
				       .sh_addralign = 8 };
}

static inline void sample_symbols(struct elf_sample *e)
{
	unsigned used = 1, dynamic = 1, n = 1;

#define ADD(name, bind, type, value, size)                                                         \
	e->symtab[n++] = sample_symbol(sample_name(e->strtab, &used, name), bind, type, value, size)
	ADD("__read", STB_GLOBAL, STT_FUNC, 0x401100, 0x20);
	ADD("read@@GLIBC_2.2.5", STB_WEAK, STT_FUNC, 0x401100, 0x20);
	ADD("__GI___read", STB_LOCAL, STT_FUNC, 0x401100, 0x20);
	ADD("helper", STB_LOCAL, STT_FUNC, 0x401010, 0x40);
	ADD("strlen", STB_GLOBAL, STT_GNU_IFUNC, 0x401200, 0x10);
	ADD("no_size", STB_GLOBAL, STT_FUNC, 0x401300, 0);
	ADD("table", STB_GLOBAL, STT_OBJECT, 0x401400, 8);
	ADD("second", STB_GLOBAL, STT_FUNC, 0x404010, 0x10);
	ADD("bss_only", STB_GLOBAL, STT_FUNC, 0x404900, 0x10); /* behind what the file has */
	ADD("puts", STB_GLOBAL, STT_FUNC, 0, 0);
	e->symtab[n - 1].st_shndx = SHN_UNDEF;
	ADD("\x1b[31m", STB_GLOBAL, STT_FUNC, 0x401500, 0x10);
#undef ADD
	e->dynsym[1] = sample_symbol(sample_name(e->dynstr, &dynamic, "exported"), STB_GLOBAL,
				     STT_FUNC, 0x401800, 0x20);
}

static inline void sample_make(struct elf_sample *e, bool stripped)
{
	memset(e, 0, sizeof(*e));
	e->head = (Elf64_Ehdr){ .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB,
					     EV_CURRENT },
				.e_type = ET_DYN,
				.e_machine = EM_X86_64,
				.e_version = EV_CURRENT,
				.e_phoff = offsetof(struct elf_sample, segments),
				.e_phnum = 2,
				.e_shoff = offsetof(struct elf_sample, sections),
				.e_shnum = SAMPLE_SECTIONS,
				.e_ehsize = sizeof(Elf64_Ehdr),
				.e_phentsize = sizeof(Elf64_Phdr),
				.e_shentsize = sizeof(Elf64_Shdr) };
	e->segments[0] = (Elf64_Phdr){
		PT_LOAD, PF_R | PF_X, 0x1000, 0x401000, 0, 0x1000, 0x1000, 1
	};
	e->segments[1] = (Elf64_Phdr){
		PT_LOAD, PF_R | PF_X, 0x2000, 0x404000, 0, 0x800, 0x1000, 1
	};
	sample_symbols(e);
	sample_section(e, SAMPLE_SYMTAB, stripped ? SHT_PROGBITS : SHT_SYMTAB,
		       offsetof(struct elf_sample, symtab), sizeof(e->symtab), SAMPLE_STRTAB,
		       sizeof(Elf64_Sym));
	sample_section(e, SAMPLE_STRTAB, SHT_STRTAB, offsetof(struct elf_sample, strtab),
		       sizeof(e->strtab), 0, 0);
	sample_section(e, SAMPLE_DYNSYM, SHT_DYNSYM, offsetof(struct elf_sample, dynsym),
		       sizeof(e->dynsym), SAMPLE_DYNSTR, sizeof(Elf64_Sym));
	sample_section(e, SAMPLE_DYNSTR, SHT_STRTAB, offsetof(struct elf_sample, dynstr),
		       sizeof(e->dynstr), 0, 0);
}

/* The same with a name changed for another one of the same length. */
static inline void sample_rename(struct elf_sample *e, const char *from, const char *to)
{
	char *at = memmem(e->strtab, sizeof(e->strtab), from, strlen(from));

	memcpy(at, to, strlen(from));
}

#endif
