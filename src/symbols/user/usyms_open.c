/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_open.c - opens files that a traced process chose.
 *
 * By now, the path in its maps may lead to anything: a device with side effects on open, a FIFO, another file.
 * map_files leads to the mapped file itself, but requires CAP_SYS_ADMIN or CAP_CHECKPOINT_RESTORE, and the process
 * may have mapped another file there since. So only a regular file is opened, and then it is compared with the
 * mapping. The numbers of stat cannot be compared, because those of btrfs and overlayfs differ from the maps. So we
 * map the file ourselves and compare with our own maps.
 */
#include "symbols/user/usyms_maps.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "symbols/user/elf_file.h"
#include "symbols/user/regular_file.h"

enum { WAY_MAP_FILES, WAY_ITS_ROOT, WAY_OWN_ROOT, WAYS };
enum { PATH_BYTES = 4096 + 64 };

/* Converts \012 back to a newline: the kernel escapes nothing else in a path. A file whose name contains these four
 * characters is not found. */
static void newlines_restore(char *path)
{
	char *to = path;

	while (*path) {
		bool is_newline = !strncmp(path, "\\012", 4);

		*to++ = is_newline ? '\n' : *path;
		path += is_newline ? 4 : 1;
	}
	*to = '\0';
}

/* Parses "55d0c000-55d0d000 r-xp 00001000 08:01 123
 *
 * /usr/bin/x". */
bool mapping_line_parse(char *line, struct mapping_line *l)
{
	static const char deleted[] = " (deleted)";
	size_t len;
	char execute;
	int at = 0;

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%lx-%lx %*c%*c%c%*c %lx %x:%x %lu %n", &l->start, &l->end, &execute,
		   &l->offset, &l->major, &l->minor, &l->inode, &at) < 7)
		return false;
	l->executable = execute == 'x';
	l->path = line + at;
	len = strlen(l->path);
	if (len > strlen(deleted) && !strcmp(l->path + len - strlen(deleted), deleted))
		l->path[len - strlen(deleted)] = '\0';
	newlines_restore(l->path);
	return true;
}

/* Writes the path to the mapped file for one of the ways to open it. Returns false if that way is impossible: names
 * without a slash are not paths. */
static bool way_path(uint32_t pid, const struct mapping *m, int way, char path[PATH_BYTES])
{
	switch (way) {
	case WAY_MAP_FILES:
		snprintf(path, PATH_BYTES, "/proc/%u/map_files/%lx-%lx", pid, m->start, m->end);
		return true;
	case WAY_ITS_ROOT:
		snprintf(path, PATH_BYTES, "/proc/%u/root%s", pid, m->file->path);
		return *m->file->path == '/';
	default: snprintf(path, PATH_BYTES, "%s", m->file->path); return *m->file->path == '/';
	}
}

/* Finds the line of our own maps that contains an address. */
static bool own_mapping(const void *at, struct mapping_line *l)
{
	FILE *f = fopen("/proc/self/maps", "re");
	char *line = NULL;
	size_t room = 0;
	bool found = false;

	while (f && !found && getline(&line, &room, f) > 0)
		found = mapping_line_parse(line, l) && (uintptr_t)at >= l->start &&
			(uintptr_t)at < l->end;
	free(line);
	if (f)
		fclose(f);
	return found;
}

uint64_t usyms_own_size(const void *at)
{
	struct mapping_line l;

	return own_mapping(at, &l) ? l.end - (uintptr_t)at : 0;
}

static bool is_mapped_file(int fd, const struct mapped_file *f)
{
	size_t page = sysconf(_SC_PAGESIZE);
	struct mapping_line l;
	void *at = mmap(NULL, page, PROT_READ, MAP_PRIVATE, fd, 0);
	bool same;

	if (at == MAP_FAILED)
		return false;
	same = own_mapping(at, &l) && l.inode == f->inode && l.major == f->major &&
	       l.minor == f->minor;
	munmap(at, page);
	return same;
}

/* Checked before opening: true if the file at this path can be the mapped one. */
static bool may_be_mapped_file(int place, const struct stat *st, const struct mapped_file *f,
			       bool *is_overlay)
{
	struct statfs fs;

	*is_overlay = false;
	if (st->st_ino != f->inode || fstatfs(place, &fs))
		return false;
	*is_overlay = fs.f_type == OVERLAYFS_SUPER_MAGIC;
	return *is_overlay || fs.f_type == BTRFS_SUPER_MAGIC ||
	       st->st_dev == makedev(f->major, f->minor);
}

/*
 * Opens a path and compares. perf's records name the file below an overlay, while the maps of 6.8 and later name the
 * overlay's. So for an overlay in our own root, which only an administrator can have mounted, comparing the inode
 * must suffice.
 */
static int way_open(const char *path, int way, const struct mapped_file *f)
{
	bool is_overlay = false;
	struct stat st;
	int place = regular_find(path, &st), fd;

	if (place >= 0 && way != WAY_MAP_FILES && !may_be_mapped_file(place, &st, f, &is_overlay)) {
		close(place);
		return -1;
	}
	fd = regular_open_found(place);
	if (fd < 0 || is_mapped_file(fd, f) || (way == WAY_OWN_ROOT && is_overlay))
		return fd;
	close(fd);
	return -1;
}

int usyms_open(uint32_t pid, const struct mapping *m)
{
	char path[PATH_BYTES];
	int fd = -1;

	for (int way = 0; way < WAYS && fd < 0; way++)
		if (way_path(pid, m, way, path))
			fd = way_open(path, way, m->file);
	return fd < 0 ? -1 : fd;
}

int usyms_stat(uint32_t pid, const struct mapping *m, const struct stat *is, struct stat *now)
{
	char path[PATH_BYTES];

	for (int way = 0; way < WAYS; way++)
		if (way_path(pid, m, way, path) && !stat(path, now) && now->st_ino == is->st_ino &&
		    now->st_dev == is->st_dev)
			return 0;
	return -1;
}
