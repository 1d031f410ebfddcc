/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_types.c - types of a user function's parameters, from the debug information of its file: BTF on top of the
 * kernel's, built once for each unit, so that functions of a unit share types.
 */
#include "probe/providers/providers.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "symbols/user/dwarf_info.h"
#include "symbols/user/elf_file.h"
#include "util/log.h"

/* Kept until exit: values that are shown later have these types. */
static struct unit_types {
	dev_t device;
	ino_t inode;
	uint32_t unit; /* its offset in .debug_info */
	struct btf_view *view;
	struct unit_types *next;
} * known;

static struct unit_types *unit_find(const struct stat *st, uint32_t unit)
{
	struct unit_types *t = known;

	while (t && (t->device != st->st_dev || t->inode != st->st_ino || t->unit != unit))
		t = t->next;
	return t;
}

static int unit_store(const struct btf_view *kernel, const struct stat *st, uint32_t unit,
		      void *bytes, size_t size)
{
	struct unit_types *t = calloc(1, sizeof(*t));
	int err = t ? btf_view_from_split(kernel, bytes, size, &t->view) : -ENOMEM;

	if (err) {
		free(t);
		free(bytes);
		return err;
	}
	t->device = st->st_dev;
	t->inode = st->st_ino;
	t->unit = unit;
	t->next = known;
	known = t;
	return 0;
}

/* Returns the address in terms of the file's program headers. */
static uint64_t address_of(const struct elf_file *e, uint64_t offset)
{
	for (size_t i = 0; i < e->segment_count; i++)
		if (offset - e->segments[i].offset < e->segments[i].size)
			return offset - e->segments[i].offset + e->segments[i].address;
	return 0;
}

static int types_find(struct session *s, struct argdump_probe *p, const struct dwarf_info *info,
		      uint64_t address, const char *symbol)
{
	const struct user_source *u = p->source;
	struct dwarf_entry function;
	struct dwarf_unit unit;
	struct unit_types *t;
	struct stat st;
	void *bytes;
	size_t size;
	uint32_t id;
	int err = fstat(u->file.fd, &st) ?
			  -errno :
			  dwarf_function_find(info, address, symbol, &unit, &function);

	if (err)
		return err;
	err = dwarf_btf_build(&unit, s->btf, &function, &id, &bytes, &size);
	t = err ? NULL : unit_find(&st, unit.offset);
	if (t)
		free(bytes);
	else if (!err)
		err = unit_store(s->btf, &st, unit.offset, bytes, size);
	dwarf_unit_free(&unit);
	if (err || !id)
		return err ?: -ENOENT;
	p->btf = t ? t->view : known->view;
	p->input.site.func_id = id;
	return 0;
}

/* True for a compiler's copy of a function, name.isra.0, whose parameters it may have changed. */
static bool is_copy(const char *symbol)
{
	return strchr(symbol, '.');
}

void user_types_add(struct session *s, struct argdump_probe *p, const char *symbol)
{
	const struct user_source *u = p->source;
	struct dwarf_section sections[INFO_SECTIONS];
	struct dwarf_info info;
	struct elf_file file;
	int err;

	if (is_copy(symbol) || u->file.is_32 || u->file.fd < 0 ||
	    elf_file_read(&file, u->file.fd, NULL, 0))
		return;
	err = dwarf_sections_read(u->file.fd, NULL, 0, dwarf_info_names, sections, INFO_SECTIONS);
	if (!err && sections[INFO_ENTRIES].bytes) {
		memcpy(info.sections, sections, sizeof(sections));
		info.hides_result = file.head.e_machine == EM_X86_64;
		err = types_find(s, p, &info, address_of(&file, u->offset), symbol);
	} else if (!err) {
		err = -ENOENT;
	}
	log_debug(1, "types of %s: %s", p->name, err ? elf_strerror(err) : "found");
	dwarf_sections_free(sections, INFO_SECTIONS);
}
