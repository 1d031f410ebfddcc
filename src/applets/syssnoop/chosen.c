/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chosen.c - calls by what they are about: paths (-P), descriptors (-e fd=).
 *
 * An argument is compared as the program writes it, so a path counts as it was given and as realpath(3)
 * has it. The path of a descriptor is what the kernel's walk makes: names from the last to the first.
 */
#include <bpf/bpf.h>
#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "applets/syssnoop/parts.h"
#include "kernel/own_rights.h"
#include "util/log.h"

#define FORMS 4 /* of a path */

int chosen_fds_read(const char *text, struct selection *s)
{
	struct chosen *has = &s->has;
	bool negated = *text == '!';
	unsigned long fd;
	char *end;

	has->by_fds = true;
	has->higher_fds = negated;
	memset(has->fds, negated ? 0xff : 0, sizeof(has->fds));
	text += negated;
	do {
		fd = strtoul(text, &end, 10);
		if (end == text || *text < '0' || *text > '9' || (*end && *end != ',') ||
		    fd >= SYSSNOOP_FDS) {
			log_error("-e fd: '%s' is no list of descriptors below %d: 3,4 or !0,1,2",
				  text, SYSSNOOP_FDS);
			return -EINVAL;
		}
		has->fds[fd / 64] &= ~(1ull << fd % 64);
		has->fds[fd / 64] |= (uint64_t)!negated << fd % 64;
		text = end + 1;
	} while (*end);
	return 0;
}

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

/* Its directory at least must be there. */
static bool absolute_of(const char *path, char *to)
{
	char dir[PATH_MAX], name[PATH_MAX];

	if (own_realpath(path, to))
		return true;
	strcpy(dir, path); /* dirname and basename write into them */
	strcpy(name, path);
	if (!own_realpath(dirname(dir), to) || strlen(to) + strlen(name) + 2 > PATH_MAX)
		return false;
	if (strcmp(to, "/") != 0)
		strcat(to, "/");
	strcat(to, basename(name));
	return true;
}

static int form_put(int map, const char *bytes, size_t len)
{
	struct syssnoop_path form = { 0 };
	uint8_t yes = 1;

	if (len >= sizeof(form)) /* as longer ones are not compared */
		return -ENAMETOOLONG;
	memcpy(form.bytes, bytes, len);
	return bpf_map_update_elem(map, &form, &yes, BPF_ANY) ? -errno : 0;
}

/* b NUL a NUL of /a/b; `tail` is behind the first name. */
static int walked_put(int map, const char *path, const char *tail)
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
	return form_put(map, form, len);
}

static int path_put(const char *path, int map)
{
	char absolute[PATH_MAX];
	int err = form_put(map, path, strlen(path));

	if (err || !absolute_of(path, absolute))
		return err;
	return form_put(map, absolute, strlen(absolute)) ?:
		       walked_put(map, absolute, "")	 ?:
							   walked_put(map, absolute, " (deleted)");
}

int chosen_paths_put(const struct option_list *paths, int map)
{
	int err = 0;

	for (size_t i = 0; i < paths->count && !err; i++)
		err = path_put(paths->items[i].text, map);
	return err;
}
