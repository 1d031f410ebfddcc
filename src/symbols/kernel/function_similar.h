/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * function_similar.h - names of kernel functions that are like a wanted one, to suggest them.
 */
#ifndef CORETAP_SYMBOLS_KERNEL_FUNCTION_SIMILAR_H
#define CORETAP_SYMBOLS_KERNEL_FUNCTION_SIMILAR_H

#include <stdbool.h>
#include <stddef.h>

#include "btf/btf.h"

/* Writes "did you mean a, b or c?" with the names in /proc/kallsyms, or if that cannot be read in
 * `btf`, that are most like the wanted one. If `btf` is not NULL, all of them are in it. False: there
 * is none, and `text` is unchanged. */
bool function_suggest(const char *wanted, const struct btf_view *btf, char *text, size_t size);
/* How similar two names are: 0: equal except for leading underscores; ~0u: not similar. */
unsigned function_rank(const char *wanted, const char *name);

#endif
