/* SPDX-License-Identifier: GPL-2.0-only */
/* regular_file.h - opens files that any user may have chosen, but only regular ones. */
#ifndef CORETAP_SYMBOLS_USER_REGULAR_FILE_H
#define CORETAP_SYMBOLS_USER_REGULAR_FILE_H

#include <sys/stat.h>

/*
 * Finds a regular file without opening it: opening a device may have side effects, and opening a FIFO may wake
 * another process. Returns an O_PATH descriptor, or -errno (-EINVAL: not regular).
 */
int regular_find(const char *path, struct stat *st);
/* Opens the file found by regular_find for reading, and closes `place`. Returns a negative `place` unchanged. */
int regular_open_found(int place);

#endif
