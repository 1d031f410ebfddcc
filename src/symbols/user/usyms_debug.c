/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_debug.c - reads the tables of a file that only stacks need: where functions save their callers' registers,
 * and which source lines they come from.
 */
#include "symbols/user/cfi.h"
#include "symbols/user/dwarf_find.h"
#include "symbols/user/dwarf_lines.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/usyms_elf.h"

/* ---- call frame information ---- */

struct cfi_walk {
	struct cfi *cfi;
	const struct elf_file *file;
	bool is_debug; /* .debug_frame */
};

static int cfi_visit(void *ctx, const Elf64_Shdr *s)
{
	struct cfi_walk *w = ctx;
	char *bytes;
	int err;

	if (w->cfi || !elf_section_is(w->file, s, w->is_debug ? ".debug_frame" : ".eh_frame"))
		return 0;
	err = elf_section_bytes(w->file, s, &bytes);
	return err ? err : cfi_read((uint8_t *)bytes, s->sh_size, s->sh_addr, w->is_debug, &w->cfi);
}

/* 32-bit programs are skipped: their registers have other numbers. Linkers differ in the section's type. */
int usyms_cfi_read(int fd, const void *image, size_t size, struct cfi **out)
{
	struct elf_file file;
	struct cfi_walk w = { NULL, &file, false };
	int err = elf_file_read(&file, fd, image, size);

	if (!err && file.wide)
		err = elf_sections_each(&file, SHT_PROGBITS, cfi_visit, &w);
	if (!err && file.wide)
		err = elf_sections_each(&file, SHT_X86_64_UNWIND, cfi_visit, &w);
	w.is_debug = true;
	if (!err && file.wide)
		err = elf_sections_each(&file, SHT_PROGBITS, cfi_visit, &w);
	*out = w.cfi;
	return err;
}

int usyms_elf_read_cfi(struct usyms_elf *e, int fd, const void *image, size_t size)
{
	return usyms_cfi_read(fd, image, size, &e->cfi);
}

const struct cfi *usyms_elf_cfi(const struct usyms_elf *e)
{
	return e->cfi;
}

/* ---- the build ID ---- */

int usyms_elf_read_id(struct usyms_elf *e, int fd, const void *image, size_t size)
{
	_Static_assert(sizeof(e->id) == BUILD_ID_SIZE, "room for a build ID");

	return dwarf_build_id_read(fd, image, size, e->id);
}

/* ---- lines ---- */

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
