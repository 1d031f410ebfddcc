/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habit_text.c - the text of a row of habits.def with the user's value: as typed, translated, or, for a regular
 * expression, as a pattern with * and ?, which is what coretap's options take.
 */
#include <string.h>

#include "cli/habits.h"

/* Returns the byte behind a set [...], or NULL; [^ is [! in a pattern. */
static const char *set_append(struct buf *o, const char *at)
{
	bool is_not = at[1] == '^';
	const char *from = at + 1 + is_not, *end = *from ? strchr(from + 1, ']') : NULL;

	if (!end)
		return NULL;
	buf_str(o, is_not ? "[!" : "[");
	buf_bytes(o, from, end + 1 - from);
	return end + 1;
}

/* Appends what stands for one part of the expression. Returns the byte behind it; NULL: no pattern has it. */
static const char *part_append(struct buf *o, const char *at)
{
	if (*at == '.' && at[1] == '*') {
		buf_char(o, '*');
		return at + 2;
	}
	if (*at == '[') {
		at = set_append(o, at);
	} else if (*at == '\\' && at[1] && strchr("\\.*+?^$|()[]{}/-", at[1])) {
		buf_printf(o, strchr("*?[\\", at[1]) ? "[%c]" : "%c", at[1]);
		at += 2;
	} else if (strchr("*+?^$|(){}\\", *at)) {
		return NULL;
	} else {
		buf_char(o, *at == '.' ? '?' : *at);
		at++;
	}
	return at && *at && strchr("*+?{", *at) ? NULL : at;
}

bool habit_pattern_write(struct buf *o, const char *expression)
{
	const char *at = expression + (*expression == '^');

	if (at == expression)
		buf_char(o, '*');
	while (at && *at && strcmp(at, "$"))
		at = part_append(o, at);
	if (!at)
		return false;
	if (!*at)
		buf_char(o, '*');
	return true;
}

/* Finds what a hole A=B,C=D} has for a value: B. Returns NULL if it has nothing. */
static const char *choice_find(const char *hole, const char *value)
{
	size_t len = *hole == ',' ? strcspn(value, ",") : strlen(value);

	for (hole += *hole == ','; *hole != '}'; hole += strcspn(hole, ",}"), hole += *hole == ',')
		if (!strncmp(hole, value, len) && hole[len] == '=')
			return hole + len + 1;
	return NULL;
}

bool habit_has_choice(const char *text, const char *value)
{
	return strncmp(text, "--{", 3) || choice_find(text + 3, value);
}

/* The value for a hole: ~} is the pattern for a regular expression; :} is what follows the first colon; A=B,C=D} is B
 * for A, and so on, and with a comma before A for the first of a list; any other value is as typed. */
static void value_append(struct buf *o, const char *hole, const char *value)
{
	const char *choice = strchr("~:", *hole) ? NULL : choice_find(hole, value);

	if (*hole == ':')
		buf_str(o, value + strcspn(value, ":") + (strchr(value, ':') != NULL));
	else if (*hole == '~')
		habit_pattern_write(o, value);
	else if (choice)
		buf_bytes(o, choice, strcspn(choice, ",}"));
	else
		buf_str(o, value);
}

/* The text of a row, with the value for each {}. */
static void filled_append(struct buf *o, const char *text, size_t len, const char *value)
{
	for (size_t i = 0; i < len; i++) {
		if (text[i] != '{') {
			buf_char(o, text[i]);
			continue;
		}
		value_append(o, &text[i + 1], value);
		i += strcspn(&text[i], "}");
	}
}

char *habit_text(const char *text, size_t len, const char *value)
{
	struct buf o;

	buf_init(&o, -1);
	filled_append(&o, text, len, value ?: "VALUE");
	buf_char(&o, 0);
	return o.error ? NULL : o.data;
}
