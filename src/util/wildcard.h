/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wildcard.h - a shell pattern against one name. (glob.h is for patterns that BPF programs match.)
 */
#ifndef CORETAP_UTIL_WILDCARD_H
#define CORETAP_UTIL_WILDCARD_H

#include <stdbool.h>

/* Does `name` match a pattern of * ? [a-z] [!a-z]? */
bool wildcard_matches(const char *pattern, const char *name);

#endif
