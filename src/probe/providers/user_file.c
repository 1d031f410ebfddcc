/* SPDX-License-Identifier: GPL-2.0-only */
/* user_file.c - finds and opens the file of a program or library. */
#include "probe/providers/user_file.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "kernel/arch.h"
#include "kernel/capabilities.h"
#include "probe/argdump.h"
#include "probe/origin.h"
#include "run/session.h"
#include "symbols/user/elf_file.h"
#include "symbols/user/regular_file.h"
#include "symbols/user/usyms.h"
#include "util/log.h"

static const char *const folders[] = {
	"/lib/" ARCH_LIBRARIES,
	"/usr/lib/" ARCH_LIBRARIES,
	"/lib64",
	"/usr/lib64",
	"/lib",
	"/usr/lib",
	"/usr/local/lib",
};
static const char *const programs[] = { "/usr/bin", "/bin", "/usr/sbin", "/sbin",
					"/usr/local/bin" };

bool user_file_is_library(const char *path, const char *name)
{
	const char *base = strrchr(path, '/');
	size_t len = strlen(name);

	base = base ? base + 1 : path;
	return !strncmp(base, name, len) &&
	       (!base[len] || !strncmp(base + len, ".so", 3) || base[len] == '-');
}

/* A parsed line of /proc/PID/maps. */
struct mapped {
	unsigned long start, end, inode;
	char path[4096];
};

/*
 * Finds the file of a mapping. Paths in /proc/PID/maps begin at our root for a process that changed its root within
 * ours (chroot), and at its own root for one in another mount namespace. A file that was deleted or hidden still
 * exists as a mapping. The inode tells which of these is the file.
 */
static bool mapped_find(struct user_file *u, const struct mapped *m)
{
	enum { ITS_ROOT, OURS, MAPPING, ITS_ROOT_ANYWAY, WAYS };
	struct stat st;

	for (int way = 0; way < WAYS; way++) {
		int len = way == OURS	 ? snprintf(u->path, sizeof(u->path), "%s", m->path) :
			  way == MAPPING ? snprintf(u->path, sizeof(u->path),
						    "/proc/%d/map_files/%lx-%lx", u->pid, m->start,
						    m->end) :
					   snprintf(u->path, sizeof(u->path), "/proc/%d/root%s",
						    u->pid, m->path);

		/* on an overlay, the file's inode may differ from the mapping's */
		if (len < (int)sizeof(u->path) && !stat(u->path, &st) &&
		    (st.st_ino == m->inode || way == ITS_ROOT_ANYWAY))
			return true;
	}
	return false;
}

/* True for a library by its name, and for a path whose file has been replaced or removed since. */
static bool is_wanted(const char *path, const char *file)
{
	size_t len = strlen(file);

	return *file == '/' ? !strncmp(path, file, len) && !strcmp(path + len, " (deleted)") :
			      user_file_is_library(path, file);
}

/* Finds a file that the process has mapped. */
static bool find_in_process(struct user_file *u, const char *name)
{
	char maps[64], line[4200];
	struct mapped m;
	bool found = false;
	FILE *f;

	snprintf(maps, sizeof(maps), "/proc/%d/maps", u->pid);
	f = u->pid ? fopen(maps, "re") : NULL;
	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%lx-%lx %*s %*s %*s %lu %4095[^\n]", &m.start, &m.end, &m.inode,
			   m.path) == 4 &&
		    *m.path == '/' && is_wanted(m.path, name))
			found = mapped_find(u, &m);
	if (f)
		fclose(f);
	return found;
}

/* A folder may have the name of a program: /usr/lib/go. */
static bool find_in(struct user_file *u, const char *folder, const char *name, const char *suffix)
{
	struct stat st;

	snprintf(u->path, sizeof(u->path), "%s/%s%s", folder, name, suffix);
	return !own_can_read(u->path) && !stat(u->path, &st) && S_ISREG(st.st_mode);
}

/* Finds the newest version of a library: libgnutls.so.30, or libpython3.11.so.1.0 if none has a single number. */
static bool find_version_in(struct user_file *u, const char *folder, const char *name)
{
	char best[NAME_MAX + 1] = "";
	size_t len = strlen(name);
	bool is_single = false;
	struct dirent *e;
	DIR *d = opendir(folder);

	while (d && (e = readdir(d))) {
		const char *version = e->d_name + len + 4;
		bool single;

		if (strncmp(e->d_name, name, len) || strncmp(e->d_name + len, ".so.", 4) ||
		    !*version || version[strspn(version, "0123456789.")])
			continue;
		single = !strchr(version, '.');
		if (single < is_single || (single == is_single && strverscmp(e->d_name, best) <= 0))
			continue;
		is_single = single;
		strcpy(best, e->d_name);
	}
	if (d)
		closedir(d);
	return *best && find_in(u, folder, best, "");
}

/* For u:libc:getaddrinfo or u:bash:readline: searches where the loader and the shell would. */
static bool find_by_name(struct user_file *u, const char *name)
{
	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		if (find_version_in(u, folders[i], name) || find_in(u, folders[i], name, ".so") ||
		    find_in(u, folders[i], name, ""))
			return true;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (find_in(u, programs[i], name, ""))
			return true;
	return false;
}

static int file_find(struct user_file *u, const char *file)
{
	if (*file == '/' && find_in_process(u, file)) {
		log_note("process %d has an older file %s, which is traced", u->pid, file);
		return 0;
	}
	if (strchr(file, '/')) {
		snprintf(u->path, sizeof(u->path), "%s", file);
		if (u->pid && *file == '/')
			snprintf(u->path, sizeof(u->path), "/proc/%d/root%s", u->pid, file);
		return own_can_read(u->path);
	}
	return find_in_process(u, file) || find_by_name(u, file) ? 0 : -ENOENT;
}

/* The first file that was found by a name without a path. */
static struct {
	char *name, *path; /* owned until exit */
	bool of_process;
	int fd; /* open until exit */
} by_name;

static void name_note(const char *name, const struct user_file *u)
{
	if (by_name.name || strchr(name, '/'))
		return;
	by_name.name = strdup(name);
	by_name.path = strdup(u->path);
	by_name.of_process = u->pid;
	log_debug(1, "'%s' is %s", name, u->path);
	by_name.fd = fcntl(u->fd, F_DUPFD_CLOEXEC, 0);
}

const char *user_file_named(const char **path, int *fd)
{
	if (!by_name.name || !by_name.path || by_name.of_process)
		return NULL;
	*path = by_name.path;
	*fd = by_name.fd;
	return by_name.name;
}

void user_file_unseen_report(void)
{
	if (!by_name.name || !by_name.path)
		return;
	log_note(
		"'%s' is %s: calls of another copy of it are not seen, as of a static program, or of one with a root of its "
		"own (chroot, container); nor those of a library that replaces its functions (jemalloc)",
		by_name.name, by_name.path);
	if (!log_is_quiet() && !by_name.of_process)
		log_hint(
			"-p PID traces the file that a running process has; u:/PATH/TO/LIBRARY:FUNC any");
}

static int file_open(struct user_file *u)
{
	unsigned char ident[EI_CLASS + 1] = { 0 };
	struct own_rights own = own_rights_begin();
	struct stat st;

	u->fd = regular_open_found(regular_find(u->path, &st));
	own_rights_end(own);
	if (u->fd < 0)
		return u->fd;
	u->size = st.st_size;
	snprintf(u->self, sizeof(u->self), "/proc/self/fd/%d", u->fd);
	u->is_32 = pread(u->fd, ident, sizeof(ident), 0) == sizeof(ident) &&
		   ident[EI_CLASS] == ELFCLASS32;
	origin_watch_file(u->path, u->fd);
	return 0;
}

/* Finds the file as process `i` of -p sees it; as we see it, if there is no such process or its number is unknown in
 * our /proc. */
static int file_of(const struct session *s, uint32_t i, struct user_file *u, const char *file,
		   struct stat *st)
{
	int err;

	u->pid = i < s->options.tasks.pids.count && !s->traced.proc_is_other ?
			 s->options.tasks.pids.ids[i] :
			 0;
	err = file_find(u, file);
	return err ?: stat(u->path, st) ? -errno : 0;
}

static int differ_report(const struct session *s, uint32_t i, const char *file)
{
	log_error("'%s' is not the same file for processes %u and %u", file,
		  s->options.tasks.pids.ids[0], s->options.tasks.pids.ids[i]);
	log_hint("trace one at a time: -p %u, then -p %u", s->options.tasks.pids.ids[0],
		 s->options.tasks.pids.ids[i]);
	return EXIT_USAGE;
}

static int unseen_report(const char *name, int err)
{
	log_error("cannot find '%s': %s", name, strerror(-err));
	if (err == -EACCES)
		log_hint("named files are opened with the rights of the user who runs coretap");
	else
		log_hint("give a path, or the name of a library such as libc; with -p PID, as that "
			 "process sees it");
	return EXIT_USAGE;
}

int user_file_unread_report(const struct user_file *f, int err)
{
	log_error("cannot probe %s: %s", f->path, elf_strerror(err));
	if (err == -EFBIG)
		log_hint("u:FILE:0xOFFSET needs no symbols");
	if (err == -ENOENT && access("/proc/self/fd", F_OK)) /* through which it is read */
		log_hint("mount -t proc proc /proc");
	return EXIT_USAGE;
}

bool user_file_exists(const struct session *s, const char *name)
{
	struct user_file f = { 0 };
	struct stat st;

	return !file_of(s, 0, &f, name, &st);
}

int user_file_open(const struct session *s, const char *name, struct user_file *f)
{
	struct stat first, st;
	int err = file_of(s, 0, f, name, &first);

	if (err)
		return unseen_report(name, err);
	if (s->traced.proc_is_other && s->options.tasks.pids.count)
		log_note("'%s' is the file that coretap sees: /proc does not show the PIDs of -p",
			 name);
	for (uint32_t i = 1; i < s->options.tasks.pids.count; i++) {
		err = file_of(s, i, f, name, &st);
		if (err)
			return unseen_report(name, err);
		if (st.st_dev != first.st_dev || st.st_ino != first.st_ino)
			return differ_report(s, i, name);
	}
	err = file_open(f);
	if (!err)
		name_note(name, f);
	return err ? user_file_unread_report(f, err) : EXIT_FINE;
}

int user_file_try(const struct session *s, const char *name, struct user_file *f)
{
	struct stat st;

	return file_of(s, 0, f, name, &st) ?: file_open(f);
}
