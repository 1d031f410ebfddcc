/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * callers.h - finds the kernel functions that may call a function, in the code and data that are in memory now.
 *
 * A kernel does not record which functions have inlined another one. Functions of the same source file are near it,
 * and have the same calls in their code.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_CALLERS_H
#define CORETAP_SYMBOLS_KERNEL_CALLERS_H

#include <stdbool.h>
#include <stddef.h>

struct kcore;

enum { CALLERS_NAMED = 3 };

struct caller_names {
	const char *names[CALLERS_NAMED]; /* the symbol table's (ksyms.h) */
	size_t count;			  /* all, of which the first have a name */
};

struct callers {
	struct caller_names calls; /* their code calls it, or jumps to it */
	struct caller_names like;  /* near it, with all of its calls: they may have inlined it */
	const char *copy; /* one that the compiler made for some callers: F.constprop.0; or NULL */
	bool may_be_pointed; /* its address is in data or code, or nobody knows */
};

/* Reads all code and data of the kernel and its modules: a tenth of a second. Returns 0; -ESRCH: there is no such
 * function; -ENOTUNIQ: there are several; or -errno of reading. */
int callers_find(struct callers *c, const struct kcore *k, const char *func);

#endif
