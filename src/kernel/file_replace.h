/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_replace.h - writes a whole file: a reader sees the one before or the new one, never a part.
 */
#ifndef CORETAP_KERNEL_FILE_REPLACE_H
#define CORETAP_KERNEL_FILE_REPLACE_H

#include <stddef.h>

/* Could the file be written? Changes nothing. Returns 0 or an error of place.h, as does the next. The file has the mode of
 * one of ours that it replaces, else that of a new one: never what another chose. */
int file_replace_check(const char *path);
/* What is no regular file (a pipe, a device) is written to, not replaced. */
int file_replace(const char *path, const void *bytes, size_t len);

#endif
