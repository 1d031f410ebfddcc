/* SPDX-License-Identifier: GPL-2.0-only */
/* tracefs.h - files of tracefs, wherever it is mounted. */
#ifndef CORETAP_KERNEL_TRACEFS_H
#define CORETAP_KERNEL_TRACEFS_H

/* Opens a file, by its path in tracefs, with flags of open(2). The caller closes it. -1 with errno set on error. */
int tracefs_open(const char *path, int flags);
/* Reads a file. The caller frees the text. NULL with errno set on error. */
char *tracefs_read(const char *path);
/* The number of an event, "GROUP/NAME", or -errno. */
int tracefs_event(const char *name);

#endif
