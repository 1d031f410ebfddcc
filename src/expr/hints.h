/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hints.h - words of other tracers and languages, and their replacements (hints.def).
 */
#ifndef CORETAP_EXPR_HINTS_H
#define CORETAP_EXPR_HINTS_H

#include <stdbool.h>
#include <stddef.h>

enum hint_where { HINT_NAME, HINT_WORD, HINT_CALL, HINT_SIGN };

/* Returns what to write instead of the first `len` bytes of `text`; NULL: unknown. */
const char *hint_find(enum hint_where where, const char *text, size_t len);

/* A PROBE of another tracer: replaces `prefix`, and adds to the end of the name. */
struct hint_probe {
	const char *prefix;
	const char *before, *after; /* before NULL: coretap has no such probe … */
	const char *why;	    /* … for this reason */
};
/* Returns the row whose prefix `probe` begins with; NULL: none. */
const struct hint_probe *hint_probe_find(const char *probe);

/* True if the text before byte `at` ends with a comparison. */
bool hint_is_compared(const char *text, size_t at);

#endif
