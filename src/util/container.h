/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * container.h - finds the container of a cgroup by its path. It reads no file system.
 *
 * The runtime of a container chooses these names, but anybody who may create cgroups can choose the same.
 */
#ifndef CORETAP_UTIL_CONTAINER_H
#define CORETAP_UTIL_CONTAINER_H

#include <stdbool.h>
#include <stddef.h>

enum { CONTAINER_ID = 64, CONTAINER_ID_SHORT = 12, CONTAINER_NAME_MAX = 255 };

struct container {
	char name[CONTAINER_NAME_MAX + 1]; /* the name may contain any byte */
	size_t len;
};

/* True for the id of a container, which is shown with its first CONTAINER_ID_SHORT digits. */
bool container_is_id(const char *name, size_t len);
/* True if a cgroup of this name in the cgroup `parent` is a container. Either name may be empty. */
bool container_of_cgroup(const char *parent, size_t parent_len, const char *cgroup, size_t len,
			 struct container *c);
/* Finds the outermost container in the path: a container inside a container counts as part of it. */
bool container_of_path(const char *path, struct container *c);

#endif
