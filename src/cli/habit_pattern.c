/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habit_pattern.c - a regular expression of another tool as a pattern with * and ?, which is what coretap's options
 * take.
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
