/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_cgroup.c - cgroup_path(): the path of the cgroup with an id in each hierarchy.
 *
 * The id is the inode of the folder, so all folders are searched. Results are cached until the path has another
 * inode. A process may have moved and its cgroup may be removed meanwhile: then there is no path, and nothing is
 * written.
 */
#include <ftw.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "front/bt/show_parts.h"
#include "util/glob.h"

enum { ROOTS_MAX = 32, KEPT = 64, FOLDERS_OPEN = 16 };

/* A mounted hierarchy: "unified" is version 2; the others are named after their folder. */
struct root {
	char name[64], path[256];
	bool is_unified;
};

/* ---- cached paths ---- */

static struct kept {
	uint64_t id;
	char root[256], *path; /* owned */
} kept[KEPT];

static bool is_still(const struct kept *k)
{
	struct stat st;

	return k->path && !stat(k->path, &st) && st.st_ino == k->id;
}

/* ---- search ---- */

static struct {
	uint64_t id;
	char *path; /* owned */
} wanted;

/* nftw(3) does not pass an argument of the caller. */
static int folder_visit(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)ftw;
	if (kind != FTW_D || st->st_ino != wanted.id)
		return 0;
	wanted.path = strdup(path);
	return 1;
}

/* Returns the folder in a hierarchy, or NULL. Valid until the next call. */
static const char *folder_find(const char *root, uint64_t id)
{
	struct kept *k = &kept[id % KEPT];

	if (k->id == id && !strcmp(k->root, root) && is_still(k))
		return k->path;
	wanted.id = id;
	wanted.path = NULL;
	nftw(root, folder_visit, FOLDERS_OPEN, FTW_PHYS | FTW_MOUNT);
	free(k->path);
	*k = (struct kept){ .id = id, .path = wanted.path };
	snprintf(k->root, sizeof(k->root), "%s", root);
	return k->path;
}

/* ---- hierarchies ---- */

static size_t roots_read(struct root *roots)
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m;
	size_t n = 0;

	while (mounts && n < ROOTS_MAX && (m = getmntent(mounts))) {
		bool is_unified = !strcmp(m->mnt_type, "cgroup2");
		const char *last = strrchr(m->mnt_dir, '/');

		if ((!is_unified && strcmp(m->mnt_type, "cgroup")) ||
		    strlen(m->mnt_dir) >= sizeof(roots->path))
			continue;
		roots[n].is_unified = is_unified;
		snprintf(roots[n].path, sizeof(roots->path), "%s", m->mnt_dir);
		snprintf(roots[n].name, sizeof(roots->name), "%s", last ? last + 1 : m->mnt_dir);
		n++;
	}
	if (mounts)
		endmntent(mounts);
	return n;
}

/* Orders version 2 first, then by name. */
static int root_compare(const void *x, const void *y)
{
	const struct root *a = x, *b = y;

	return a->is_unified != b->is_unified ? b->is_unified - a->is_unified :
						strcmp(a->name, b->name);
}

void bt_cgroup_write(struct buf *o, uint64_t id, const char *filter)
{
	struct root roots[ROOTS_MAX];
	size_t n = roots_read(roots), written = 0;

	qsort(roots, n, sizeof(*roots), root_compare);
	for (size_t i = 0; i < n; i++) {
		const char *path;

		if (*filter && !wildcard_matches(filter, roots[i].name))
			continue;
		path = folder_find(roots[i].path, id);
		if (!path)
			continue;
		buf_str(o, written++ ? "," : "");
		buf_str(o, roots[i].name);
		buf_char(o, ':');
		buf_str(o, path[strlen(roots[i].path)] ? path + strlen(roots[i].path) : "/");
	}
}
