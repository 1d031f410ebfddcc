/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usdt_sample.h - a small ELF file with notes of USDT probes, made up here: for the test of their reader,
 * and its fuzzer. Text from 0x100 of the file on is at address 0x401000, data from 0x800 on at 0x402000.
 */
#ifndef CORETAP_USDT_SAMPLE_H
#define CORETAP_USDT_SAMPLE_H

#include <elf.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NOTE_NULL, NOTE_NOTES, NOTE_BASE, NOTE_NAMES, NOTE_SECTIONS, NOTE_ROOM = 4096 };

struct usdt_sample {
	Elf64_Ehdr head;
	Elf64_Phdr segments[2];
	Elf64_Shdr sections[NOTE_SECTIONS];
	char names[32];
	char notes[NOTE_ROOM];
};

/* Texts with a NUL behind each; NULL ends them. */
static inline void usdt_note(struct usdt_sample *s, uint64_t at, uint64_t base, uint64_t semaphore,
			     const char *const texts[])
{
	uint64_t addresses[] = { at, base, semaphore };
	Elf64_Nhdr n = { .n_namesz = 8, .n_descsz = sizeof(addresses), .n_type = 3 };
	uint64_t *size = &s->sections[NOTE_NOTES].sh_size;
	char *to = s->notes + *size + sizeof(n);

	memcpy(to, "stapsdt", 8);
	memcpy(to + 8, addresses, sizeof(addresses));
	for (size_t i = 0; texts[i]; i++) {
		strcpy(to + 8 + n.n_descsz, texts[i]);
		n.n_descsz += strlen(texts[i]) + 1;
	}
	memcpy(to - sizeof(n), &n, sizeof(n));
	*size += sizeof(n) + 8 + ((n.n_descsz + 3) & ~3u);
}
#define NOTE_TEXTS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Its .stapsdt.base is at 0x401f00. */
static inline void usdt_sample_make(struct usdt_sample *s)
{
	*s = (struct usdt_sample){
		.head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			  .e_type = ET_EXEC,
			  .e_phoff = offsetof(struct usdt_sample, segments),
			  .e_phnum = 2,
			  .e_shoff = offsetof(struct usdt_sample, sections),
			  .e_shnum = NOTE_SECTIONS,
			  .e_shstrndx = NOTE_NAMES,
			  .e_phentsize = sizeof(Elf64_Phdr),
			  .e_shentsize = sizeof(Elf64_Shdr) },
		.segments = { { PT_LOAD, PF_R | PF_X, 0x100, 0x401000, 0, 0x700, 0x700, 1 },
			      { PT_LOAD, PF_R | PF_W, 0x800, 0x402000, 0, 0x100, 0x100, 1 } },
		.sections = { [NOTE_NOTES] = { .sh_type = SHT_NOTE,
					       .sh_offset = offsetof(struct usdt_sample, notes) },
			      [NOTE_BASE] = { .sh_type = SHT_PROGBITS,
					      .sh_name = 1,
					      .sh_addr = 0x401f00 },
			      [NOTE_NAMES] = { .sh_type = SHT_STRTAB,
					       .sh_offset = offsetof(struct usdt_sample, names),
					       .sh_size = 32 } },
	};
	memcpy(s->names + 1, ".stapsdt.base", sizeof(".stapsdt.base"));
}

#endif
