/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arena.h - the memory of one program, freed as a whole.
 */
#ifndef CORETAP_EXPR_ARENA_H
#define CORETAP_EXPR_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena {
	struct arena_block *blocks;
};

/* Returns zeroed bytes, or NULL if out of memory. */
void *arena_alloc(struct arena *a, size_t size);
char *arena_text(struct arena *a, const char *text, size_t len);
char *arena_print(struct arena *a, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));
void arena_free(struct arena *a);

#endif
