/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disk.h - the disks that the machine has, by the names that sysfs gives them.
 */
#ifndef CORETAP_KERNEL_DISK_H
#define CORETAP_KERNEL_DISK_H

#include <stdbool.h>
#include <stddef.h>

enum { DISK_NAME_SIZE = 32 }; /* the kernel's, with the NUL */

/* The name of what a user calls sda, /dev/sda or /dev/disk/by-id/…: links are followed. `size` bytes at most. */
void disk_name(const char *text, char *name, size_t size);
/* Is there such a disk, or, with `part`, such a partition? Else prints which disks there are, for an option of that name;
 * -EINVAL. */
int disk_check(const char *option, const char *name, bool part);

#endif
