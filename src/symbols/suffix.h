/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suffix.h - what compilers append to the name of a function that they split, copy or rename.
 */
#ifndef CORETAP_SYMBOLS_SUFFIX_H
#define CORETAP_SYMBOLS_SUFFIX_H

#include <stddef.h>

enum symbol_suffix {
	SUFFIX_NONE,	/* the function's own name, or another function's */
	SUFFIX_RENAMED, /* NAME.lto_priv.0, NAME.llvm.123: the function itself */
	SUFFIX_COPY, /* NAME.isra.0, NAME.constprop.0: a whole function, maybe with other parameters */
	SUFFIX_PART,  /* NAME.part.0: the rest of a function whose beginning is inlined */
	SUFFIX_COLD,  /* NAME.cold: code to which the others jump; nothing calls it */
	SUFFIX_OTHER, /* NAME.xyz, whatever that is: to Go, xyz of package NAME */
};

/* Classifies a symbol by what follows the first `len` bytes, which are the function's name. */
enum symbol_suffix symbol_suffix(const char *symbol, size_t len);
/* The same by that name; SUFFIX_NONE also if the symbol does not begin with it. */
enum symbol_suffix symbol_suffix_of(const char *symbol, const char *name);

#endif
