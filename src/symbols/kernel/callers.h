/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callers.h - finds the kernel functions that may call a function, by reading the code and data that are in memory
 * now.
 *
 * The kernel does not record which functions have inlined another one. But functions of the same source file are near
 * it, and contain the same calls.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_CALLERS_H
#define CORETAP_SYMBOLS_KERNEL_CALLERS_H

#include <stdbool.h>
#include <stddef.h>

struct kcore;

enum { CALLERS_NAMED = 3 };

struct caller_names {
	const char *names[CALLERS_NAMED]; /* owned by the symbol table (ksyms.h) */
	/* number of all callers; only the first of them have a name here */
	size_t count;
};

struct callers {
	struct caller_names calls; /* functions whose code calls it or jumps to it */
	/* nearby functions with the same calls: they may have inlined it */
	struct caller_names like;
	/* a copy that the compiler made for some callers: F.constprop.0; or NULL */
	const char *copy;
	bool may_be_pointed; /* its address is found in data or code, or cannot be searched for */
};

/* Reads all code and data of the kernel and its modules: takes a tenth of a second. Returns 0; -ESRCH if the function
 * does not exist; -ENOTUNIQ if several have the name; or -errno of reading. */
int callers_find(struct callers *c, const struct kcore *k, const char *func);

#endif
