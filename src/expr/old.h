/* SPDX-License-Identifier: GPL-2.0 */
/*
 * old.h - definitions in the kernel's own notations, said again in coretap's: kprobe_events,
 * uprobe_events, the f, t and e of dynamic_events, and function_events prototypes.
 *
 * Text in, text out: no I/O, no globals. Whether a function exists is asked of the caller.
 */
#ifndef CORETAP_EXPR_OLD_H
#define CORETAP_EXPR_OLD_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"

struct old_text {
	const char *text;  /* "file=$reg(si):string" */
	size_t start, end; /* the bytes of the definition that it stands for */
};

struct old_probe {
	const char *probe; /* "vfs_read%return"; NULL: "-:NAME", nothing to trace */
	const char *group, *event; /* NULL: not named */
	const struct old_text *texts;
	size_t count;
	const char *caller; /* an expression: the old notation shows who called; NULL: it does not */
	const char *const *notes; /* what the user should know of the translation */
	size_t note_count;
};

/* Has the kernel a function of this name? */
typedef bool old_exists(const void *context, const char *function);

/* How many of the words belong to a definition in an old notation: 0, none of them; 1, the first
 * holds all of it; else all `count` are to be joined by spaces. */
size_t old_words(const char *const *words, size_t count);

/* Translates a definition. Returns 0, -EINVAL with *error filled (its `text` means nothing), or
 * -ENOMEM. After 0 *out is to be freed by the caller and owns all it holds. */
int old_translate(const char *definition, old_exists *exists, const void *context,
                  struct old_probe **out, struct expr_error *error);
void old_free(struct old_probe *p);

#endif
