/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel_lists.h - the kernel's own lists of functions: those that ftrace can patch, and those that
 * kprobes must not touch.
 *
 * Reading ftrace's list takes 160 to 320 ms. This file does not know what the caller does with a function.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_KERNEL_LISTS_H
#define CORETAP_SYMBOLS_KERNEL_KERNEL_LISTS_H

#include <stdint.h>

enum kernel_list { KERNEL_LIST_FTRACE, KERNEL_LIST_BLACKLIST };

struct kernel_list_line {
	const char *name;   /* valid until the next line */
	const char *module; /* NULL: the kernel proper; always NULL in the blacklist */
	uint64_t patched;   /* the address that ftrace patches; 0: unknown */
};

/* Calls `take` for each line, until it returns an error. Returns that, -errno if the list cannot be
 * read, or 0. */
int kernel_list_read(enum kernel_list list,
		     int (*take)(const struct kernel_list_line *line, void *context),
		     void *context);

#endif
