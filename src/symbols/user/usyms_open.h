/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * usyms_open.h - opens exactly the file that a process has mapped, or nothing. For usyms_file.c.
 */
#ifndef CORETAP_SYMBOLS_USER_USYMS_OPEN_H
#define CORETAP_SYMBOLS_USER_USYMS_OPEN_H

#include <stdint.h>
#include <sys/stat.h>

struct mapping;

/* Opens the mapped file for reading, through the process or, if that has exited, by its path.
 * Returns -1 if the file cannot be found: another file that is there now is not opened. */
int usyms_open(uint32_t pid, const struct mapping *m);
/* The current stat of the mapped file, without opening it; `is` is from an earlier fstat. Returns
 * -1 if the file cannot be found. */
int usyms_stat(uint32_t pid, const struct mapping *m, const struct stat *is, struct stat *now);
/* Returns the size of the file mapped at an address of our own process, or 0. */
uint64_t usyms_own_size(const void *at);

#endif
