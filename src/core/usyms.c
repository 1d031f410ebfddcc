/* SPDX-License-Identifier: GPL-2.0 */
/*
 * usyms.c - the symbol of an address in a process: the file mapped there, the place in it, its name.
 *
 * Files are opened through the process, so that its mount namespace and files deleted since do not
 * matter; of a process that is gone, by name.
 */
#include "core/usyms.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/diag.h"
#include "core/usyms_elf.h"
#include "core/usyms_process.h"

/* `inode` 0: any will do. */
static int open_checked(const char *path, uint64_t inode)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0 ||
	    (!fstat(fd, &st) && S_ISREG(st.st_mode) && (!inode || st.st_ino == inode)))
		return fd;
	close(fd);
	return -1;
}

/*
 * map_files is the very file, but needs CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE. By name it might be
 * another one by now: the inode must be the same (the device may not: btrfs has two numbers of it).
 */
static int mapping_open(uint32_t pid, const struct mapping *m)
{
	char path[4096 + 64];
	int fd;

	snprintf(path, sizeof(path), "/proc/%u/map_files/%lx-%lx", pid, m->start, m->end);
	fd = open_checked(path, 0);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "/proc/%u/root%s", pid, m->file->path);
	fd = open_checked(path, m->file->inode);
	return fd >= 0 ? fd : open_checked(m->file->path, m->file->inode);
}

/* The kernel maps the same one into every process of our own word size; ours is as good. */
static void vdso_read(const struct mapping *m)
{
	const void *ours = (const void *)getauxval(AT_SYSINFO_EHDR);

	if (ours)
		usyms_elf_read(-1, ours, m->end - m->start, &m->file->elf);
	m->file->tried = true;
}

static void file_read(uint32_t pid, const struct mapping *m)
{
	int fd;

	if (m->file->tried)
		return;
	if (!strcmp(m->file->name, "[vdso]")) {
		vdso_read(m);
		return;
	}
	fd = m->file->inode ? mapping_open(pid, m) : -1;
	if (fd < 0)
		return; /* perhaps through the next process */
	usyms_elf_read(fd, NULL, 0, &m->file->elf);
	m->file->tried = true;
	close(fd);
}

static void gone_tell(uint32_t pid)
{
	static bool told;

	if (!told)
		diag_note("process %u was gone before its stack could be named: such stacks are "
			  "shown as addresses", pid);
	told = true;
}

const char *usyms_name(uint32_t pid, uint64_t address, uint64_t *offset, const char **module)
{
	bool gone;
	const struct mapping *m = process_mapping(pid, address, &gone);
	const char *name = NULL;
	uint64_t place;

	*offset = 0;
	*module = NULL;
	if (gone)
		gone_tell(pid);
	if (!m)
		return NULL;
	file_read(pid, m);
	place = address - m->start + m->offset;
	*module = m->file->name;
	*offset = place;
	if (m->file->elf)
		name = usyms_elf_name(m->file->elf, place, offset);
	if (m->file->elf && !name)
		*offset = usyms_elf_address(m->file->elf, place);
	return name;
}
