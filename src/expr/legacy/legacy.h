/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legacy.h - definitions in the kernel's own notations, translated to coretap's: kprobe_events,
 * uprobe_events, the f, t and e of dynamic_events, and function_events prototypes; and probes as other
 * tracers name them.
 *
 * Text in, text out: no I/O, no globals. The caller says whether a function exists.
 */
#ifndef CORETAP_EXPR_LEGACY_H
#define CORETAP_EXPR_LEGACY_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"

/* Bytes [at, at_end) of a translation stand for bytes [start, end) of the definition. */
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
	/* expression with which the old notation shows the caller; NULL: it does not */
	const char *caller;
	const char *const *notes; /* what the user should know about the translation */
	size_t note_count;
};

/* Does the kernel have a function of this name? */
typedef bool legacy_exists(const void *context, const char *function);

/* How many of the words belong to a definition in an old notation: 0: none; 1: the first contains
 * all of it; else all `count` words, to be joined by spaces. */
size_t legacy_words(const char *const *words, size_t count);

/* Translates a definition. Returns 0, -EINVAL with *error filled (its `text` is unused), or
 * -ENOMEM. After 0 the caller frees *out, which owns all its contents. */
int legacy_translate(const char *definition, legacy_exists *exists, const void *context,
		     struct legacy_probe **out, struct expr_error *error);
/* What bytes [*start, *end) of t->text stand for: the narrowest place in the definition. */
void legacy_place_find(const struct legacy_text *t, size_t *start, size_t *end);
void legacy_free(struct legacy_probe *p);
/* The names that a function has had since: the one behind *row, which is 0 at first; NULL: no more.
 * *dead: the old one is never called, and an argument is *args[N], or as it was where that is NULL. */
const char *legacy_renamed(const char *function, size_t *row, bool *dead, const char *const **args);

#endif
