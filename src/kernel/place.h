/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - where a file is to be written: an open folder, and a name in it.
 *
 * coretap writes as root, perhaps where others also may write: in /tmp the owner of a file may replace it with a link
 * at any moment. So a path is walked folder by folder. A link is followed only where nobody else controls it, and all
 * operations on the file use the open folder.
 */
#ifndef CORETAP_KERNEL_PLACE_H
#define CORETAP_KERNEL_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct file_place {
	int folder; /* owned, O_PATH; -1: none */
	int object; /* owned, O_PATH: what a link of /proc leads to, which has no name; -1: there is a name */
	char name[NAME_MAX + 1];
};

/*
 * Opens the folder; the file may be missing. Errors: -ELOOP if a link is not followed; -EEXIST if the file belongs to
 * another user; or another -errno. place_why returns their text. Everything is done with the user's own rights
 * (capabilities.h).
 */
int place_open(struct file_place *p, const char *path);
/* The same, but does not follow a link that is the last part of the path. */
int place_open_itself(struct file_place *p, const char *path);
void place_close(struct file_place *p);
const char *place_why(int err);

/* Creates a file; truncates the existing one, or appends to it. Returns an fd or -errno. */
int place_create_at(const char *path, mode_t mode);
int place_append_at(const char *path, mode_t mode);
/* Opens a pipe, a device, or an object without a name for writing. Returns an fd. -ENOENT: it is a regular file, a
 * link, or missing, so the caller replaces it. *mode is that of a regular file of ours, else 0. */
int place_open_special(const struct file_place *p, mode_t *mode);

#endif
