/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usyms_elf.c - functions out of ELF files, by libelf.
 *
 * Symbols carry addresses, but maps and uprobes speak of places in the file: the segments that are
 * loaded lead from one to the other, wherever the file is loaded. The file is any user's: libelf
 * checks what its headers claim. It must not know of processes.
 */
#include "core/usyms_elf.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct segment {
	uint64_t offset, size; /* in the file */
	uint64_t address;
};

struct segments {
	struct segment *list;
	size_t count;
};

struct function {
	uint64_t offset; /* in the file */
	uint32_t size;
	uint32_t name; /* in names */
	uint32_t rank;
};

struct usyms_elf {
	struct segments segments;
	struct function *functions; /* by offset */
	size_t count, room;
	char *names;
	size_t used, names_room;
	bool failed; /* out of memory */
};

/* ---- walking a file ---- */

static int segments_read(Elf *elf, struct segments *s)
{
	size_t count;
	GElf_Phdr p;

	*s = (struct segments){ 0 };
	if (elf_getphdrnum(elf, &count))
		return -ENOEXEC;
	s->list = calloc(count + 1, sizeof(*s->list));
	if (!s->list)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++) {
		if (!gelf_getphdr(elf, i, &p) || p.p_type != PT_LOAD)
			continue;
		s->list[s->count++] = (struct segment){ p.p_offset, p.p_filesz, p.p_vaddr };
	}
	return 0;
}

static bool offset_of(const struct segments *s, uint64_t address, uint64_t *offset)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct segment *g = &s->list[i];

		if (address - g->address >= g->size)
			continue;
		*offset = address - g->address + g->offset;
		return true;
	}
	return false;
}

/* read is known by that name rather than as __read or __libc_read. */
static unsigned name_rank(const GElf_Sym *s, const char *name)
{
	size_t underscores = strspn(name, "_");

	return (GELF_ST_BIND(s->st_info) == STB_LOCAL) << 30 | (underscores & 0xff) << 16 |
	       (strlen(name) & 0xffff);
}

struct walk {
	bool (*visit)(void *ctx, const struct usym *s);
	void *ctx;
	bool done;
};

static void table_walk(Elf *elf, Elf_Scn *section, const GElf_Shdr *head,
		       const struct segments *segments, struct walk *w)
{
	Elf_Data *data = elf_getdata(section, NULL);
	struct usym u;
	GElf_Sym s;

	for (int i = 0; data && !w->done && gelf_getsym(data, i, &s); i++) {
		int type = GELF_ST_TYPE(s.st_info);

		if ((type != STT_FUNC && type != STT_GNU_IFUNC) || s.st_shndx == SHN_UNDEF)
			continue;
		u.name = elf_strptr(elf, head->sh_link, s.st_name);
		if (!u.name || !*u.name || !offset_of(segments, s.st_value, &u.offset))
			continue;
		u.size = s.st_size;
		u.indirect = type == STT_GNU_IFUNC;
		u.rank = name_rank(&s, u.name);
		w->done = w->visit(w->ctx, &u);
	}
}

static void tables_walk(Elf *elf, GElf_Word type, const struct segments *segments, struct walk *w)
{
	Elf_Scn *section = NULL;
	GElf_Shdr head;

	while (!w->done && (section = elf_nextscn(elf, section)))
		if (gelf_getshdr(section, &head) && head.sh_type == type)
			table_walk(elf, section, &head, segments, w);
}

/* A file that is no object (an archive, a script) has no ELF header to be read. */
static Elf *elf_open(int fd, const void *image, size_t size)
{
	GElf_Ehdr head;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : elf_memory((char *)image, size);
	if (elf && gelf_getehdr(elf, &head))
		return elf;
	elf_end(elf);
	return NULL;
}

int usyms_each(const char *path, bool (*visit)(void *ctx, const struct usym *s), void *ctx)
{
	struct walk w = { .visit = visit, .ctx = ctx };
	struct segments segments = { 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), err = fd < 0 ? -errno : 0;
	Elf *elf = err ? NULL : elf_open(fd, NULL, 0);

	if (!err)
		err = elf ? segments_read(elf, &segments) : -ENOEXEC;
	if (!err) {
		tables_walk(elf, SHT_SYMTAB, &segments, &w);
		tables_walk(elf, SHT_DYNSYM, &segments, &w);
	}
	free(segments.list);
	elf_end(elf);
	if (fd >= 0)
		close(fd);
	return err;
}

/* ---- one by name ---- */

struct wanted {
	const char *name;
	uint64_t offset;
	bool found;
};

static bool wanted_visit(void *ctx, const struct usym *s)
{
	struct wanted *w = ctx;
	size_t len = strlen(w->name);

	if (strncmp(s->name, w->name, len) || (s->name[len] && s->name[len] != '@'))
		return false;
	w->offset = s->offset;
	w->found = true;
	return true;
}

int usyms_find(const char *path, const char *name, uint64_t *file_offset)
{
	struct wanted w = { .name = name };
	int err = usyms_each(path, wanted_visit, &w);

	*file_offset = w.offset;
	return err ? err : w.found ? 0 : -ENOENT;
}

/* ---- all of them, kept ---- */

static bool grow(void **array, size_t *room, size_t wanted, size_t size)
{
	size_t more = wanted * 2 > 1024 ? wanted * 2 : 1024;
	void *larger = wanted <= *room ? *array : realloc(*array, more * size);

	if (!larger)
		return false;
	if (wanted > *room)
		*room = more;
	*array = larger;
	return true;
}

static bool function_keep(void *ctx, const struct usym *s)
{
	struct usyms_elf *e = ctx;
	size_t len = strcspn(s->name, "@");

	if (!grow((void **)&e->functions, &e->room, e->count + 1, sizeof(*e->functions)) ||
	    !grow((void **)&e->names, &e->names_room, e->used + len + 1, 1)) {
		e->failed = true;
		return true;
	}
	e->functions[e->count++] = (struct function){
		.offset = s->offset,
		.size = s->size < UINT32_MAX ? s->size : UINT32_MAX,
		.name = e->used,
		.rank = s->rank,
	};
	memcpy(e->names + e->used, s->name, len);
	e->names[e->used + len] = '\0';
	e->used += len + 1;
	return false;
}

static int function_compare(const void *one, const void *other)
{
	const struct function *a = one, *b = other;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

/* By place, and of each place the name that is best known. */
static void functions_sort(struct usyms_elf *e)
{
	struct function *f = e->functions;
	size_t kept = 0;

	if (e->count)
		qsort(f, e->count, sizeof(*f), function_compare);
	for (size_t i = 0; i < e->count; i++)
		if (!kept || f[kept - 1].offset != f[i].offset)
			f[kept++] = f[i];
	e->count = kept;
}

void usyms_elf_free(struct usyms_elf *e)
{
	if (!e)
		return;
	free(e->segments.list);
	free(e->functions);
	free(e->names);
	free(e);
}

int usyms_elf_read(int fd, const void *image, size_t size, struct usyms_elf **out)
{
	struct usyms_elf *e = calloc(1, sizeof(*e));
	struct walk w = { .visit = function_keep, .ctx = e };
	Elf *elf = e ? elf_open(fd, image, size) : NULL;
	int err = !e ? -ENOMEM : !elf ? -ENOEXEC : segments_read(elf, &e->segments);

	if (!err)
		tables_walk(elf, SHT_SYMTAB, &e->segments, &w);
	if (!err && !e->count) /* stripped */
		tables_walk(elf, SHT_DYNSYM, &e->segments, &w);
	elf_end(elf);
	if (!err && e->failed)
		err = -ENOMEM;
	if (!err)
		functions_sort(e);
	if (err) {
		usyms_elf_free(e);
		e = NULL;
	}
	*out = e;
	return err;
}

const char *usyms_elf_name(const struct usyms_elf *e, uint64_t file_offset, uint64_t *offset)
{
	size_t first = 0, last = e->count;
	const struct function *f;

	while (first < last) {
		size_t middle = first + (last - first) / 2;

		if (e->functions[middle].offset <= file_offset)
			first = middle + 1;
		else
			last = middle;
	}
	if (!first)
		return NULL;
	f = &e->functions[first - 1];
	*offset = file_offset - f->offset;
	return *offset < f->size || !f->size ? e->names + f->name : NULL;
}

uint64_t usyms_elf_address(const struct usyms_elf *e, uint64_t file_offset)
{
	for (size_t i = 0; i < e->segments.count; i++) {
		const struct segment *g = &e->segments.list[i];

		if (file_offset - g->offset < g->size)
			return file_offset - g->offset + g->address;
	}
	return file_offset;
}
