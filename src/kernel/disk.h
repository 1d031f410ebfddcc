/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disk.h - the disks that the machine has, by the names that sysfs gives them.
 */
#ifndef CORETAP_KERNEL_DISK_H
#define CORETAP_KERNEL_DISK_H

#include <stdbool.h>
#include <stddef.h>

enum { DISK_NAME_SIZE = 32 }; /* the kernel's, with the NUL */

/* Writes the name of a disk that the user gives as sda, /dev/sda or /dev/disk/by-id/…, following links. At most
 * `size` bytes. */
void disk_name(const char *text, char *name, size_t size);
/* Returns 0 if that disk or, with `part`, that partition exists. Else prints an error for that option, with the disks
 * that exist, and returns -EINVAL. */
int disk_check(const char *option, const char *name, bool part);

#endif
