/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_things.c - what the user gives for an option, where it is the name of a thing that the machine has or has not: a
 * name that is nobody's would be compared with every event, and all would be silent.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/recipe/recipe.h"
#include "kernel/disk.h"
#include "util/log.h"

/* sda of /dev/sda, too: that is what it is compared with. */
static int disk_take(struct recipe *r, struct recipe_option *o, bool dry_run)
{
	char name[DISK_NAME_SIZE];

	disk_name(o->value, name, sizeof(name));
	if (!dry_run && disk_check(o->spec.name, name, false))
		return -EINVAL;
	o->value = recipe_own(r, strdup(name));
	return o->value ? 0 : -ENOMEM;
}

static int port_take(struct recipe *r, struct recipe_option *o, bool dry_run)
{
	(void)r;
	(void)dry_run;
	if (strtoull(o->value, NULL, 0) <= 0xffff)
		return 0;
	log_error("--%s takes a port, 0 to 65535, not '%s'", o->spec.name, o->value);
	return -EINVAL;
}

/* A module may bring it later: a warning. */
static int type_take(struct recipe *r, struct recipe_option *o, bool dry_run)
{
	FILE *f = dry_run ? NULL : fopen("/proc/filesystems", "re");
	char line[80], *name;
	bool known = !f;

	(void)r;
	while (f && !known && fgets(line, sizeof(line), f)) {
		name = strrchr(line, '\t') ? strrchr(line, '\t') + 1 : line;
		name[strcspn(name, "\n")] = 0;
		known = !strcmp(name, o->value);
	}
	if (f)
		fclose(f);
	if (!known)
		log_warn(
			"--%s: this kernel has no file system '%s' by now; /proc/filesystems has those that it has",
			o->spec.name, o->value);
	return 0;
}

/* It may come later, or be another network namespace's: a warning. */
static int device_take(struct recipe *r, struct recipe_option *o, bool dry_run)
{
	(void)r;
	if (!dry_run && !if_nametoindex(o->value))
		log_warn(
			"--%s: this network namespace has no device '%s' by now; ip link shows those that it has",
			o->spec.name, o->value);
	return 0;
}

static const struct thing {
	const char *arg;
	int (*take)(struct recipe *r, struct recipe_option *o, bool dry_run);
} things[] = {
	{ "DISK", disk_take }, { "PORT", port_take }, { "TYPE", type_take }, { "DEV", device_take }
};

int recipe_things_take(struct recipe *r, bool dry_run)
{
	int err = 0;

	for (struct recipe_option *o = r->options; o < r->options + r->option_count; o++)
		for (size_t i = 0; o->value && !err && i < sizeof(things) / sizeof(things[0]); i++)
			if (!strcmp(things[i].arg, o->spec.arg))
				err = things[i].take(r, o, dry_run);
	return err;
}
