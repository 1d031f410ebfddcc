/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * origin.c - watches the modules and files that contain probes (origin.h).
 *
 * A kprobe does not pin its module: when that is unloaded the probe is removed, and does not return with the next
 * module of that name. Trampolines and tracepoints pin their modules, which then cannot be unloaded. A probe in a
 * user's file belongs to its inode: processes that start after the file was replaced are not traced.
 *
 * A module's folder in sysfs gets a new inode each time the module is loaded.
 */
#include "probe/origin.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "probe/argdump.h"
#include "util/log.h"

enum { ORIGINS_MAX = 64, ORIGIN_PATH = 512 };

/* One for the process, which traces only once. */
static struct origin {
	char path[ORIGIN_PATH]; /* "": it is gone, and that was reported */
	const char *module;	/* the module's name, in `path`; NULL: a file */
	dev_t dev;
	ino_t ino;
} origins[ORIGINS_MAX];
static size_t origin_count;

static struct origin *origin_add(const char *path, const struct stat *st)
{
	struct origin *o = &origins[origin_count];

	for (size_t i = 0; i < origin_count; i++)
		if (!strcmp(origins[i].path, path))
			return NULL;
	if (origin_count == ORIGINS_MAX || strlen(path) >= sizeof(o->path))
		return NULL;
	*o = (struct origin){ .dev = st->st_dev, .ino = st->st_ino };
	strcpy(o->path, path);
	origin_count++;
	return o;
}

void origin_watch_file(const char *path, int fd)
{
	struct stat st;

	if (!fstat(fd, &st))
		origin_add(path, &st);
}

static void module_watch(const char *module)
{
	struct origin *o;
	char path[ORIGIN_PATH];
	struct stat st;

	snprintf(path, sizeof(path), "/sys/module/%s", module);
	if (stat(path, &st))
		return;
	o = origin_add(path, &st);
	if (o)
		o->module = strrchr(o->path, '/') + 1;
}

void origin_watch_modules(const struct argdump *a)
{
	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++) {
		if (p->symbol.module)
			module_watch(p->symbol.module);
		for (size_t i = 0; p->functions.items && i < p->functions.count; i++)
			if (p->functions.items[i]->module)
				module_watch(p->functions.items[i]->module);
	}
}

/* True if it was replaced. A missing file was not: no process can start it. */
static bool has_gone(const struct origin *o)
{
	struct stat st;

	if (stat(o->path, &st))
		return o->module && errno == ENOENT;
	return st.st_dev != o->dev || st.st_ino != o->ino;
}

static void gone_report(const struct origin *o)
{
	if (o->module) {
		log_warn("module %s was unloaded, and its probes with it", o->module);
		log_hint("its calls are not seen when it is loaded again: restart the tracing; "
			 "--attach fentry, where it works, keeps the module loaded");
		return;
	}
	log_warn("%s was replaced: processes that start now are not traced", o->path);
	log_hint("the probes are in the old file: restart the tracing");
}

void origin_poll(struct session *s)
{
	for (struct origin *o = origins; o < origins + origin_count; o++) {
		if (!*o->path || !has_gone(o))
			continue;
		gone_report(o);
		*o->path = 0;
		s->losses.local[LOSS_GONE]++;
	}
}
