/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * expr_list.c - lists of expressions: in one text, and of an option that is given several times.
 */
#include "cli/expr_list.h"

#include <errno.h>

#include "util/log.h"

/* The end of the first expression: a comma outside parentheses and string literals. */
static char *expr_end(char *text)
{
	int depth = 0;
	char quote = 0;

	for (; *text; text++) {
		if (*text == '\\' && quote && text[1])
			text++;
		else if (quote)
			quote = *text == quote ? 0 : quote;
		else if (*text == '"' || *text == '\'')
			quote = *text;
		else if (*text == '(' || *text == '[')
			depth++;
		else if (*text == ')' || *text == ']')
			depth--;
		else if (*text == ',' && depth <= 0)
			break;
	}
	return text;
}

int expr_list_cut(const char *option, char *text, const char **items, size_t room, size_t *count)
{
	char *end;

	do {
		end = expr_end(text);
		if (*count == room || end == text) {
			log_error(end == text ? "--%s '%s': an expression is empty" :
						"--%s '%s': too many expressions",
				  option, text);
			return -EINVAL;
		}
		items[(*count)++] = text;
		text = end + (*end == ',');
		if (*end)
			*end = '\0';
		else
			return 0;
	} while (1);
}

bool expr_list_is_twice(const struct option_list *list, const char *name)
{
	for (size_t i = 0; i < list->count; i++)
		for (size_t j = 0; j < i; j++) {
			unsigned one = list->items[i].owner, other = list->items[j].owner;

			if (one && other && one != other)
				continue;
			log_error("--%s is given twice for the same probe", name);
			return true;
		}
	return false;
}
