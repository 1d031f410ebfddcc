/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usdt.c - reads the notes "stapsdt" of an ELF file (usdt.h).
 *
 * A note is of type 3. It has three addresses (of the instruction, of the section .stapsdt.base as the linker placed
 * it, of the semaphore or 0), and three strings: provider, name, arguments. If that section is elsewhere now
 * (prelink), all addresses have moved with it.
 */
#include "symbols/user/usdt.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/user/elf_file.h"
#include "symbols/user/regular_file.h"

#define OWNER	     "stapsdt"
#define NAME_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.$"

enum { TYPE = 3, ADDRESSES = 3 };

struct walk {
	struct elf_file file;
	uint64_t base; /* address of .stapsdt.base; 0: the file has none */
	/* bytes left for further sections: the limit counts overlapping ones twice */
	uint64_t room;
	struct usdt_notes *notes;
};

/* ---- a note ---- */

static uint64_t address_read(const struct walk *w, const char *at)
{
	uint64_t wide;
	uint32_t narrow;

	if (!w->file.wide) {
		memcpy(&narrow, at, sizeof(narrow));
		return narrow;
	}
	memcpy(&wide, at, sizeof(wide));
	return wide;
}

/* Reads the string at *at and moves *at past it. Returns NULL if it does not end before `end`. */
static const char *text_read(const char **at, const char *end)
{
	const char *text = *at, *nul = memchr(text, '\0', end - text);

	*at = nul ? nul + 1 : end;
	return nul ? text : NULL;
}

/* Accepts only names that are valid in C: names are printed to terminals and JSON unescaped. */
static bool is_name(const char *text)
{
	return text && *text && !text[strspn(text, NAME_LETTERS)];
}

static int note_add(struct usdt_notes *n, const struct usdt *u)
{
	struct usdt *larger = n->list;

	/* grows the array each time its size reaches a power of two */
	if (!(n->count & (n->count - 1)))
		larger = realloc(n->list, (n->count ? n->count * 2 : 1) * sizeof(*larger));
	if (!larger)
		return -ENOMEM;
	n->list = larger;
	n->list[n->count++] = *u;
	return 0;
}

static int note_read(struct walk *w, const char *at, size_t size)
{
	size_t each = w->file.wide ? 8 : 4;
	const char *end = at + size;
	uint64_t addresses[ADDRESSES];
	struct usdt u = { 0 };

	if (size < ADDRESSES * each)
		return 0;
	for (int i = 0; i < ADDRESSES; i++, at += each)
		addresses[i] = address_read(w, at);
	u.provider = text_read(&at, end);
	u.name = text_read(&at, end);
	u.args = text_read(&at, end);
	if (!is_name(u.provider) || !is_name(u.name) || !u.args)
		return 0;
	/* relocates the addresses of the instruction and the semaphore */
	for (int i = 0; w->base && i < ADDRESSES; i += 2)
		addresses[i] += addresses[i] ? w->base - addresses[1] : 0;
	if (!elf_offset(&w->file, addresses[0], &u.offset) ||
	    (addresses[2] && !elf_offset(&w->file, addresses[2], &u.semaphore)))
		return 0;
	return note_add(w->notes, &u);
}

/* ---- a section of notes ---- */

static size_t padded(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

static int notes_walk(struct walk *w, const char *at, size_t left)
{
	Elf64_Nhdr n; /* 32-bit files use the same layout */
	int err = 0;

	while (!err && left >= sizeof(n)) {
		size_t name, size;

		memcpy(&n, at, sizeof(n));
		name = padded(n.n_namesz);
		size = padded(n.n_descsz);
		at += sizeof(n);
		left -= sizeof(n);
		if (name > left || n.n_descsz > left - name)
			break;
		if (n.n_type == TYPE && n.n_namesz == sizeof(OWNER) &&
		    !memcmp(at, OWNER, sizeof(OWNER)))
			err = note_read(w, at + name, n.n_descsz);
		size = size < left - name ? size : left - name;
		at += name + size;
		left -= name + size;
	}
	return err;
}

static int section_keep(struct usdt_notes *n, char *bytes)
{
	char **larger = realloc(n->sections, (n->section_count + 1) * sizeof(*larger));

	if (!larger) {
		free(bytes);
		return -ENOMEM;
	}
	n->sections = larger;
	n->sections[n->section_count++] = bytes;
	return 0;
}

static int notes_visit(void *ctx, const Elf64_Shdr *s)
{
	struct walk *w = ctx;
	char *bytes;
	int err;

	if (s->sh_size > w->room)
		return -EFBIG;
	w->room -= s->sh_size;
	err = elf_section_bytes(&w->file, s, &bytes);
	if (!err)
		err = section_keep(w->notes, bytes);
	return err ?: notes_walk(w, bytes, s->sh_size);
}

static int base_visit(void *ctx, const Elf64_Shdr *s)
{
	struct walk *w = ctx;

	if (elf_section_is(&w->file, s, ".stapsdt.base"))
		w->base = s->sh_addr;
	return w->base != 0;
}

/* ---- all notes ---- */

static int probe_compare(const struct usdt *a, const struct usdt *b)
{
	return strcmp(a->provider, b->provider) ?: strcmp(a->name, b->name);
}

static int note_compare(const void *one, const void *other)
{
	const struct usdt *a = one, *b = other;

	return probe_compare(a, b) ?: (a->offset > b->offset) - (a->offset < b->offset);
}

static void notes_sort(struct usdt_notes *n)
{
	size_t kept = 0;

	if (n->count)
		qsort(n->list, n->count, sizeof(*n->list), note_compare);
	for (size_t i = 0; i < n->count; i++)
		if (!kept || note_compare(&n->list[kept - 1], &n->list[i]))
			n->list[kept++] = n->list[i];
	n->count = kept;
}

int usdt_read(const char *path, struct usdt_notes *notes)
{
	struct walk w = { .notes = notes };
	struct stat st;
	int fd = regular_open_found(regular_find(path, &st));
	int err = fd < 0 ? fd : elf_file_read(&w.file, fd, NULL, 0);

	*notes = (struct usdt_notes){ 0 };
	w.room = err ? 0 : w.file.room;
	if (!err)
		err = elf_sections_each(&w.file, SHT_PROGBITS, base_visit, &w);
	if (err >= 0)
		err = elf_sections_each(&w.file, SHT_NOTE, notes_visit, &w);
	if (fd >= 0)
		close(fd);
	notes_sort(notes);
	return err;
}

void usdt_free(struct usdt_notes *notes)
{
	for (size_t i = 0; i < notes->section_count; i++)
		free(notes->sections[i]);
	free(notes->sections);
	free(notes->list);
}

size_t usdt_places(const struct usdt_notes *notes, size_t i)
{
	size_t end = i + 1;

	while (end < notes->count && !probe_compare(&notes->list[i], &notes->list[end]))
		end++;
	return end - i;
}
