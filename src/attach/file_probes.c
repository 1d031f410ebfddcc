/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_probes.c - finds files with certain functions through /proc, and probes them (file_probes.h).
 *
 * /proc leads to the files of a process through its own mounts. A file that a process chose is opened only if it is a
 * regular one, and only its symbols are used: a wrong offset can harm only those who run that file.
 */
#include "attach/file_probes.h"

#include <ctype.h>
#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "attach/method.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/regular_file.h"
#include "symbols/user/usyms.h"
#include "symbols/user/usyms_maps.h"
#include "util/errname.h"
#include "util/glob.h"
#include "util/log.h"

enum { FILES_MAX = 1024, PROBES_MAX = 8, PATH_BYTES = 4096 + 64 };

/* ---- files ---- */

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* True if both are the same file below an overlay. Each container sees a file of its image through its own overlay,
 * with another device. The kernel puts the probe on the file below, which must not get two. */
static bool same_file(const struct probed_file *a, const struct probed_file *b)
{
	return a->st.st_ino == b->st.st_ino &&
	       (a->st.st_dev == b->st.st_dev || a->is_overlay || b->is_overlay) &&
	       a->st.st_size == b->st.st_size && same_time(&a->st.st_mtim, &b->st.st_mtim) &&
	       same_time(&a->st.st_ctim, &b->st.st_ctim);
}

static struct probed_file *file_known(const struct file_probes *p, const struct probed_file *f)
{
	for (unsigned i = 0; i < p->count; i++)
		if (same_file(&p->files[i], f))
			return &p->files[i];
	return NULL;
}

static struct probed_file *file_store(struct file_probes *p, const struct probed_file *f,
				      const char *name)
{
	if (!p->files) {
		p->files = calloc(FILES_MAX, sizeof(*p->files));
		p->links = calloc(FILES_MAX * PROBES_MAX, sizeof(*p->links));
	}
	if (p->files && p->links && p->count < FILES_MAX) {
		p->files[p->count] = *f;
		return &p->files[p->count++];
	}
	if (!p->full)
		log_warn(
			"%s and later files are not probed, because the limit is %d: %s are not seen",
			name, FILES_MAX, p->unseen);
	p->full = true;
	return NULL;
}

/* ---- functions ---- */

struct search {
	const struct file_probe *probes;
	uint64_t offsets[PROBES_MAX];
	unsigned found, count; /* found: bit i is set for probes[i] */
};

static bool symbol_add(void *ctx, const struct usym *u)
{
	struct search *s = ctx;
	size_t len = strcspn(u->name, "@");

	for (unsigned i = 0; i < s->count; i++) {
		const char *name = s->probes[i].function;

		if (strncmp(name, u->name, len) || name[len] || s->found >> i & 1)
			continue;
		s->offsets[i] = u->offset;
		s->found |= 1u << i;
	}
	return s->found == (1u << s->count) - 1;
}

static bool is_32(int fd)
{
	unsigned char class = 0;

	return pread(fd, &class, 1, EI_CLASS) == 1 && class == ELFCLASS32;
}

static bool probe_attach(struct file_probes *p, const struct file_probe *probe, const char *path,
			 uint64_t offset, const char *name)
{
	const struct attach_target t = { .path = path,
					 .offset = offset,
					 .is_return = probe->is_return };
	int link = attach_link(ATTACH_UPROBE, &t, probe->prog_fd);

	if (link >= 0) {
		p->links[p->link_count++] = link;
		log_debug(1, "%s %s: %s", probe->is_return ? "uretprobe" : "uprobe",
			  probe->function, name);
		return true;
	}
	p->refused = link;
	log_warn("cannot trace %s in %s: %s", probe->function, name, errtext(-link));
	return false;
}

static bool file_probe(struct file_probes *p, int fd, const char *name)
{
	struct search s = { .probes = p->probes };
	bool probed = false;
	char path[32];

	while (p->probes[s.count].function && s.count < PROBES_MAX)
		s.count++;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!p->only_64 || !is_32(fd))
		usyms_each(path, symbol_add, &s);
	for (unsigned i = 0; i < s.count; i++)
		if (s.found >> i & 1)
			probed |= probe_attach(p, &p->probes[i], path, s.offsets[i], name);
	p->probed += probed;
	return s.found;
}

struct probed_file *file_probes_poll(struct file_probes *p, const char *path, const char *name)
{
	struct probed_file f = { 0 }, *known;
	struct statfs fs;
	int fd = regular_open_found(regular_find(path, &f.st));

	if (fd < 0)
		return NULL;
	f.is_overlay = !fstatfs(fd, &fs) && fs.f_type == OVERLAYFS_SUPER_MAGIC;
	known = file_known(p, &f);
	if (!known && !p->ended) {
		known = file_store(p, &f, name);
		if (known)
			known->has = file_probe(p, fd, name);
	}
	close(fd);
	return known;
}

/* ---- processes ---- */

static bool is_library(const struct file_probes *p, const struct mapping_line *l)
{
	const char *base = strrchr(l->path, '/');

	for (size_t i = 0; base && l->executable && p->libraries[i]; i++)
		if (wildcard_matches(p->libraries[i], base + 1))
			return true;
	return false;
}

/* Probes the library through the mapping itself, which needs more rights, or by its path. */
static bool library_check(struct file_probes *p, uint32_t pid, const struct mapping_line *l)
{
	const struct probed_file *f;
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", pid,
		 (unsigned long long)l->start, (unsigned long long)l->end);
	f = file_probes_poll(p, path, l->path);
	if (!f) {
		snprintf(path, sizeof(path), "/proc/%u/root%s", pid, l->path);
		f = file_probes_poll(p, path, l->path);
	}
	return f && f->has;
}

bool file_probes_libraries(struct file_probes *p, uint32_t pid)
{
	struct mapping_line l;
	char maps[64], *line = NULL;
	size_t room = 0;
	bool has = false;
	FILE *f;

	snprintf(maps, sizeof(maps), "/proc/%u/maps", pid);
	f = fopen(maps, "re");
	while (f && !has && getline(&line, &room, f) > 0)
		has = mapping_line_parse(line, &l) && is_library(p, &l) &&
		      library_check(p, pid, &l);
	free(line);
	if (f)
		fclose(f);
	return has;
}

void file_probes_processes(void (*check)(uint32_t pid))
{
	DIR *proc = opendir("/proc");
	struct dirent *d;

	while (proc && (d = readdir(proc)))
		if (isdigit((unsigned char)d->d_name[0]))
			check(strtoul(d->d_name, NULL, 10));
	if (proc)
		closedir(proc);
}

void file_probes_end(struct file_probes *p)
{
	while (p->link_count)
		close(p->links[--p->link_count]);
	p->ended = true;
}
