/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * container.c - shows a cgroup's id as the container that it belongs to.
 *
 * The id of a cgroup is its inode and file handle in the cgroup file system: the kernel opens it by that, without a
 * search, and /proc tells its path. Results are cached in a table of fixed size, where a newer cgroup may replace an
 * older one. A cgroup that was removed before it was looked up is shown as cgroup:ID.
 */
#include "output/field/container.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <string.h>
#include <unistd.h>

#include "event.h"
#include "output/field/field_load.h"
#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "util/container.h"

enum { CACHED = 256, HANDLE_KERNFS = 0xfe /* FILEID_KERNFS, linux/exportfs.h */ };

static struct cached {
	uint64_t id; /* 0: the slot is free */
	char *name;  /* owned; NULL: in no container */
	size_t len;
} cached[CACHED];

const char *cgroup_mount(void)
{
	static const char *const usual[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
	struct statfs fs;

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (!statfs(usual[i], &fs) && fs.f_type == CGROUP2_SUPER_MAGIC)
			return usual[i];
	return NULL;
}

int cgroup_open_id(uint64_t id, int how)
{
	static int mount = -1;
	struct {
		struct file_handle head;
		uint64_t id;
	} handle = { { .handle_bytes = sizeof(id), .handle_type = HANDLE_KERNFS }, id };
	const char *path;

	if (mount == -1) {
		path = cgroup_mount();
		mount = path ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -2;
	}
	return mount < 0 ? -1 : open_by_handle_at(mount, &handle.head, how | O_CLOEXEC);
}

/* Returns false if the cgroup is gone, or its path cannot be read. */
static bool cgroup_path(uint64_t id, char path[PATH_MAX])
{
	int fd = cgroup_open_id(id, O_PATH);
	char link[32];
	ssize_t len;

	if (fd < 0)
		return false;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = readlink(link, path, PATH_MAX - 1);
	close(fd);
	if (len < 0)
		return false;
	path[len] = '\0';
	return true;
}

static void cached_fill(struct cached *k, uint64_t id)
{
	char path[PATH_MAX];
	struct container c = { .len = 0 };

	free(k->name);
	*k = (struct cached){ .id = id };
	if (!cgroup_path(id, path))
		c.len = snprintf(c.name, sizeof(c.name), "cgroup:%llu", (unsigned long long)id);
	else if (!container_of_path(path, &c))
		return;
	k->name = malloc(c.len);
	if (k->name)
		memcpy(k->name, c.name, c.len);
	k->len = k->name ? c.len : 0;
}

int load_container(const struct field *f, const void *record, size_t size, struct value *v)
{
	int err = load_unsigned(f, record, size, v);
	struct cached *k;

	if (err || v->status != EVENT_OK)
		return err;
	k = &cached[(v->u * 0x9e3779b97f4a7c15ull >> 32) % CACHED];
	if (v->u && k->id != v->u)
		cached_fill(k, v->u);
	if (!v->u || !k->name)
		v->status = EVENT_NONE;
	v->bytes = k->name;
	v->len = k->len;
	return 0;
}

size_t text_container(struct buf *o, const struct field *f, const struct value *v,
		      enum timestamp_form form)
{
	struct value shown = *v;

	if (container_is_id(v->bytes, v->len))
		shown.len = CONTAINER_ID_SHORT;
	return text_string(o, f, &shown, form);
}
