/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * place.h - where a file that is written has its name: an open folder, and the name in it.
 *
 * coretap writes as root, perhaps where others may write, too: in /tmp the owner of a file may exchange it for a link
 * at any moment. So a path is walked folder by folder; a link is followed only where nobody else decides what it is,
 * and all that is done to the file is done in the folder that was found.
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
 * Finds the folder; the file may be missing. All errors are -errno: -ELOOP: a link is not followed; -EEXIST: there is
 * a file of another, which is not written to. place_why has their words. Everything is done with the user's own
 * rights (capabilities.h).
 */
int place_open(struct file_place *p, const char *path);
/* The same, but a link that is the last part of the path is what is meant. */
int place_open_itself(struct file_place *p, const char *path);
void place_close(struct file_place *p);
const char *place_why(int err);

/* Opens a new file, or empties the one that is there. Returns a descriptor. */
int place_create(const struct file_place *p, mode_t mode);
/* place_open and place_create. */
int place_create_at(const char *path, mode_t mode);
/* Opens what is no regular file (a pipe, a device), or has no name, for writing: a descriptor. -ENOENT: it is regular,
 * a link, or missing, and so is replaced; *mode: of a regular file of ours, else 0. */
int place_open_special(const struct file_place *p, mode_t *mode);

#endif
