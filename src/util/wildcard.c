/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wildcard.c - matches a shell pattern by going back to the last *.
 *
 * fnmatch(3) would do, but is larger in a static binary than all of this.
 */
#include "util/wildcard.h"

#include <stddef.h>

/* Matches a set [a-z] or [!a-z] at *pattern, and moves *pattern past the ]. A set without ] matches
 * nothing. */
static bool set_matches(const char **pattern, char c)
{
	const char *at = *pattern + 1;
	bool not = *at == '!' || *at == '^', found = false;
	const char *first = at + not ;

	for (at = first; *at && (*at != ']' || at == first); at++) {
		if (at[1] == '-' && at[2] && at[2] != ']') {
			found |= c >= at[0] && c <= at[2];
			at += 2;
		} else {
			found |= c == *at;
		}
	}
	*pattern = *at ? at + 1 : at;
	return *at && found != not ;
}

bool wildcard_matches(const char *pattern, const char *name)
{
	const char *star = NULL, *retry = NULL;

	for (;;) {
		const char *next = pattern + 1;
		bool same;

		if (*pattern == '*') {
			star = next;
			retry = name;
			pattern = next;
			continue;
		}
		if (!*name && !*pattern)
			return true;
		if (*pattern == '[' && *name) {
			next = pattern;
			same = set_matches(&next, *name);
		} else {
			same = *name && (*pattern == '?' || *pattern == *name);
		}
		if (same) {
			pattern = next;
			name++;
		} else if (star && *retry) {
			pattern = star;
			name = ++retry;
		} else {
			return false;
		}
	}
}
