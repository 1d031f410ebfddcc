/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shell_words.h - splits a line into words as a shell would, without any expansion.
 */
#ifndef CORETAP_UTIL_SHELL_WORDS_H
#define CORETAP_UTIL_SHELL_WORDS_H

#include <stddef.h>

/*
 * Blanks separate words; 'text', "text" and $'text' with its escapes are parsed as in bash, \x outside quotes is x,
 * and # at the beginning of a word starts a comment. Writes the words over the line itself and their addresses into
 * `words`, at most `max`. Returns their number; -EINVAL, with *at set to the offset of a quote that is not closed; or
 * -E2BIG for too many words.
 */
int shell_words_split(char *line, char **words, size_t max, size_t *at);

#endif
