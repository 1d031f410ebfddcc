/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paths.c - -P: calls about a file.
 *
 * An argument is compared as the program passes it, so a path matches as given and as realpath(3) resolves it. The
 * path of a descriptor comes from the kernel's walk: names from the last to the first.
 */
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <bpf/bpf.h>

#include "applets/syssnoop/parts.h"
#include "kernel/capabilities.h"
#include "util/log.h"

#define FORMS 4 /* of a path */

int chosen_paths_check(const struct option_list *paths)
{
	for (size_t i = 0; i < paths->count; i++) {
		if (strlen(paths->items[i].text) < SYSSNOOP_PATH - 16)
			continue;
		log_error("-P '%s': a path has at most %d bytes", paths->items[i].text,
			  SYSSNOOP_PATH - 17);
		return -EINVAL;
	}
	return 0;
}

size_t chosen_forms(const struct option_list *paths)
{
	return paths->count * FORMS;
}

/* At least its directory must exist. */
static bool absolute_of(const char *path, char *to)
{
	char dir[PATH_MAX], name[PATH_MAX];
	size_t len;

	if (own_realpath(path, to))
		return true;
	strcpy(dir, path); /* dirname and basename write into them */
	strcpy(name, path);
	if (!own_realpath(dirname(dir), to) || strlen(to) + strlen(name) + 2 > PATH_MAX)
		return false;
	len = strlen(to);
	snprintf(to + len, PATH_MAX - len, "%s%s", len == 1 ? "" : "/", basename(name));
	return true;
}

static int form_write(int map, const char *bytes, size_t len)
{
	struct syssnoop_path form = { 0 };
	uint8_t yes = 1;

	if (len >= sizeof(form)) /* longer ones are not compared */
		return -ENAMETOOLONG;
	memcpy(form.bytes, bytes, len);
	return bpf_map_update_elem(map, &form, &yes, BPF_ANY) ? -errno : 0;
}

/* /a/b as b NUL a NUL; `tail` follows the first name. */
static int walked_write(int map, const char *path, const char *tail)
{
	char form[2 * PATH_MAX];
	size_t len = 0, name_len;

	for (const char *end = path + strlen(path), *name; end > path; end = name - 1) {
		for (name = end; name > path && name[-1] != '/'; name--)
			;
		name_len = (size_t)(end - name);
		if (!name_len)
			continue;
		memcpy(form + len, name, name_len);
		len += name_len;
		strcpy(form + len, len == name_len ? tail : "");
		len += strlen(form + len) + 1;
	}
	return form_write(map, form, len);
}

static int path_write(const char *path, int map)
{
	char absolute[PATH_MAX];
	int err = form_write(map, path, strlen(path));

	if (err || !absolute_of(path, absolute))
		return err;
	return form_write(map, absolute, strlen(absolute)) ?:
		       walked_write(map, absolute, "")	   ?:
		       walked_write(map, absolute, " (deleted)");
}

int chosen_paths_write(const struct option_list *paths, int map)
{
	int err = 0;

	for (size_t i = 0; i < paths->count && !err; i++)
		err = path_write(paths->items[i].text, map);
	return err;
}
