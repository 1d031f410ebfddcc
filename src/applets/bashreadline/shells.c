/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shells.c - finds the files in which shells have their function readline (shells.h).
 *
 * A process names its files in /proc, which leads to them through its own mounts. A file that a
 * process chose is opened only if it is a regular one, and only its symbols are believed: a wrong
 * offset can hurt only those who run that file.
 */
#include "applets/bashreadline/shells.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "attach/method.h"
#include "symbols/elf_file.h"
#include "symbols/usyms.h"
#include "symbols/usyms_maps.h"
#include "util/errname.h"
#include "util/log.h"

enum {
	FILES_MAX = 1024,
	MAPPED_TRIES = 100, /* ms to wait for a new process to map its libraries */
	PATH_BYTES = 4096 + 64,
};

struct shell_file {
	struct stat st;
	bool is_overlay;
	bool has;    /* a function readline */
	bool waited; /* … or its libraries have been waited for */
	int link;    /* -1: no probe */
};

static struct {
	const struct option_list *names;
	int prog_fd;
	struct shell_file files[FILES_MAX];
	unsigned count, probed, running;
	bool full; /* that was reported */
	int refused;
} shells;

/* ---- files ---- */

static bool same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* Each container sees a file of its image through an overlay of its own, with another device. The
 * kernel puts the probe on the file below, which must not get two. */
static bool same_file(const struct shell_file *a, const struct shell_file *b)
{
	return a->st.st_ino == b->st.st_ino &&
	       (a->st.st_dev == b->st.st_dev || a->is_overlay || b->is_overlay) &&
	       a->st.st_size == b->st.st_size && same_time(&a->st.st_mtim, &b->st.st_mtim) &&
	       same_time(&a->st.st_ctim, &b->st.st_ctim);
}

static struct shell_file *file_known(const struct shell_file *f)
{
	for (unsigned i = 0; i < shells.count; i++)
		if (same_file(&shells.files[i], f))
			return &shells.files[i];
	return NULL;
}

static struct shell_file *file_keep(const struct shell_file *f, const char *name)
{
	if (shells.count < FILES_MAX) {
		shells.files[shells.count] = *f;
		return &shells.files[shells.count++];
	}
	if (!shells.full)
		log_warn(
			"%s, and what comes after it: more than %d files, their lines are not seen",
			name, FILES_MAX);
	shells.full = true;
	return NULL;
}

static void file_probe(struct shell_file *f, int fd, const char *name)
{
	char path[32];
	struct attach_target t = { .path = path, .is_return = true };

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	f->has = !usyms_find(path, "readline", &t.offset);
	if (!f->has)
		return;
	f->link = attach_link(ATTACH_UPROBE, &t, shells.prog_fd);
	if (f->link >= 0) {
		shells.probed++;
		log_debug(1, "uretprobe readline: %s", name);
		return;
	}
	shells.refused = f->link;
	log_warn("cannot trace readline in %s: %s", name, errtext(-f->link));
}

/* The file at a path, probed if it has readline; `name` is for messages. NULL: it cannot be opened, or
 * there are too many. */
static struct shell_file *file_look(const char *path, const char *name)
{
	struct shell_file f = { .link = -1 }, *known;
	struct statfs fs;
	int fd = regular_open_found(regular_find(path, &f.st));

	if (fd < 0)
		return NULL;
	f.is_overlay = !fstatfs(fd, &fs) && fs.f_type == OVERLAYFS_SUPER_MAGIC;
	known = file_known(&f);
	if (!known) {
		known = file_keep(&f, name);
		if (known)
			file_probe(known, fd, name);
	}
	close(fd);
	return known;
}

/* ---- processes ---- */

/* The program's path as the process sees it; false: it has ended, or is no shell. */
static bool process_program(uint32_t pid, char path[PATH_BYTES])
{
	static const char deleted[] = " (deleted)";
	char link[64], *base;
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/%u/exe", pid);
	len = readlink(link, path, PATH_BYTES - 1);
	if (len < 0)
		return false;
	path[len] = 0;
	if (len > (ssize_t)sizeof(deleted) && !strcmp(path + len - (sizeof(deleted) - 1), deleted))
		path[len - (sizeof(deleted) - 1)] = 0;
	base = strrchr(path, '/');
	for (size_t i = 0; base && i < shells.names->count; i++)
		if (!strcmp(base + 1, shells.names->items[i].text))
			return true;
	return false;
}

static bool is_readline_library(const struct mapping_line *l)
{
	const char *base = strrchr(l->path, '/');

	return base && l->executable && !strncmp(base + 1, "libreadline", strlen("libreadline"));
}

/* The library by the mapping itself, which needs more rights, or by its path. */
static bool library_look(uint32_t pid, const struct mapping_line *l)
{
	const struct shell_file *f;
	char path[PATH_BYTES];

	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", pid,
		 (unsigned long long)l->start, (unsigned long long)l->end);
	f = file_look(path, l->path);
	if (!f) {
		snprintf(path, sizeof(path), "/proc/%u/root%s", pid, l->path);
		f = file_look(path, l->path);
	}
	return f && f->has;
}

static bool libraries_look(uint32_t pid)
{
	struct mapping_line l;
	char maps[64], *line = NULL;
	size_t room = 0;
	bool has = false;
	FILE *f;

	snprintf(maps, sizeof(maps), "/proc/%u/maps", pid);
	f = fopen(maps, "re");
	while (f && !has && getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = 0;
		has = mapping_line_parse(line, &l) && is_readline_library(&l) &&
		      library_look(pid, &l);
	}
	free(line);
	if (f)
		fclose(f);
	return has;
}

/* A process that has just begun maps its libraries soon, or never. */
static bool libraries_wait(uint32_t pid, char program[PATH_BYTES])
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < MAPPED_TRIES && process_program(pid, program); i++) {
		nanosleep(&pause, NULL);
		if (libraries_look(pid))
			return true;
	}
	return false;
}

/* Only the first process of a file is waited for. */
static void process_look(uint32_t pid)
{
	char program[PATH_BYTES], exe[64];
	struct shell_file *f;

	if (!process_program(pid, program))
		return;
	snprintf(exe, sizeof(exe), "/proc/%u/exe", pid);
	f = file_look(exe, program);
	if (f && (f->has || libraries_look(pid))) {
		shells.running++;
		return;
	}
	if (!f || f->waited || libraries_wait(pid, program))
		return;
	f->waited = process_program(pid,
				    program); /* else it has ended: the next one is waited for */
	if (!f->waited)
		return;
	log_warn("%s (process %u) has no function readline: its lines are not seen", program, pid);
	log_hint("a stripped program has only the functions that it exports; nm -D lists them");
}

/* ---- all ---- */

void shells_begin(const struct option_list *names, int prog_fd)
{
	shells.names = names;
	shells.prog_fd = prog_fd;
}

static void installed_look(void)
{
	static const char *const folders[] = { "/bin", "/usr/bin", "/usr/local/bin" };
	char path[PATH_BYTES];

	for (size_t i = 0; i < shells.names->count; i++)
		for (size_t j = 0; j < sizeof(folders) / sizeof(folders[0]); j++) {
			snprintf(path, sizeof(path), "%s/%s", folders[j],
				 shells.names->items[i].text);
			file_look(path, path);
		}
}

int shells_scan(void)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;

	shells.running = 0;
	while (proc && (d = readdir(proc)))
		if (isdigit((unsigned char)d->d_name[0]))
			process_look(strtoul(d->d_name, NULL, 10));
	if (proc)
		closedir(proc);
	installed_look();
	return shells.refused;
}

void shells_started(uint32_t pid)
{
	process_look(pid);
}

unsigned shells_probed(void)
{
	return shells.probed;
}

unsigned shells_running(void)
{
	return shells.running;
}

void shells_end(void)
{
	for (unsigned i = 0; i < shells.count; i++) {
		if (shells.files[i].link >= 0)
			close(shells.files[i].link);
		shells.files[i].link = -1;
	}
}
