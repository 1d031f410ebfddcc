/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suggest.h - "did you mean …?": the nearest of the offered names, by edit distance, and the hint that names it.
 */
#ifndef CORETAP_UTIL_SUGGEST_H
#define CORETAP_UTIL_SUGGEST_H

#include <stddef.h>

struct suggestion {
	const char *wanted;
	const char *best;
	unsigned distance;
};

void suggest_init(struct suggestion *n, const char *wanted);
void suggest_offer(struct suggestion *n, const char *name); /* `name` must outlive n */
/* Returns NULL if no name is near enough. */
const char *suggest_get(const struct suggestion *n);

/* The words of a hint other than "did you mean NAME?". Each may be NULL. */
struct suggest_words {
	const char *before, *after; /* did you mean BEFORE NAME AFTER? */
	const char *also;      /* added after the question; the whole hint if no name is near */
	const char *otherwise; /* the whole hint if no name is near */
};

/* Prints the hint, if there is one. `words` may be NULL. */
void suggest_hint(const struct suggestion *n, const struct suggest_words *words);
/* Writes the hint, or "". */
void suggest_write(const struct suggestion *n, const struct suggest_words *words, char *text,
		   size_t size);

#endif
