/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * small_file.h - reads a file of /proc or /sys, which holds a line or a few.
 */
#ifndef CORETAP_UTIL_SMALL_FILE_H
#define CORETAP_UTIL_SMALL_FILE_H

#include <stddef.h>
#include <sys/types.h>

/* Reads at most size - 1 bytes as a string. Returns their number, or -errno, with an empty string. */
ssize_t small_file_read(const char *path, char *text, size_t size);

/* The same without the newline that ends the file. A name may contain others: /proc/PID/comm. */
ssize_t small_file_line(const char *path, char *text, size_t size);

#endif
