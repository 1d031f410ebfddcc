/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * elf_file.c - reads hostile ELF files with pread.
 *
 * They are not mapped, because truncating a mapped file kills the process that reads it. 32-bit structures are
 * converted to 64-bit ones. This file does not know what the symbols are used for.
 */
#include "symbols/user/elf_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	HEADERS_MAX = 1 << 16, /* bytes of program headers: the kernel loads no more */
	SECTIONS_MAX = 1 << 16,
	/* bytes of symbol tables that are allowed for even the smallest file */
	ROOM_MIN = 1 << 20,
	/* plus this many times its bytes on disk, because some file systems compress */
	ROOM_FACTOR = 4,
	SYMBOLS_AT_ONCE = 512,
};

#ifdef __BYTE_ORDER__
#define ELF_DATA (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB)
#endif

/* ---- bytes ---- */

static bool is_inside(const struct elf_file *e, uint64_t offset, uint64_t size)
{
	return offset <= e->size && size <= e->size - offset;
}

static int bytes_read(const struct elf_file *e, uint64_t offset, void *to, size_t size)
{
	if (!is_inside(e, offset, size))
		return -ENOEXEC;
	if (e->fd < 0) {
		memcpy(to, e->image + offset, size);
		return 0;
	}
	for (size_t have = 0; have < size;) {
		ssize_t n = pread(e->fd, (char *)to + have, size - have, offset + have);

		if (n < 0 && errno != EINTR)
			return -errno;
		if (!n) /* the file was truncated in the meantime */
			return -ENOEXEC;
		have += n > 0 ? n : 0;
	}
	return 0;
}

/* ---- headers of 32-bit and 64-bit files ---- */

static size_t head_size(const struct elf_file *e)
{
	return e->wide ? sizeof(Elf64_Ehdr) : sizeof(Elf32_Ehdr);
}

static size_t segment_size(const struct elf_file *e)
{
	return e->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
}

static size_t section_size(const struct elf_file *e)
{
	return e->wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
}

static size_t symbol_size(const struct elf_file *e)
{
	return e->wide ? sizeof(Elf64_Sym) : sizeof(Elf32_Sym);
}

static int head_read(struct elf_file *e)
{
	unsigned char ident[EI_NIDENT];
	Elf32_Ehdr h;
	int err = bytes_read(e, 0, ident, sizeof(ident));

	if (err || memcmp(ident, ELFMAG, SELFMAG) || ident[EI_DATA] != ELF_DATA ||
	    (ident[EI_CLASS] != ELFCLASS64 && ident[EI_CLASS] != ELFCLASS32))
		return err ? err : -ENOEXEC;
	e->wide = ident[EI_CLASS] == ELFCLASS64;
	err = bytes_read(e, 0, e->wide ? (void *)&e->head : &h, head_size(e));
	if (err || e->wide)
		return err;
	e->head = (Elf64_Ehdr){ .e_phoff = h.e_phoff,
				.e_phnum = h.e_phnum,
				.e_shoff = h.e_shoff,
				.e_phentsize = h.e_phentsize,
				.e_shnum = h.e_shnum,
				.e_shstrndx = h.e_shstrndx,
				.e_shentsize = h.e_shentsize };
	return 0;
}

static int segment_read(const struct elf_file *e, unsigned i, Elf64_Phdr *p)
{
	uint64_t at = e->head.e_phoff + i * segment_size(e);
	Elf32_Phdr h;
	int err = bytes_read(e, at, e->wide ? (void *)p : &h, segment_size(e));

	if (!err && !e->wide)
		*p = (Elf64_Phdr){ .p_type = h.p_type,
				   .p_offset = h.p_offset,
				   .p_vaddr = h.p_vaddr,
				   .p_filesz = h.p_filesz };
	return err;
}

static int section_read(const struct elf_file *e, uint64_t i, Elf64_Shdr *s)
{
	uint64_t at = e->head.e_shoff + i * section_size(e);
	Elf32_Shdr h;
	int err = bytes_read(e, at, e->wide ? (void *)s : &h, section_size(e));

	if (!err && !e->wide)
		*s = (Elf64_Shdr){ .sh_name = h.sh_name,
				   .sh_type = h.sh_type,
				   .sh_flags = h.sh_flags,
				   .sh_addr = h.sh_addr,
				   .sh_offset = h.sh_offset,
				   .sh_size = h.sh_size,
				   .sh_link = h.sh_link,
				   .sh_entsize = h.sh_entsize };
	return err;
}

/* Refuses PN_XNUM: only core files have more headers than the count can hold. */
static int segments_read(struct elf_file *e)
{
	size_t count = e->head.e_phnum;
	Elf64_Phdr p;
	int err = 0;

	if (count && e->head.e_phentsize != segment_size(e))
		return -ENOEXEC;
	if (count * segment_size(e) > HEADERS_MAX)
		return -EFBIG;
	for (size_t i = 0; i < count && !err; i++) {
		err = segment_read(e, i, &p);
		if (err || p.p_type != PT_LOAD)
			continue;
		if (e->segment_count == ELF_SEGMENTS_MAX)
			return -EFBIG;
		e->segments[e->segment_count++] = (struct elf_segment){ p.p_offset, p.p_filesz,
									p.p_vaddr,
									p.p_flags & PF_X };
	}
	return err;
}

/* Sets the limit for tables. A sparse file claims to be larger than what was written to it. Some file systems report
 * 0 bytes on disk: then the size counts. */
static void room_set(struct elf_file *e, uint64_t held)
{
	uint64_t least = held && held < e->size ? held : e->size;

	e->room = ELF_TABLES_MAX;
	if (least < (ELF_TABLES_MAX - ROOM_MIN) / ROOM_FACTOR)
		e->room = ROOM_MIN + least * ROOM_FACTOR;
}

int elf_file_read(struct elf_file *e, int fd, const void *image, size_t size)
{
	struct stat st = { .st_size = size };
	int err;

	e->fd = fd;
	e->image = image;
	e->segment_count = 0;
	if (fd >= 0 && fstat(fd, &st))
		return -errno;
	e->size = st.st_size;
	room_set(e, st.st_blocks * 512ull);
	err = head_read(e);
	return err ? err : segments_read(e);
}

static const struct elf_segment *segment_of(const struct elf_file *e, uint64_t address)
{
	for (size_t i = 0; i < e->segment_count; i++)
		if (address - e->segments[i].address < e->segments[i].size)
			return &e->segments[i];
	return NULL;
}

bool elf_offset(const struct elf_file *e, uint64_t address, uint64_t *offset)
{
	const struct elf_segment *g = segment_of(e, address);

	*offset = g ? address - g->address + g->offset : *offset;
	return g;
}

bool elf_code_offset(const struct elf_file *e, uint64_t address, uint64_t *offset)
{
	const struct elf_segment *g = segment_of(e, address);

	return g && (g->flags & PF_X) && elf_offset(e, address, offset);
}

uint64_t elf_address(const struct elf_file *e, uint64_t offset)
{
	for (size_t i = 0; i < e->segment_count; i++)
		if (offset - e->segments[i].offset < e->segments[i].size)
			return offset - e->segments[i].offset + e->segments[i].address;
	return 0;
}

/* ---- tables of symbols ---- */

/* A count that does not fit in its 16 bits is in the first section header. */
static int section_count(const struct elf_file *e, uint64_t *count)
{
	Elf64_Shdr first;
	int err;

	*count = e->head.e_shnum;
	if (!e->head.e_shoff)
		*count = 0;
	if (!e->head.e_shoff || *count)
		return 0;
	err = section_read(e, 0, &first);
	*count = first.sh_size;
	return err ? err : *count > SECTIONS_MAX ? -EFBIG : 0;
}

static int section_find(const struct elf_file *e, uint32_t type, Elf64_Shdr *s, uint64_t *sections)
{
	int err = section_count(e, sections);

	if (!err && *sections && e->head.e_shentsize != section_size(e))
		return -ENOEXEC;
	for (uint64_t i = 0; i < *sections && !err; i++) {
		err = section_read(e, i, s);
		if (!err && s->sh_type == type)
			return 0;
	}
	return err ? err : -ENOENT;
}

int elf_sections_each(const struct elf_file *e, uint32_t type,
		      int (*visit)(void *ctx, const Elf64_Shdr *s), void *ctx)
{
	uint64_t sections;
	Elf64_Shdr s;
	int err = section_count(e, &sections);

	if (!err && sections && e->head.e_shentsize != section_size(e))
		return -ENOEXEC;
	for (uint64_t i = 0; i < sections && !err; i++) {
		err = section_read(e, i, &s);
		if (!err && s.sh_type == type)
			err = visit(ctx, &s);
	}
	return err;
}

/* The index of the section with the names is in the header or, if it does not fit there, in the first section. */
bool elf_section_is(const struct elf_file *e, const Elf64_Shdr *s, const char *name)
{
	Elf64_Shdr names, first = { 0 };
	size_t size = strlen(name) + 1;
	uint64_t i = e->head.e_shstrndx;
	char text[32];

	if (i == SHN_XINDEX && !section_read(e, 0, &first))
		i = first.sh_link;
	if (size > sizeof(text) || section_read(e, i, &names) || names.sh_type != SHT_STRTAB ||
	    s->sh_name > names.sh_size || size > names.sh_size - s->sh_name ||
	    !is_inside(e, names.sh_offset, names.sh_size))
		return false;
	return !bytes_read(e, names.sh_offset + s->sh_name, text, size) &&
	       !memcmp(text, name, size);
}

int elf_section_bytes(const struct elf_file *e, const Elf64_Shdr *s, char **bytes)
{
	int err;

	if (!is_inside(e, s->sh_offset, s->sh_size))
		return -ENOEXEC;
	if (s->sh_size > e->room)
		return -EFBIG;
	*bytes = malloc(s->sh_size + 1);
	if (!*bytes)
		return -ENOMEM;
	err = bytes_read(e, s->sh_offset, *bytes, s->sh_size);
	(*bytes)[s->sh_size] = '\0';
	if (err)
		free(*bytes);
	return err;
}

static int names_read(const struct elf_file *e, const Elf64_Shdr *s, struct elf_symbols *symbols)
{
	int err = -ENOMEM;

	symbols->names = malloc(s->sh_size + 1);
	if (symbols->names)
		err = bytes_read(e, s->sh_offset, symbols->names, s->sh_size);
	if (err) {
		free(symbols->names);
		*symbols = (struct elf_symbols){ 0 };
		return err;
	}
	symbols->names[s->sh_size] = '\0';
	symbols->names_size = s->sh_size;
	return 0;
}

int elf_symbols_read(const struct elf_file *e, uint32_t type, struct elf_symbols *symbols)
{
	Elf64_Shdr table, names;
	uint64_t sections;
	int err = section_find(e, type, &table, &sections);

	*symbols = (struct elf_symbols){ 0 };
	if (err)
		return err == -ENOENT ? 0 : err;
	if (table.sh_entsize != symbol_size(e) || table.sh_link >= sections ||
	    !is_inside(e, table.sh_offset, table.sh_size))
		return -ENOEXEC;
	err = section_read(e, table.sh_link, &names);
	if (err || names.sh_type != SHT_STRTAB || !is_inside(e, names.sh_offset, names.sh_size))
		return err ? err : -ENOEXEC;
	if (table.sh_size > e->room || names.sh_size > e->room - table.sh_size)
		return -EFBIG;
	symbols->offset = table.sh_offset;
	symbols->count = table.sh_size / symbol_size(e);
	return names_read(e, &names, symbols);
}

static Elf64_Sym symbol_widen(const Elf32_Sym *s)
{
	return (Elf64_Sym){ .st_name = s->st_name,
			    .st_info = s->st_info,
			    .st_shndx = s->st_shndx,
			    .st_value = s->st_value,
			    .st_size = s->st_size };
}

int elf_symbols_each(const struct elf_file *e, const struct elf_symbols *s,
		     bool (*visit)(void *ctx, const Elf64_Sym *symbol), void *ctx)
{
	union {
		Elf64_Sym wide[SYMBOLS_AT_ONCE];
		Elf32_Sym narrow[SYMBOLS_AT_ONCE];
	} some;
	size_t size = symbol_size(e);
	int err = 0;

	for (uint64_t i = 0; i < s->count && !err; i++) {
		size_t at = i % SYMBOLS_AT_ONCE;
		uint64_t left = s->count - i;
		Elf64_Sym symbol;

		if (!at)
			err = bytes_read(e, s->offset + i * size, &some,
					 (left < SYMBOLS_AT_ONCE ? left : SYMBOLS_AT_ONCE) * size);
		if (err)
			break;
		symbol = e->wide ? some.wide[at] : symbol_widen(&some.narrow[at]);
		if (symbol.st_name < s->names_size && visit(ctx, &symbol))
			break;
	}
	return err;
}

const char *elf_strerror(int err)
{
	switch (err) {
	case -ENOEXEC: return "it is not an ELF file, or it is damaged";
	case -EFBIG: return "its tables of segments or symbols are too large to be read";
	case -EINVAL: return "it is not a regular file";
	default: return strerror(-err);
	}
}
