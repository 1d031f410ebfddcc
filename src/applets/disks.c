/* SPDX-License-Identifier: GPL-2.0-only */
/* disks.c - from the names of disks to what BPF compares. */
#include "applets/disks.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/disk.h"
#include "util/log.h"
#include "util/small_file.h"

static void disk_is(struct disk_wanted *disk, const char *name)
{
	size_t len = snprintf(disk->name, sizeof(disk->name), "%.31s", name);

	memset(disk->mask, 0, sizeof(disk->mask));
	memset(disk->mask, 0xff, len < sizeof(disk->mask) ? len + 1 : len);
}

/* sda1 is partition 1 of the disk whose folder in sysfs contains it. */
static void disk_set(const char *option, const char *text, bool check, struct disk_wanted *disk)
{
	char name[sizeof(disk->name)], path[96], folder[PATH_MAX], number[32], *slash;

	disk_name(text, name, sizeof(name));
	if (check && disk_check(option, name, true))
		exit(EXIT_USAGE);
	disk_is(disk, name);
	snprintf(path, sizeof(path), "/sys/class/block/%s/partition", name);
	small_file_read(path, number, sizeof(number));
	disk->is_part = sscanf(number, "%u", &disk->part) == 1;
	if (!disk->is_part)
		return;
	snprintf(path, sizeof(path), "/sys/class/block/%s/..", name);
	slash = realpath(path, folder) ? strrchr(folder, '/') : NULL;
	if (slash)
		disk_is(disk, slash + 1);
}

void disks_read(const char *option, const struct option_list *names, bool check,
		struct disk_wanted disks[DISKS_MAX])
{
	if (names->count > DISKS_MAX) {
		log_error("--%s: too many", option);
		exit(EXIT_USAGE);
	}
	for (size_t i = 0; i < names->count; i++)
		disk_set(option, names->items[i].text, check, &disks[i]);
}
