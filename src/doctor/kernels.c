/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernels.c - finds files of kernels by FILE, DIR or VERSION.
 */
#include "doctor/doctor.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernel/capabilities.h"
#include "kernel/config.h"
#include "util/glob.h"
#include "util/log.h"

/* Paths at which packages install a kernel of a version; the first that exists is used. */
static const char *const places[] = {
	"/var/lib/coretap/btf/%s.btf",
	KERNEL_DEBUG_FILES,
	"/boot/vmlinuz-%s",
	"/lib/modules/%s/vmlinuz",
};

/* Names of a kernel's file in its own folder; the first that exists is used. */
static const char *const plain[] = { "btf", "vmlinux.btf", "vmlinux", "vmlinuz" };
/* Names of files in a folder of several kernels. */
static const char *const named[] = { "vmlinux-*", "vmlinuz-*", "*.btf" };

/* ---- names ---- */

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_plain(const char *name)
{
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		if (!strcmp(name, plain[i]))
			return true;
	return false;
}

/* Returns the file's name without vmlinux- and .btf; for a plain name, the name of its folder. */
static char *name_of(const char *path)
{
	const char *name = base_of(path);
	size_t len = strlen(name);

	if (is_plain(name) && name > path + 1) {
		char *folder = strndup(path, name - path - 1), *own;

		own = folder ? strdup(base_of(folder)) : NULL;
		free(folder);
		return own;
	}
	if (!strncmp(name, "vmlinux-", 8) || !strncmp(name, "vmlinuz-", 8))
		return strdup(name + 8);
	if (len > 4 && !strcmp(name + len - 4, ".btf"))
		return strndup(name, len - 4);
	return strdup(name);
}

/* ---- finding ---- */

/* Owns `path`. If the name exists already, the file is of the same kernel and is ignored. */
static int kernel_add(struct doctor_kernels *k, char *path)
{
	char *name = path ? name_of(path) : NULL;
	struct doctor_kernel *all;

	for (size_t i = 0; name && i < k->count; i++)
		if (!strcmp(k->all[i].name, name)) {
			free(name);
			free(path);
			return 0;
		}
	all = name ? reallocarray(k->all, k->count + 1, sizeof(*all)) : NULL;
	if (!all) {
		free(name);
		free(path);
		return -ENOMEM;
	}
	all[k->count++] = (struct doctor_kernel){ name, path };
	k->all = all;
	return 0;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

/* Returns 1 if the folder belongs to one kernel, after adding that. */
static int plain_add(struct doctor_kernels *k, const char *folder)
{
	for (size_t i = 0; i < sizeof(plain) / sizeof(plain[0]); i++) {
		char *path;

		if (asprintf(&path, "%s/%s", folder, plain[i]) < 0)
			return -ENOMEM;
		if (is_file(path))
			return kernel_add(k, path) ?: 1;
		free(path);
	}
	return 0;
}

static int entry_add(struct doctor_kernels *k, const char *folder, const char *name)
{
	char *path;
	int err = 0;

	if (*name == '.')
		return 0;
	if (asprintf(&path, "%s/%s", folder, name) < 0)
		return -ENOMEM;
	if (is_folder(path))
		err = plain_add(k, path);
	for (size_t i = 0; is_file(path) && i < sizeof(named) / sizeof(named[0]); i++)
		if (wildcard_matches(named[i], name))
			return kernel_add(k, path);
	free(path);
	return err < 0 ? err : 0;
}

static int folder_add(struct doctor_kernels *k, const char *folder)
{
	struct dirent **entries;
	size_t before = k->count;
	int err = plain_add(k, folder), count;

	if (err)
		return err < 0 ? err : 0;
	count = scandir(folder, &entries, NULL, alphasort);
	if (count < 0)
		return -errno;
	for (int i = 0; i < count; i++) {
		err = err ?: entry_add(k, folder, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	if (!err && k->count == before)
		return -ENOENT;
	return err;
}

static int version_add(struct doctor_kernels *k, const char *version)
{
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		char *path;

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		if (asprintf(&path, places[i], version) < 0)
			return -ENOMEM;
#pragma GCC diagnostic pop
		if (is_file(path))
			return kernel_add(k, path);
		free(path);
	}
	return -ENOENT;
}

static int item_add(struct doctor_kernels *k, const char *what)
{
	size_t len = strlen(what);
	char *path;

	if (!is_folder(what) && !is_file(what))
		return strchr(what, '/') ? (access(what, F_OK) ? -errno : -EINVAL) :
					   version_add(k, what);
	while (len > 1 && what[len - 1] == '/')
		len--;
	path = strndup(what, len);
	if (!path)
		return -ENOMEM;
	if (is_file(what))
		return kernel_add(k, path);
	int err = folder_add(k, path);

	free(path);
	return err;
}

static int wrong_report(const char *what, int err)
{
	if (is_folder(what) && err == -ENOENT)
		log_error("--kernel: no kernel found in '%s'", what);
	else if (strchr(what, '/') || err != -ENOENT)
		log_error("--kernel: cannot use '%s': %s", what, strerror(-err));
	else
		log_error("--kernel: '%s' is neither a file nor the version of a kernel in /boot, "
			  "/lib/modules, /usr/lib/debug or /var/lib/coretap/btf",
			  what);
	log_hint("--kernel takes a vmlinux, a vmlinuz or raw BTF, a folder of such files, or a "
		 "version as uname -r prints it");
	return EXIT_USAGE;
}

static int by_version(const void *a, const void *b)
{
	return strverscmp(((const struct doctor_kernel *)a)->name,
			  ((const struct doctor_kernel *)b)->name);
}

int doctor_kernels_find(const struct option_list *asked, struct doctor_kernels *k)
{
	*k = (struct doctor_kernels){ 0 };
	for (size_t i = 0; i < asked->count; i++) {
		struct own_rights own = own_rights_begin();
		int err = item_add(k, asked->items[i].text);

		own_rights_end(own);
		if (err)
			return wrong_report(asked->items[i].text, err);
	}
	if (k->count)
		qsort(k->all, k->count, sizeof(*k->all), by_version);
	return EXIT_FINE;
}

void doctor_kernels_free(struct doctor_kernels *k)
{
	for (size_t i = 0; i < k->count; i++) {
		free(k->all[i].name);
		free(k->all[i].path);
	}
	free(k->all);
}
