/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disk.h - the machine's disks, by the names that sysfs gives them.
 */
#ifndef CORETAP_KERNEL_DISK_H
#define CORETAP_KERNEL_DISK_H

#include <stdbool.h>
#include <stddef.h>

enum { DISK_NAME_SIZE = 32 }; /* the kernel's DISK_NAME_LEN, with the NUL */

/* Resolves sda, /dev/sda or /dev/disk/by-id/… (following links) to the name in sysfs; writes at most `size` bytes. */
void disk_name(const char *text, char *name, size_t size);
/* Returns 0 if the disk exists or, with `part`, the partition. Else prints an error about the option, suggests a
 * disk, and returns -EINVAL. */
int disk_check(const char *option, const char *name, bool part);

#endif
