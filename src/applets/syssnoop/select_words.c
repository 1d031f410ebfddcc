/* SPDX-License-Identifier: GPL-2.0-only */
/* select_words.c - the words of a text of -e, and errors in them. */
#include <errno.h>
#include <string.h>

#include "applets/syssnoop/select.h"
#include "util/log.h"

const char *select_typed, *select_option;

int select_fail(const char *word, size_t len, const char *what)
{
	log_error("%s%s '%s': %s", select_option ? "--" : "", select_option ?: "-e", select_typed,
		  what);
	if (len && word >= select_typed && word <= select_typed + strlen(select_typed))
		log_caret(select_typed, (size_t)(word - select_typed),
			  (size_t)(word - select_typed) + len);
	return -EINVAL;
}

bool select_is_word(const char *text, size_t len, const char *word)
{
	return strlen(word) == len && !memcmp(text, word, len);
}

/* Returns the next word of a list with commas; NULL: none. */
const char *select_word_next(const char **at, size_t *len)
{
	const char *word = *at + strspn(*at, ",");

	if (!*word)
		return NULL;
	*len = strcspn(word, ",");
	*at = word + *len + (word[*len] == ',');
	return word;
}

/* Skips each ! before a set; each inverts the result. */
bool select_negation_skip(const char **text)
{
	bool negated = false;

	for (; **text == '!'; ++*text)
		negated = !negated;
	return negated;
}
