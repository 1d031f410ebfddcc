/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wildcard.h - a shell pattern against one name. (glob.h is for patterns that BPF programs match.)
 */
#ifndef CORETAP_UTIL_WILDCARD_H
#define CORETAP_UTIL_WILDCARD_H

#include <fnmatch.h>
#include <stdbool.h>

/* Does `name` match a pattern of * ? [a-z] [!a-z]? */
static inline bool wildcard_matches(const char *pattern, const char *name)
{
	return !fnmatch(pattern, name, FNM_NOESCAPE);
}

#endif
