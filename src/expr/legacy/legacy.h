/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legacy.h - translates definitions in the kernel's own notations to coretap's: kprobe_events,
 * uprobe_events, the f, t and e of dynamic_events, and function_events prototypes; and probes as
 * other tracers name them.
 *
 * Text in, text out: no I/O, no globals. The caller tells whether a function exists.
 */
#ifndef CORETAP_EXPR_LEGACY_H
#define CORETAP_EXPR_LEGACY_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"

/* Bytes [at, at_end) of a translation come from bytes [start, end) of the definition. */
struct legacy_place {
	size_t at, at_end, start, end;
};

struct legacy_text {
	const char *text;  /* "file=$reg(si):string" */
	size_t start, end; /* its position in the definition, in bytes */
	const struct legacy_place *places;
	size_t place_count;
};

struct legacy_probe {
	const char *probe;	   /* "vfs_read%return"; NULL: "-:NAME", nothing to trace */
	const char *group, *event; /* NULL: no name */
	const struct legacy_text *texts;
	size_t count;
	const char *condition; /* "prev_pid == 1": an event's filter; NULL: none */
	/* the expression with which the old notation shows the caller; NULL: none */
	const char *caller;
	const char *const *notes; /* remarks about the translation, for the user */
	size_t note_count;
};

/* Returns true if the kernel has a function of this name. */
typedef bool legacy_exists(const void *context, const char *function);

/* Returns how many of the words are a definition in an old notation. 0: none. 1: the first
 * contains all of it. Else all `count` words, to be joined by spaces. */
size_t legacy_words(const char *const *words, size_t count);

/* Translates a definition. Returns 0, -EINVAL with *error filled (its `text` is unused), or
 * -ENOMEM. After 0 the caller frees *out, which owns all its contents. */
int legacy_translate(const char *definition, legacy_exists *exists, const void *context,
		     struct legacy_probe **out, struct expr_error *error);
/* Replaces bytes [*start, *end) of t->text by the narrowest part of the definition that they come
 * from. */
void legacy_place_find(const struct legacy_text *t, size_t *start, size_t *end);
void legacy_free(struct legacy_probe *p);
/* Returns the next newer name of a function after row *row, which is 0 at first; NULL: no more.
 * *dead: the old one is never called. Argument N is *args[N], or unchanged where that is NULL. */
const char *legacy_renamed(const char *function, size_t *row, bool *dead, const char *const **args);

#endif
