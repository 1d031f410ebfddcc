/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_replace.h - writes a whole file atomically: a reader sees the old or the new one.
 */
#ifndef CORETAP_KERNEL_FILE_REPLACE_H
#define CORETAP_KERNEL_FILE_REPLACE_H

#include <stddef.h>

/* Checks that the file can be written, without changing anything. Returns 0 or an error of place.h. */
int file_replace_check(const char *path);
/* Writes the file. It gets the mode of the replaced file if we own that, else the mode of a new file. A pipe or
 * device is written to, not replaced. Returns 0 or an error of place.h. */
int file_replace(const char *path, const void *bytes, size_t len);

#endif
