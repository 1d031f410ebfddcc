/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * select.h - private to select.c and call_sets.c: words of a text of -e, and what is wrong with them.
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
/* What is being read: the text that the user typed, for carets, and its option's name; NULL: -e. */
extern const char *select_typed, *select_option;
/* Prints what is wrong, with the word's place. Returns -EINVAL. */
int select_fail(const char *word, size_t len, const char *what);
bool select_is_word(const char *text, size_t len, const char *word);
/* The next of the words that commas separate; NULL: there is none. */
const char *select_word_next(const char **at, size_t *len);
/* Reads the ! before a set, of which each turns its meaning. */
bool select_negation_skip(const char **text);

/* ---- call_sets.c ---- */

/* Returns 0, or -EINVAL after printing the error. */
int select_calls_read(const char *text, struct syscall_set *set);
void select_turn(struct syscall_set *set);

#endif
