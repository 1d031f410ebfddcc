/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suggest.h - "did you mean …": the nearest of the offered names, by edit distance.
 */
#ifndef CORETAP_UTIL_SUGGEST_H
#define CORETAP_UTIL_SUGGEST_H

struct suggestion {
	const char *wanted;
	const char *best;
	unsigned distance;
};

void suggest_init(struct suggestion *n, const char *wanted);
void suggest_offer(struct suggestion *n, const char *name); /* name must outlive n */
/* NULL if none is near. */
const char *suggest_get(const struct suggestion *n);

#endif
