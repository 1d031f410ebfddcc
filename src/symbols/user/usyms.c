/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms.c - finds the symbol of an address in a process: the mapped file, the offset in it, the name.
 */
#include "util/clock.h"
#include "symbols/user/usyms.h"

#include "util/log.h"
#include "symbols/user/usyms_elf.h"
#include "symbols/user/usyms_maps.h"

static uint64_t now; /* CLOCK_MONOTONIC ns; read once per stack */

void usyms_poll(void)
{
	processes_watched();
	now = now_ns();
}

static enum demangle_form names = DEMANGLE_SHORT;

void usyms_demangle(enum demangle_form form)
{
	names = form;
}

enum demangle_form usyms_form(void)
{
	return names;
}

static bool disabled;

void usyms_disable(void)
{
	disabled = true;
}

static void gone_report(uint32_t pid)
{
	static bool told;

	if (!told)
		log_note("process %u exited before its stack could be named: such stacks are shown "
			 "as addresses",
			 pid);
	told = true;
}

/* A pid of 0 is a process outside our pid namespace. */
static const struct mapping *mapping_find(uint32_t pid, uint64_t address)
{
	bool gone = false;
	const struct mapping *m = disabled || !pid ? NULL :
						     process_mapping(pid, address, now, &gone);

	if (gone)
		gone_report(pid);
	return m;
}

const struct cfi *usyms_cfi(uint32_t pid, uint64_t address, uint64_t *in_file)
{
	const struct mapping *m = mapping_find(pid, address);
	const struct usyms_elf *elf = m ? file_symbols(pid, m, now) : NULL;

	if (!elf)
		return NULL;
	*in_file = usyms_elf_address(elf, address - m->start + m->offset);
	return usyms_elf_cfi(elf);
}

const char *usyms_build_id(uint32_t pid, uint64_t address, uint64_t *offset)
{
	const struct mapping *m = mapping_find(pid, address);
	const struct usyms_elf *elf = m ? file_symbols(pid, m, now) : NULL;

	if (!elf || !*elf->id)
		return NULL;
	*offset = address - m->start + m->offset;
	return elf->id;
}

const char *usyms_name(uint32_t pid, uint64_t address, struct usyms_place *p)
{
	const struct mapping *m = mapping_find(pid, address);
	const struct usyms_elf *elf;
	const char *name = NULL;
	uint64_t place;

	*p = (struct usyms_place){ 0 };
	if (!m)
		return NULL;
	elf = file_symbols(pid, m, now);
	place = address - m->start + m->offset;
	*p = (struct usyms_place){ m->file->name, m->file->path, place,
				   .in_file = elf ? usyms_elf_address(elf, place) : place,
				   .changed = m->file->changed };
	if (elf)
		usyms_elf_line(elf, p->in_file, &p->source, &p->line);
	if (elf)
		name = usyms_elf_name(elf, place, &p->offset);
	if (elf && !name)
		p->offset = p->in_file;
	return name ? demangle_shown(name, names) : NULL;
}
