/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * select.h - private to select.c and call_sets.c: words of a text of -e, and errors in them.
 */
#ifndef CORETAP_APPLETS_SYSSNOOP_SELECT_H
#define CORETAP_APPLETS_SYSSNOOP_SELECT_H

#include <stdbool.h>
#include <stddef.h>

#include "syscalls/syscalls.h"

struct word_bit {
	const char *word;
	unsigned bit;
};
/* The text being parsed as the user typed it, for carets, and its option's name; NULL: -e. */
extern const char *select_typed, *select_option;
/* Prints the error with the word's location. Returns -EINVAL. */
int select_fail(const char *word, size_t len, const char *what);
bool select_is_word(const char *text, size_t len, const char *word);
/* Returns the next word of a list with commas; NULL: none. */
const char *select_word_next(const char **at, size_t *len);
/* Skips each ! before a set; each inverts the result. */
bool select_negation_skip(const char **text);

/* ---- call_sets.c ---- */

/* Returns 0, or -EINVAL after printing the error. */
int select_calls_read(const char *text, struct syscall_set *set);
void select_turn(struct syscall_set *set);

#endif
