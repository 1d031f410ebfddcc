/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_elf.c - the functions of an ELF file, by name and by offset.
 *
 * Symbols have addresses, but maps and uprobes use offsets in the file: the loadable segments convert one to the
 * other, wherever the file is loaded. Any user may have made the file: only its table of names and 24 bytes per
 * symbol stay in memory, whatever the symbols claim. This file knows nothing about processes.
 */
#include "symbols/user/usyms_elf.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbols/user/cfi.h"
#include "symbols/user/dwarf_lines.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/regular_file.h"

enum {
	NAME_SHOWN_MAX = 4096, /* bytes of the longest name that is shown */
};

/* ---- walking a file ---- */

/* Ranks read before __read and __libc_read. A hostile name may be long. */
static unsigned name_rank(const Elf64_Sym *s, const char *name)
{
	size_t len = strnlen(name, NAME_SHOWN_MAX), underscores = 0;

	while (underscores < 255 && name[underscores] == '_')
		underscores++;
	return (ELF64_ST_BIND(s->st_info) == STB_LOCAL) * USYM_LOCAL | underscores << 16 | len;
}

struct walk {
	const struct elf_file *file;
	const char *names;
	bool (*visit)(void *ctx, const struct usym *s);
	void *ctx;
	bool done;
};

static bool symbol_visit(void *ctx, const Elf64_Sym *s)
{
	struct walk *w = ctx;
	int type = ELF64_ST_TYPE(s->st_info);
	struct usym u = { .name = w->names + s->st_name,
			  .size = s->st_size,
			  .indirect = type == STT_GNU_IFUNC };

	if ((type != STT_FUNC && type != STT_GNU_IFUNC) || s->st_shndx == SHN_UNDEF || !*u.name ||
	    !elf_offset(w->file, s->st_value, &u.offset))
		return false;
	u.rank = name_rank(s, u.name);
	return w->done = w->visit(w->ctx, &u);
}

static int table_walk(struct walk *w, uint32_t type)
{
	struct elf_symbols s;
	int err = elf_symbols_read(w->file, type, &s);

	w->names = s.names;
	if (!err)
		err = elf_symbols_each(w->file, &s, symbol_visit, w);
	free(s.names);
	return err;
}

int usyms_each(const char *path, bool (*visit)(void *ctx, const struct usym *s), void *ctx)
{
	struct elf_file file;
	struct walk w = { .file = &file, .visit = visit, .ctx = ctx };
	struct stat st;
	int fd = regular_open_found(regular_find(path, &st));
	int err = fd < 0 ? fd : elf_file_read(&file, fd, NULL, 0);

	if (!err)
		err = table_walk(&w, SHT_SYMTAB);
	if (!err && !w.done)
		err = table_walk(&w, SHT_DYNSYM);
	if (fd >= 0)
		close(fd);
	return err;
}

/* ---- finding one by name ---- */

struct wanted {
	const char *name;
	uint64_t offset, size;
	bool found;
};

static bool wanted_visit(void *ctx, const struct usym *s)
{
	struct wanted *w = ctx;
	size_t len = strlen(w->name);

	if (strncmp(s->name, w->name, len) || (s->name[len] && s->name[len] != '@'))
		return false;
	w->offset = s->offset;
	w->size = s->size;
	w->found = true;
	return true;
}

int usyms_find(const char *path, const char *name, uint64_t *file_offset, uint64_t *size)
{
	struct wanted w = { .name = name };
	int err = usyms_each(path, wanted_visit, &w);

	*file_offset = w.offset;
	if (size)
		*size = w.size;
	return err ? err : w.found ? 0 : -ENOENT;
}

struct object {
	const char *name, *names;
	Elf64_Sym symbol;
	bool found;
};

static bool object_visit(void *ctx, const Elf64_Sym *s)
{
	struct object *o = ctx;

	o->found = s->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(s->st_info) != STT_TLS &&
		   !strcmp(o->names + s->st_name, o->name);
	o->symbol = *s;
	return o->found;
}

int usyms_object(const char *path, const char *name, uint64_t *address, uint64_t *size)
{
	static const uint32_t types[] = { SHT_SYMTAB, SHT_DYNSYM };
	struct object o = { .name = name };
	struct elf_symbols table;
	struct elf_file file;
	struct stat st;
	int fd = regular_open_found(regular_find(path, &st));
	int err = fd < 0 ? fd : elf_file_read(&file, fd, NULL, 0);

	for (int i = 0; i < 2 && !err && !o.found; i++) {
		err = elf_symbols_read(&file, types[i], &table);
		o.names = table.names;
		err = err ?: elf_symbols_each(&file, &table, object_visit, &o);
		free(table.names);
	}
	if (fd >= 0)
		close(fd);
	*address = o.symbol.st_value;
	*size = o.symbol.st_size;
	if (err || !o.found)
		return err ?: -ENOENT;
	return file.head.e_type == ET_EXEC ? 0 : -EADDRNOTAVAIL;
}

/* ---- all functions, sorted by offset ---- */

static bool function_append(void *ctx, const struct usym *s)
{
	struct usyms_elf *e = ctx;

	e->functions[e->count++] = (struct function){
		.offset = s->offset,
		.size = s->size < UINT32_MAX ? s->size : UINT32_MAX,
		.name = s->name - e->names,
		.rank = s->rank,
	};
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

/* Sorts by offset, and drops all but the best known name of each offset. */
static void functions_sort(struct usyms_elf *e)
{
	struct function *f = e->functions, *smaller;
	size_t kept = 0;

	if (e->count)
		qsort(f, e->count, sizeof(*f), function_compare);
	for (size_t i = 0; i < e->count; i++)
		if (!kept || f[kept - 1].offset != f[i].offset)
			f[kept++] = f[i];
	e->count = kept;
	smaller = realloc(f, (kept + 1) * sizeof(*f));
	e->functions = smaller ? smaller : f;
}

static void functions_forget(struct usyms_elf *e)
{
	free(e->functions);
	free(e->names);
	e->functions = NULL;
	e->names = NULL;
	e->count = e->names_size = 0;
}

static int functions_read(struct usyms_elf *e, const struct elf_file *file, uint32_t type)
{
	struct walk w = { .file = file, .visit = function_append, .ctx = e };
	struct elf_symbols s;
	int err = elf_symbols_read(file, type, &s);

	if (err)
		return err;
	e->names = s.names;
	e->names_size = s.names_size;
	e->functions = malloc((s.count + 1) * sizeof(*e->functions));
	w.names = s.names;
	err = e->functions ? elf_symbols_each(file, &s, symbol_visit, &w) : -ENOMEM;
	if (err || !e->count)
		functions_forget(e);
	else
		functions_sort(e);
	return err;
}

static int segments_copy(struct usyms_elf *e, const struct elf_file *file)
{
	size_t size = file->segment_count * sizeof(*e->segments);

	e->segments = malloc(size + 1);
	if (!e->segments)
		return -ENOMEM;
	memcpy(e->segments, file->segments, size);
	e->segment_count = file->segment_count;
	return 0;
}

void usyms_elf_free(struct usyms_elf *e)
{
	if (!e)
		return;
	functions_forget(e);
	cfi_free(e->cfi);
	dwarf_lines_free(e->lines);
	free(e->segments);
	free(e);
}

int usyms_elf_read(int fd, const void *image, size_t size, struct usyms_elf **out)
{
	struct usyms_elf *e = calloc(1, sizeof(*e));
	struct elf_file file;
	int err = e ? elf_file_read(&file, fd, image, size) : -ENOMEM;

	if (!err)
		err = segments_copy(e, &file);
	if (err) {
		usyms_elf_free(e);
		*out = NULL;
		return err;
	}
	*out = e;
	err = functions_read(e, &file, SHT_SYMTAB);
	if (!err && !e->count) /* a stripped file */
		err = functions_read(e, &file, SHT_DYNSYM);
	return err;
}

size_t usyms_elf_bytes(const struct usyms_elf *e)
{
	return !e ? 0 :
		    sizeof(*e) + e->segment_count * sizeof(*e->segments) +
			       e->count * sizeof(*e->functions) + e->names_size + cfi_size(e->cfi) +
			       dwarf_lines_size(e->lines);
}

bool usyms_elf_equal(const struct usyms_elf *a, const struct usyms_elf *b)
{
	if (!a || !b)
		return a == b;
	return a->count == b->count && a->names_size == b->names_size &&
	       a->segment_count == b->segment_count &&
	       !memcmp(a->segments, b->segments, a->segment_count * sizeof(*a->segments)) &&
	       (!a->count ||
		(!memcmp(a->names, b->names, a->names_size) &&
		 !memcmp(a->functions, b->functions, a->count * sizeof(*a->functions))));
}

/* Returns the name without its version; one that is too long ends with "...". */
static const char *name_show(const char *name)
{
	static char shown[NAME_SHOWN_MAX + sizeof("...")];
	size_t len = strnlen(name, NAME_SHOWN_MAX + 1);
	const char *version = memchr(name, '@', len);

	if (!version && len <= NAME_SHOWN_MAX)
		return name;
	len = version ? (size_t)(version - name) : NAME_SHOWN_MAX;
	memcpy(shown, name, len);
	strcpy(shown + len, version ? "" : "...");
	return shown;
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
	return *offset < f->size || !f->size ? name_show(e->names + f->name) : NULL;
}

uint64_t usyms_elf_address(const struct usyms_elf *e, uint64_t file_offset)
{
	for (size_t i = 0; i < e->segment_count; i++) {
		const struct elf_segment *g = &e->segments[i];

		if (file_offset - g->offset < g->size)
			return file_offset - g->offset + g->address;
	}
	return file_offset;
}
