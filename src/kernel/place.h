/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - where a file is to be written: an open folder, and a name in it.
 *
 * coretap writes as root, perhaps in a folder where others may also write: in /tmp the owner of a file may replace it
 * with a link at any moment. So a path is walked folder by folder. A link is followed only where nobody else controls
 * it, and all operations on the file use the open folder.
 */
#ifndef CORETAP_KERNEL_PLACE_H
#define CORETAP_KERNEL_PLACE_H

#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

struct file_place {
	int folder; /* owned, O_PATH; -1: none */
	int object; /* owned, O_PATH: the target of a link in /proc, which has no name; -1: the file has a name */
	char name[NAME_MAX + 1];
};

/*
 * Opens the folder; the file may be missing. Returns 0; -ELOOP for a link that is not safe to follow; -EEXIST for a
 * file of another user; or another -errno. place_why returns the text of an error. Uses only the user's own rights
 * (capabilities.h).
 */
int place_open(struct file_place *p, const char *path);
/* The same, but does not follow a link that is the last component. */
int place_open_itself(struct file_place *p, const char *path);
void place_close(struct file_place *p);
const char *place_why(int err);

/* Calls place_open, then creates the file, or truncates it or appends to it. Returns an fd or -errno. */
int place_create_at(const char *path, mode_t mode);
int place_append_at(const char *path, mode_t mode);
/* Opens a pipe, a device, or an object without a name for writing. Returns an fd. Returns -ENOENT for a regular file,
 * a link or a missing file: the caller replaces it. Sets *mode to the mode of a regular file that we own, else to 0. */
int place_open_special(const struct file_place *p, mode_t *mode);

#endif
