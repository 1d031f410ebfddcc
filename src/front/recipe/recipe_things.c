/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe_things.c - checks names of objects that the machine may lack: an unknown name would be compared with every
 * event and never match.
 */
#include <ctype.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include "front/recipe/recipe.h"
#include "kernel/disk.h"
#include "run/pidns.h"
#include "util/log.h"

/* Also converts /dev/sda to sda, the name to compare with. */
static int disk_set(struct recipe *r, struct recipe_option *o, bool dry_run)
{
	char name[DISK_NAME_SIZE];

	disk_name(o->value, name, sizeof(name));
	if (!dry_run && disk_check(o->spec.name, name, false))
		return -EINVAL;
	o->value = recipe_own(r, strdup(name));
	return o->value ? 0 : -ENOMEM;
}

/* Warns only: a module may add it later. */
static int type_parse(struct recipe *r, struct recipe_option *o, bool dry_run)
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
			"--%s: this kernel has no file system '%s' yet; /proc/filesystems lists its file systems",
			o->spec.name, o->value);
	return 0;
}

/* Warns only: the device may be added later, or be in another network namespace. */
static int device_parse(struct recipe *r, struct recipe_option *o, bool dry_run)
{
	(void)r;
	if (!dry_run && !if_nametoindex(o->value))
		log_warn(
			"--%s: this network namespace has no device '%s' yet; ip link shows its devices",
			o->spec.name, o->value);
	return 0;
}

/* The inode of a file of /proc/PID/ns, or of one below /run/netns, where `ip netns` has its names. */
static int namespace_find(const char *text, unsigned long *inode)
{
	char path[256];
	struct stat st;

	snprintf(path, sizeof(path), "%s%s", strchr(text, '/') ? "" : "/run/netns/", text);
	if (stat(path, &st))
		return -errno;
	*inode = st.st_ino;
	return 0;
}

/* A number as it is, or as readlink(1) prints it, net:[4026531840]; a file; a name of `ip netns`. Becomes the number. */
static int namespace_set(struct recipe *r, struct recipe_option *o, bool dry_run)
{
	const char *digits = o->value + (!strncmp(o->value, "net:[", 5) ? 5 : 0);
	char *end, *text;
	unsigned long inode = strtoul(digits, &end, 0);
	bool is_number = isdigit((unsigned char)*digits) &&
			 (!*end || (digits > o->value && !strcmp(end, "]")));
	int err = is_number ? 0 : namespace_find(o->value, &inode);

	(void)dry_run;
	if (err) {
		log_error("--%s: no network namespace '%s': %s", o->spec.name, o->value,
			  strerror(-err));
		log_hint(
			"it is a number as of readlink /proc/PID/ns/net, such a file, or a name of ip netns");
		return -EINVAL;
	}
	if (asprintf(&text, "%lu", inode) < 0)
		return -ENOMEM;
	o->value = recipe_own(r, text);
	return o->value ? 0 : -ENOMEM;
}

/* How many directories the control group is below the root of its file system. */
static unsigned group_level(const char *path, const struct stat *of)
{
	char above[4096];
	struct stat here = *of, parent;
	unsigned level = 0;

	snprintf(above, sizeof(above), "%s/..", path);
	while (!stat(above, &parent) && parent.st_dev == here.st_dev &&
	       parent.st_ino != here.st_ino && strlen(above) + 4 < sizeof(above)) {
		here = parent;
		level++;
		strcat(above, "/..");
	}
	return level;
}

/* A control group of version 2 by its directory. Becomes its id, with its level in the upper 8 bits. */
static int group_set(struct recipe *r, struct recipe_option *o, bool dry_run)
{
	struct statfs fs;
	struct stat st;
	char *text;

	(void)dry_run;
	if (stat(o->value, &st) || statfs(o->value, &fs)) {
		log_error("--%s: cannot open cgroup '%s': %s", o->spec.name, o->value,
			  strerror(errno));
		return -EINVAL;
	}
	if (fs.f_type != CGROUP2_SUPER_MAGIC) {
		log_error("--%s: '%s' is no directory of cgroup v2", o->spec.name, o->value);
		log_hint("mount -t cgroup2 lists where that is mounted, mostly /sys/fs/cgroup");
		return -EINVAL;
	}
	if (asprintf(&text, "%#llx",
		     (unsigned long long)group_level(o->value, &st) << 56 | st.st_ino) < 0)
		return -ENOMEM;
	o->value = recipe_own(r, text);
	return o->value ? 0 : -ENOMEM;
}

static const struct thing {
	const char *arg;
	int (*take)(struct recipe *r, struct recipe_option *o, bool dry_run);
} things[] = { { "DISK", disk_set },
	       { "TYPE", type_parse },
	       { "DEV", device_parse },
	       { "NETNS", namespace_set },
	       { "CGROUP", group_set } };

int recipe_things_read(struct recipe *r, bool dry_run)
{
	int err = 0;

	for (struct recipe_option *o = r->options; o < r->options + r->option_count; o++)
		for (size_t i = 0; o->value && !err && i < sizeof(things) / sizeof(things[0]); i++)
			if (!strcmp(things[i].arg, o->spec.arg))
				err = things[i].take(r, o, dry_run);
	return err;
}

/* Its rows have numbers of other tasks than the running one, which are the kernel's own. */
static bool has_kernel_numbers(const struct recipe *r)
{
	return !r->program.text && recipe_has_pid(r) && !pidns_is_first();
}

int recipe_numbers_choose(const struct recipe *r, struct options *o)
{
	if (!has_kernel_numbers(r))
		return 0;
	for (const struct recipe_option *a = r->options; a < r->options + r->option_count; a++)
		if (a->value && (!strcmp(a->spec.name, "pid") || !strcmp(a->spec.name, "tid"))) {
			log_error("--%s: in a pid namespace %s knows only the host's numbers",
				  a->spec.name, r->name);
			log_hint("--comm NAME chooses tasks by name");
			return -EINVAL;
		}
	o->tasks.host_pids = true;
	log_note("PIDs are the host's, not those of this pid namespace");
	return 0;
}

/* ---- tasks that options choose ---- */

static void subject_add(struct event_ids *ids, const char *number)
{
	unsigned long long id = strtoull(number, NULL, 0);

	ids->ids[ids->count++] = id < UINT32_MAX ? (uint32_t)id : UINT32_MAX;
}

void recipe_subjects_choose(const struct recipe *r, struct options *o)
{
	for (const struct recipe_option *a = r->options; a < r->options + r->option_count; a++) {
		if (a->value && a->spec.arg && !strcmp(a->spec.arg, "PID"))
			subject_add(&o->tasks.subject_pids, a->value);
		if (a->value && a->spec.arg && !strcmp(a->spec.arg, "TID"))
			subject_add(&o->tasks.subject_tids, a->value);
	}
}
