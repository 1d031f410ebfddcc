/* SPDX-License-Identifier: GPL-2.0-only */
/* tracefs.h - opens files of tracefs, wherever it is mounted. */
#ifndef CORETAP_KERNEL_TRACEFS_H
#define CORETAP_KERNEL_TRACEFS_H

/* Makes tracefs readable for a group. The option mode alone opens its folder, but not the files in it. */
#define TRACEFS_ALLOW "mount -o remount,gid=GROUP,mode=750 /sys/kernel/tracing"

/* Opens a file by its path in tracefs, with flags of open(2). Returns a descriptor that the caller closes, or -1 with
 * errno set. */
int tracefs_open(const char *path, int flags);
/* Reads a file. The caller frees the text. Returns NULL with errno set on error. */
char *tracefs_read(const char *path);
/* Returns the number of an event, given as "GROUP/NAME", or -errno. */
int tracefs_event(const char *name);

#endif
