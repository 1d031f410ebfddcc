/* SPDX-License-Identifier: GPL-2.0 */
/*
 * words.h - a line as a shell would split it into words, with nothing expanded.
 */
#ifndef CORETAP_WORDS_H
#define CORETAP_WORDS_H

#include <stddef.h>

/*
 * Words are apart by blanks; 'text', "text" and $'text' with its escapes are taken as in bash, \x
 * outside of quotes is x, and # at a word's beginning begins a comment. Writes the words over the
 * line itself and their addresses into `words`, at most `max`. Returns their number; -EINVAL with
 * *at, the offset of a quote that does not end; -E2BIG for too many.
 */
int words_split(char *line, char **words, size_t max, size_t *at);

#endif
