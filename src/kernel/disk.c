/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disk.c - finds disks by name in sysfs.
 */
#include "kernel/disk.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernel/capabilities.h"
#include "util/buf.h"
#include "util/log.h"
#include "util/suggest.h"

void disk_name(const char *text, char *name, size_t size)
{
	char path[PATH_MAX], device[64];
	const char *slash;
	unsigned major, minor;

	/* MAJOR,MINOR, as the kernel's events print them, or MAJOR:MINOR, as lsblk does */
	if (sscanf(text, "%u%*1[,:]%u", &major, &minor) == 2) {
		snprintf(device, sizeof(device), "/sys/dev/block/%u:%u", major, minor);
		text = own_realpath(device, path) ? path : text;
	} else if (strchr(text, '/') && own_realpath(text, path)) {
		text = path;
	}
	slash = strrchr(text, '/');
	snprintf(name, size, "%.31s", slash ? slash + 1 : text);
}

static bool disk_exists(const char *class, const char *name)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/%s/%s", class, name);
	return *name && !strchr(name, '/') && !access(path, F_OK);
}

static int disk_is_any(const struct dirent *e)
{
	return e->d_name[0] != '.';
}

static void disks_suggest(const char *name)
{
	struct dirent **entries;
	int count = scandir("/sys/block", &entries, disk_is_any, alphasort);
	struct suggestion near;
	struct buf list;

	buf_init(&list, -1);
	buf_str(&list, "disks: ");
	suggest_init(&near, name);
	for (int i = 0; i < count; i++) {
		suggest_offer(&near, entries[i]->d_name);
		buf_printf(&list, "%s%s", i ? ", " : "", entries[i]->d_name);
	}
	if (count <= 0)
		buf_str(&list, "none");
	buf_char(&list, 0);
	if (!list.error)
		suggest_hint(&near, &(struct suggest_words){ .also = list.data });
	for (int i = 0; i < count; i++)
		free(entries[i]);
	if (count >= 0)
		free(entries);
	buf_free(&list);
}

/* Suggests the disk of a partition: its parent folder in sysfs. */
static void disk_of_partition_suggest(const char *name)
{
	char path[128], folder[PATH_MAX], *slash;

	snprintf(path, sizeof(path), "/sys/class/block/%s/..", name);
	slash = realpath(path, folder) ? strrchr(folder, '/') : NULL;
	log_hint("it is a partition of %s: name the disk instead", slash ? slash + 1 : "a disk");
}

int disk_check(const char *option, const char *name, bool part)
{
	if (disk_exists("block", name) || (part && disk_exists("class/block", name)))
		return 0;
	log_error("--%s: unknown disk '%s'", option, name);
	if (disk_exists("class/block", name))
		disk_of_partition_suggest(name);
	else
		disks_suggest(name);
	return -EINVAL;
}
