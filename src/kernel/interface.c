/* SPDX-License-Identifier: GPL-2.0-only */
/* interface.c - names of network interfaces, from sysfs (interface.h). */
#include "kernel/interface.h"
#include "util/small_file.h"

#include <dirent.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>

static struct {
	unsigned index;
	char name[IF_NAMESIZE];
} interfaces[64];
static unsigned count;

static unsigned index_read(const char *name)
{
	char path[300], text[32];

	snprintf(path, sizeof(path), "/sys/class/net/%s/ifindex", name);
	small_file_read(path, text, sizeof(text));
	return strtoul(text, NULL, 10);
}

void interfaces_read(void)
{
	DIR *dir = opendir("/sys/class/net");
	struct dirent *entry;

	while (dir && count < sizeof(interfaces) / sizeof(*interfaces) && (entry = readdir(dir))) {
		unsigned index = *entry->d_name == '.' ? 0 : index_read(entry->d_name);

		if (!index)
			continue;
		interfaces[count].index = index;
		snprintf(interfaces[count++].name, IF_NAMESIZE, "%.*s", IF_NAMESIZE - 1,
			 entry->d_name);
	}
	if (dir)
		closedir(dir);
}

const char *interface_name(unsigned index)
{
	for (unsigned i = 0; i < count; i++)
		if (interfaces[i].index == index)
			return interfaces[i].name;
	return NULL;
}
