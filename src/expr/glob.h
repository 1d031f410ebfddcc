/* SPDX-License-Identifier: GPL-2.0 */
/*
 * glob.h - a shell pattern as a machine that looks at each byte of a string once.
 *
 * The machine is a table of GLOB_STATES rows of 256 bytes: table[state][byte] is the next state. Two
 * states end it: GLOB_NO and GLOB_YES; the string's NUL always leads to one of them. So a kernel
 * program matches any pattern by one small loop.
 */
#ifndef CORETAP_EXPR_GLOB_H
#define CORETAP_EXPR_GLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GLOB_NO, GLOB_YES, GLOB_START, GLOB_STATES = 256 };

typedef uint8_t glob_table[GLOB_STATES][256];

/*
 * * any bytes, ? one byte, [a-z] [!a-z] one of a set, \x the byte x itself. Returns 0; -EINVAL for
 * a [ without its ]; -E2BIG for a pattern that needs too many states; -ENOMEM.
 */
int glob_compile(const char *pattern, size_t len, glob_table table);
/* For a pattern that is bytes and, perhaps, one * at its end: writes the bytes (room for `len`) and
 * returns true. */
bool glob_is_prefix(const char *pattern, size_t len, char *bytes, size_t *count, bool *open_end);
bool glob_match(glob_table table, const char *text);

#endif
