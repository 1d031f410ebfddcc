/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_debug.c - reads the tables of a file that only stacks need: where functions save their callers' registers,
 * and which source lines they come from.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "symbols/user/cfi.h"
#include "symbols/user/dwarf_lines.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/regular_file.h"
#include "symbols/user/usyms_elf.h"

/* ---- call frame information ---- */

struct cfi_walk {
	struct usyms_elf *e;
	const struct elf_file *file;
};

static int cfi_visit(void *ctx, const Elf64_Shdr *s)
{
	struct cfi_walk *w = ctx;
	char *bytes;
	int err;

	if (w->e->cfi || !elf_section_is(w->file, s, ".eh_frame"))
		return 0;
	err = elf_section_bytes(w->file, s, &bytes);
	return err ? err : cfi_read((uint8_t *)bytes, s->sh_size, s->sh_addr, &w->e->cfi);
}

/* 32-bit programs are skipped: their registers have other numbers. Linkers differ in the section's type. */
int usyms_elf_read_cfi(struct usyms_elf *e, int fd, const void *image, size_t size)
{
	struct elf_file file;
	struct cfi_walk w = { e, &file };
	int err = elf_file_read(&file, fd, image, size);

	if (err || !file.wide)
		return err;
	err = elf_sections_each(&file, SHT_PROGBITS, cfi_visit, &w);
	return err ? err : elf_sections_each(&file, SHT_X86_64_UNWIND, cfi_visit, &w);
}

const struct cfi *usyms_elf_cfi(const struct usyms_elf *e)
{
	return e->cfi;
}

/* ---- lines ---- */

enum {
	LINKED_MAX = 2 * ELF_TABLES_MAX, /* bytes of the largest file whose checksum is computed */
	LINK_BYTES = 256,		 /* bytes of a file name with its NUL */
};

struct lines_walk {
	const struct elf_file *file;
	/* names of sections; without the first, the others are useless */
	const char *const *names;
	struct dwarf_section *sections; /* bytes NULL: not found */
	size_t count;
	char build_id[64];     /* in hexadecimal, or "" */
	char link[LINK_BYTES]; /* the file name in .gnu_debuglink, or "" */
	uint32_t crc;	       /* the CRC-32 of that file */
};

static int lines_visit(void *ctx, const Elf64_Shdr *s)
{
	struct lines_walk *w = ctx;

	for (size_t i = 0; i < w->count; i++) {
		struct dwarf_section *to = &w->sections[i];

		if (!to->bytes && elf_section_is(w->file, s, w->names[i]))
			return dwarf_section_open(w->file, s, to);
	}
	return 0;
}

/* A note has a header of three words, the name GNU, and then the id. */
static int build_id_visit(void *ctx, const Elf64_Shdr *s)
{
	struct lines_walk *w = ctx;
	char *bytes;
	int err;

	if (*w->build_id || s->sh_size < 18 || s->sh_size > 16 + sizeof(w->build_id) / 2 - 1 ||
	    !elf_section_is(w->file, s, ".note.gnu.build-id"))
		return 0;
	err = elf_section_bytes(w->file, s, &bytes);
	if (err)
		return err;
	for (size_t i = 16; i < s->sh_size; i++)
		snprintf(w->build_id + 2 * (i - 16), 3, "%02x", (unsigned char)bytes[i]);
	free(bytes);
	return 0;
}

/* Parses .gnu_debuglink, as written by objcopy --add-gnu-debuglink: a name, NULs up to a multiple of four bytes, and
 * the checksum. Any user may have made it: a name with a slash is refused. */
static int link_visit(void *ctx, const Elf64_Shdr *s)
{
	struct lines_walk *w = ctx;
	size_t crc_at = s->sh_size - sizeof(w->crc);
	char *bytes;
	int err;

	if (*w->link || s->sh_size < 8 || crc_at > sizeof(w->link) ||
	    !elf_section_is(w->file, s, ".gnu_debuglink"))
		return 0;
	err = elf_section_bytes(w->file, s, &bytes);
	if (err)
		return err;
	memcpy(&w->crc, bytes + crc_at, sizeof(w->crc));
	bytes[crc_at] = '\0';
	if (strlen(bytes) < sizeof(w->link) && !strchr(bytes, '/'))
		strcpy(w->link, bytes);
	free(bytes);
	return 0;
}

/* Reads the sections of one file; without the first, the others are dropped. */
static int sections_read(struct lines_walk *w, struct elf_file *file, int fd, const void *image,
			 size_t size)
{
	int err = elf_file_read(file, fd, image, size);

	w->file = file;
	if (!err && !w->sections[0].bytes)
		err = elf_sections_each(file, SHT_PROGBITS, lines_visit, w);
	if (!err && !w->sections[0].bytes)
		err = elf_sections_each(file, SHT_NOTE, build_id_visit, w);
	if (!err && !w->sections[0].bytes)
		err = elf_sections_each(file, SHT_PROGBITS, link_visit, w);
	return err;
}

static bool crc_is(int fd, uint64_t size, uint32_t crc)
{
	unsigned char buf[16 << 10];
	uLong sum = crc32(0, NULL, 0);
	ssize_t n = 1;

	if (size > LINKED_MAX)
		return false;
	for (uint64_t at = 0; at < size && n > 0; at += n) {
		n = pread(fd, buf, sizeof(buf), at);
		sum = n > 0 ? crc32(sum, buf, n) : sum;
	}
	return n > 0 && sum == crc;
}

/* Reads a separate file. If it is missing, or its checksum is wrong, that is no error. */
static int separate_read(struct lines_walk *w, const char *path, bool by_crc)
{
	struct elf_file file;
	struct stat st;
	int fd = regular_open_found(regular_find(path, &st)), err = 0;

	if (fd < 0)
		return 0;
	if (!by_crc || crc_is(fd, st.st_size, w->crc))
		err = sections_read(w, &file, fd, NULL, 0);
	close(fd);
	return err;
}

static int by_build_id_read(struct lines_walk *w)
{
	char path[sizeof(w->build_id) + 64];

	snprintf(path, sizeof(path), "/usr/lib/debug/.build-id/%.2s/%s.debug", w->build_id,
		 w->build_id + 2);
	return separate_read(w, path, false);
}

/* Searches where debuggers do: next to the program, in .debug there, and below /usr/lib/debug. */
static int by_link_read(struct lines_walk *w, int fd)
{
	static const char *const places[] = { "%s/%s", "%s/.debug/%s", "/usr/lib/debug%s/%s" };
	char own[32], folder[PATH_MAX], path[PATH_MAX + LINK_BYTES + 32];
	ssize_t size;
	int err = 0;

	snprintf(own, sizeof(own), "/proc/self/fd/%d", fd);
	size = readlink(own, folder, sizeof(folder) - 1);
	if (size <= 0 || *folder != '/')
		return 0;
	folder[size] = '\0';
	*strrchr(folder, '/') = '\0';
	for (size_t i = 0; i < 3 && !err && !w->sections[0].bytes; i++) {
		snprintf(path, sizeof(path), places[i], folder, w->link);
		err = separate_read(w, path, true);
	}
	return err;
}

void dwarf_sections_free(struct dwarf_section *sections, size_t count)
{
	for (size_t i = 0; i < count; i++)
		dwarf_section_free(&sections[i]);
}

int dwarf_sections_read(int fd, const void *image, size_t size, const char *const *names,
			struct dwarf_section *sections, size_t count)
{
	struct lines_walk w = { .names = names, .sections = sections, .count = count };
	struct elf_file file;
	int err;

	memset(sections, 0, count * sizeof(*sections));
	err = sections_read(&w, &file, fd, image, size);
	if (!err && *w.build_id && !sections[0].bytes)
		err = by_build_id_read(&w);
	if (!err && *w.link && !sections[0].bytes)
		err = by_link_read(&w, fd);
	if (err)
		dwarf_sections_free(sections, count);
	return err;
}

int usyms_elf_read_lines(struct usyms_elf *e, int fd, const void *image, size_t size)
{
	static const char *const names[LINES_SECTIONS] = { ".debug_line", ".debug_line_str",
							   ".debug_str" };
	struct dwarf_section sections[LINES_SECTIONS];
	int err = dwarf_sections_read(fd, image, size, names, sections, LINES_SECTIONS);

	if (!err && sections[0].bytes)
		return dwarf_lines_read(sections, &e->lines);
	if (!err)
		dwarf_sections_free(sections, LINES_SECTIONS);
	return err;
}

bool usyms_elf_line(const struct usyms_elf *e, uint64_t address, const char **file, unsigned *line)
{
	return e->lines && dwarf_lines_find(e->lines, address, file, line);
}
