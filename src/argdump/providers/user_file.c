/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_file.c - finds and opens the file of a program or library (user_file.h).
 */
#include "argdump/providers/user_file.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "argdump/origin.h"
#include "kernel/arch.h"
#include "kernel/own_rights.h"
#include "session/session.h"
#include "symbols/elf_file.h"
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

/* libc, libc.so, libc.so.6: is `name` the library at the end of the path? */
static bool is_library(const char *path, const char *name)
{
	const char *base = strrchr(path, '/');
	size_t len = strlen(name);

	base = base ? base + 1 : path;
	return !strncmp(base, name, len) &&
	       (!base[len] || !strncmp(base + len, ".so", 3) || base[len] == '-');
}

/* A file that the process has mapped, seen through the process's own root. */
static bool find_in_process(struct user_file *u, const char *name)
{
	char maps[64], line[4200], path[4096];
	bool found = false;
	FILE *f;

	snprintf(maps, sizeof(maps), "/proc/%d/maps", u->pid);
	f = u->pid ? fopen(maps, "re") : NULL;
	while (f && !found && fgets(line, sizeof(line), f))
		if (sscanf(line, "%*s %*s %*s %*s %*s %4095[^\n]", path) == 1 && *path == '/' &&
		    is_library(path, name))
			found = snprintf(u->path, sizeof(u->path), "/proc/%d/root%s", u->pid,
					 path) < (int)sizeof(u->path);
	if (f)
		fclose(f);
	return found;
}

static bool find_in(struct user_file *u, const char *folder, const char *name, const char *suffix)
{
	snprintf(u->path, sizeof(u->path), "%s/%s%s", folder, name, suffix);
	return !own_can_read(u->path);
}

/* u:libc:getaddrinfo, u:bash:readline: searches where the loader and the shell would. */
static bool find_by_name(struct user_file *u, const char *name)
{
	static const char *const suffixes[] = { ".so.6", ".so.3", ".so.2", ".so.1",
						".so.0", ".so",	  "" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++)
		for (size_t j = 0; j < sizeof(suffixes) / sizeof(suffixes[0]); j++)
			if (find_in(u, folders[i], name, suffixes[j]))
				return true;
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		if (find_in(u, programs[i], name, ""))
			return true;
	return false;
}

static int file_find(struct user_file *u, const char *file)
{
	if (strchr(file, '/')) {
		snprintf(u->path, sizeof(u->path), "%s", file);
		if (u->pid && *file == '/')
			snprintf(u->path, sizeof(u->path), "/proc/%d/root%s", u->pid, file);
		return own_can_read(u->path);
	}
	return find_in_process(u, file) || find_by_name(u, file) ? 0 : -ENOENT;
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

/* The file as process `i` of -p sees it; as we see it, if there is no such process or its number is
 * not known in our /proc. */
static int file_of(const struct session *s, uint32_t i, struct user_file *u, const char *file,
		   struct stat *st)
{
	int err;

	u->pid = i < s->options.pids.count && !s->proc_is_other ? s->options.pids.ids[i] : 0;
	err = file_find(u, file);
	return err ?: stat(u->path, st) ? -errno : 0;
}

static int differ_tell(const struct session *s, uint32_t i, const char *file)
{
	log_error("'%s' is not the same file for processes %u and %u", file, s->options.pids.ids[0],
		  s->options.pids.ids[i]);
	log_hint("trace one at a time: -p %u, then -p %u", s->options.pids.ids[0],
		 s->options.pids.ids[i]);
	return EXIT_USAGE;
}

static int lost_tell(const char *name, int err)
{
	log_error("cannot find '%s': %s", name, strerror(-err));
	log_hint("a path, or the name of a library as libc; with -p PID as that process sees it");
	return EXIT_USAGE;
}

int user_file_unread_tell(const struct user_file *f, int err)
{
	log_error("cannot probe %s: %s", f->path, elf_strerror(err));
	if (err == -EFBIG)
		log_hint("u:FILE:0xOFFSET needs no symbols");
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
		return lost_tell(name, err);
	if (s->proc_is_other && s->options.pids.count)
		log_note("'%s' is the file that coretap sees: /proc does not show the PIDs of -p",
			 name);
	for (uint32_t i = 1; i < s->options.pids.count; i++) {
		err = file_of(s, i, f, name, &st);
		if (err)
			return lost_tell(name, err);
		if (st.st_dev != first.st_dev || st.st_ino != first.st_ino)
			return differ_tell(s, i, name);
	}
	err = file_open(f);
	return err ? user_file_unread_tell(f, err) : EXIT_FINE;
}

int user_file_try(const struct session *s, const char *name, struct user_file *f)
{
	struct stat st;

	return file_of(s, 0, f, name, &st) ?: file_open(f);
}
