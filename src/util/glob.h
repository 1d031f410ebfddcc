/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * glob.h - a shell pattern compiled to a state machine that reads each byte of a string once.
 *
 * The machine is a table of GLOB_STATES rows of 256 bytes: table[state][byte] is the next state. Two states end it:
 * GLOB_NO and GLOB_YES; the string's NUL always leads to one of them. So a BPF program can match any pattern with one
 * small loop.
 */
#ifndef CORETAP_UTIL_GLOB_H
#define CORETAP_UTIL_GLOB_H

#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { GLOB_NO, GLOB_YES, GLOB_START, GLOB_STATES = 256 };

typedef uint8_t glob_table[GLOB_STATES][256];

/*
 * In patterns, * stands for any bytes, ? for one byte, [a-z] and [!a-z] for one byte of a set, \x for the byte x
 * itself. Returns 0; -EINVAL for a [ without its ]; -E2BIG for a pattern that needs too many states; or -ENOMEM.
 */
int glob_compile(const char *pattern, size_t len, glob_table table);
/* Compiles several patterns: a string matches if it matches any of them. */
struct glob_pattern {
	const char *text;
	size_t len;
};
int glob_compile_any(const struct glob_pattern *patterns, size_t count, glob_table table);
/* Returns the number of rows in use. */
size_t glob_rows(glob_table table);
/* False for a [ without its ]. */
bool glob_is_valid(const char *pattern, size_t len);
/* True if the text contains a wildcard or a backslash. */
bool glob_is_pattern(const char *text, size_t len);
/* For a pattern of plain bytes, with at most one * at its end: writes the bytes (room for `len`) and returns true. */
bool glob_is_prefix(const char *pattern, size_t len, char *bytes, size_t *count, bool *open_end);

/* ---- one name, in user space ---- */

/* True if `name` matches the pattern, as the machine of glob_compile does. */
static inline bool glob_matches(const char *pattern, const char *name)
{
	return !fnmatch(pattern, name, 0);
}

/* True if `name` matches a pattern of * ? [a-z] [!a-z]. Most names of a long list differ in the first byte, which costs
 * less than a call. */
static inline bool wildcard_matches(const char *pattern, const char *name)
{
	bool differs = *pattern != *name && !strchr("*?[", *pattern);

	return !differs && !fnmatch(pattern, name, FNM_NOESCAPE);
}

#endif
