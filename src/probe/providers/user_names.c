/* SPDX-License-Identifier: GPL-2.0-only */
/* user_names.c - whether a request needs names and types of debug information, which takes time to read. */
#include <ctype.h>
#include <string.h>

#include "probe/providers/providers.h"

#define WORD_LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

/* True if the text has a word that is neither $BUILTIN nor a format. */
static bool has_name(const char *text)
{
	char before = ' ';

	for (; *text; before = *text++) {
		size_t len = strspn(text, WORD_LETTERS);

		if (len && !isdigit((unsigned char)*text) && before != '$' && before != ':')
			return true;
		text += len ? len - 1 : 0;
	}
	return false;
}

/* The text after NAME=. */
static const char *expression_of(const char *text)
{
	size_t len = strspn(text, WORD_LETTERS);

	return text[len] == '=' && text[len + 1] != '=' ? text + len + 1 : text;
}

bool user_names_wanted(const struct argdump_request *r)
{
	bool wanted = false;

	for (size_t i = 0; i < r->expr_count; i++)
		wanted |= has_name(expression_of(r->exprs[i]));
	for (size_t i = 0; i < r->condition_count; i++)
		wanted |= has_name(r->conditions[i]);
	return wanted;
}

bool user_types_wanted(const struct argdump *a, const struct argdump_request *r)
{
	bool wanted = a->language || !r->expr_count || a->model.count > 1 ||
		      aggregate_wanted(&a->aggregate) || a->diff.given.count;

	for (size_t i = 0; i < r->expr_count; i++)
		wanted |= strstr(r->exprs[i], "$ret") != NULL;
	for (size_t i = 0; i < EXPR_TRIGGERS; i++)
		wanted |= r->triggers[i] && has_name(r->triggers[i]);
	return wanted || user_names_wanted(r);
}
