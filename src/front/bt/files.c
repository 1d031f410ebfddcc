/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files.c - finds the files that an attach point refers to: one that it names, those that a pattern matches, or those
 * that the processes of -p, or all processes for a USDT probe, have mapped.
 */
#include "front/bt/bt.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/capabilities.h"
#include "probe/providers/user_file.h"
#include "symbols/user/elf_file.h"
#include "util/array.h"
#include "util/glob.h"

static int path_add(struct bt_files *f, const char *path)
{
	for (size_t i = 0; i < f->count; i++)
		if (!strcmp(f->paths[i], path))
			return 0;
	if (!ARRAY_RESERVE(f->paths, f->count, f->room, 16))
		return -ENOMEM;
	f->paths[f->count] = strdup(path);
	return f->paths[f->count] && ++f->count ? 0 : -ENOMEM;
}

/* True for a program or a library. */
static bool is_elf(const char *path)
{
	char magic[SELFMAG] = "";
	int fd = own_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	bool yes = fd >= 0 && pread(fd, magic, sizeof(magic), 0) == sizeof(magic) &&
		   !memcmp(magic, ELFMAG, SELFMAG);

	if (fd >= 0)
		close(fd);
	return yes;
}

struct walk {
	struct bt_files *files;
	char path[4096];
};

static int walk(struct walk *w, size_t len, const char *pattern);

/* Walks on with each entry of the folder that matches the first component of the pattern, of `size` bytes. */
static int walk_entries(struct walk *w, size_t len, const char *pattern, size_t size)
{
	char component[256];
	struct dirent *entry;
	int err = 0;
	DIR *folder;

	if (size >= sizeof(component))
		return 0;
	memcpy(component, pattern, size);
	component[size] = '\0';
	folder = opendir(len ? w->path : ".");
	while (folder && !err && (entry = readdir(folder))) {
		size_t name = strlen(entry->d_name);

		if (len + name >= sizeof(w->path) ||
		    fnmatch(component, entry->d_name, FNM_NOESCAPE | FNM_PERIOD))
			continue;
		memcpy(w->path + len, entry->d_name, name + 1);
		err = walk(w, len + name, pattern + size);
	}
	if (folder)
		closedir(folder);
	return err;
}

/* Adds the programs and libraries whose paths begin with the `len` bytes of w->path and match the pattern after them.
 * Not glob(3): it links the C library's name services. */
static int walk(struct walk *w, size_t len, const char *pattern)
{
	size_t slashes = strspn(pattern, "/"), size = strcspn(pattern + slashes, "/");
	bool is_fixed = !memchr(pattern + slashes, '*', size) &&
			!memchr(pattern + slashes, '?', size) &&
			!memchr(pattern + slashes, '[', size);
	size_t add = slashes + (is_fixed ? size : 0);

	if (len + add >= sizeof(w->path))
		return 0;
	memcpy(w->path + len, pattern, add);
	w->path[len + add] = '\0';
	if (!is_fixed)
		return walk_entries(w, len + add, pattern + slashes, size);
	if (pattern[add])
		return walk(w, len + add, pattern + add);
	return is_elf(w->path) ? path_add(w->files, w->path) : 0;
}

static int path_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int matching_add(struct bt_files *f, const char *pattern)
{
	struct walk w = { .files = f };
	int err = walk(&w, 0, pattern);

	if (f->count)
		qsort(f->paths, f->count, sizeof(*f->paths), path_compare);
	return err;
}

/* Adds the files that the process has mapped, under the paths that it sees. */
static int mapped_add(struct bt_files *f, uint32_t pid, const char *pattern)
{
	char maps[64], line[4200], path[4096];
	int err = 0;
	FILE *in;

	snprintf(maps, sizeof(maps), "/proc/%u/maps", pid);
	in = fopen(maps, "re");
	while (in && !err && fgets(line, sizeof(line), in))
		if (sscanf(line, "%*x-%*x %*2s%*1[x]%*s %*s %*s %*u %4095[^\n]", path) == 1 &&
		    *path == '/' && wildcard_matches(pattern, path))
			err = path_add(f, path);
	if (in)
		fclose(in);
	return err;
}

/* usdt:*:NAME without -p covers the programs of all processes. */
static int everybody_add(struct bt_files *f)
{
	struct dirent *entry;
	DIR *proc = opendir("/proc");
	int err = proc ? 0 : -errno;

	while (proc && !err && (entry = readdir(proc))) {
		unsigned long pid = strtoul(entry->d_name, NULL, 10);

		if (pid)
			err = mapped_add(f, pid, "*");
	}
	if (proc)
		closedir(proc);
	return err;
}

/* … and the program of -c, which does not run yet: finds it like execvp. */
static int command_add(struct bt_files *f, const struct session *s)
{
	const char *name = s->options.child.command ? s->options.child.command[0] : "";
	const char *folder = getenv("PATH");
	char path[4096];

	if (strchr(name, '/'))
		return path_add(f, name);
	while (*name && folder && *folder) {
		size_t len = strcspn(folder, ":");

		snprintf(path, sizeof(path), "%.*s/%s", (int)len, folder, name);
		if (!access(path, X_OK))
			return path_add(f, path);
		folder += len + (folder[len] == ':');
	}
	return 0;
}

static int processes_add(struct bt_files *f, const struct session *s, bool of_all)
{
	int err = 0;

	f->is_pattern = true;
	f->is_of_process = !of_all || s->options.tasks.pids.count;
	for (uint32_t i = 0; i < s->options.tasks.pids.count && !err; i++)
		err = mapped_add(f, s->options.tasks.pids.ids[i], "*");
	if (!err && !f->is_of_process)
		err = everybody_add(f) ?: command_add(f, s);
	return err;
}

int bt_files_find(const struct session *s, const struct script_attach *at, struct bt_files *f)
{
	bool has_file = at->kind == PROBE_UPROBE || at->kind == PROBE_URETPROBE ||
			at->kind == PROBE_USDT;
	size_t len = strcspn(at->rest, ":");
	char *file = has_file ? strndup(at->rest, len) : NULL;
	int err = has_file && !file ? -ENOMEM : 0;

	*f = (struct bt_files){ 0 };
	if (!err && has_file && (!*file || !strcmp(file, "*"))) {
		err = processes_add(f, s, at->kind == PROBE_USDT && at->rest[len]);
	} else if (!err && has_file && glob_is_pattern(file, len) && access(file, F_OK)) {
		f->is_pattern = true;
		err = matching_add(f, file);
	}
	f->behind = has_file && at->rest[len] ? at->rest + len + 1 : "*";
	free(file);
	return err;
}

/* ---- addresses in a file ---- */

static bool is_address(const struct script_attach *at, uint64_t *address)
{
	const char *colon = strrchr(at->rest, ':');
	char *end;

	if ((at->kind != PROBE_UPROBE && at->kind != PROBE_URETPROBE) || !colon || colon[1] < '0' ||
	    colon[1] > '9')
		return false;
	errno = 0;
	*address = strtoull(colon + 1, &end, 0);
	return !*end && !errno;
}

size_t bt_statement_file(const struct script_attach *at)
{
	size_t len = strcspn(at->rest, ":");
	const char *sign = memrchr(at->rest, '@', len);

	return at->kind == PROBE_UPROBE && sign && sign[1] && at->rest[len] ?
		       (size_t)(sign - at->rest) :
		       0;
}

size_t bt_file_length(const struct script_attach *at)
{
	return strrchr(at->rest, ':') - at->rest;
}

static int code_find(const struct user_file *file, uint64_t address, uint64_t *offset)
{
	struct elf_file elf;

	/* argdump reports that the file cannot be read */
	return elf_file_read(&elf, file->fd, NULL, 0) ? 0 :
	       elf_code_offset(&elf, address, offset) ? 1 :
							-ENOENT;
}

int bt_address_find(const struct session *s, const struct script_attach *at, uint64_t *offset)
{
	uint64_t address;
	struct user_file file = { 0 };
	char *name;
	int err;

	if (bt_statement_file(at) || !is_address(at, &address))
		return 0;
	name = strndup(at->rest, bt_file_length(at));
	if (!name)
		return -ENOMEM;
	err = user_file_try(s, name, &file);
	free(name);
	if (err)
		return 0; /* argdump reports what is wrong */
	err = code_find(&file, address, offset);
	close(file.fd);
	return err;
}

void bt_files_free(struct bt_files *f)
{
	for (size_t i = 0; i < f->count; i++)
		free(f->paths[i]);
	free(f->paths);
}
