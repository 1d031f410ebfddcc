/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * legacy_names.c - in a condition, the names that a definition in the kernel's notation gives to its values: with
 * "r:x vfs_read n=$retval" and the condition "n > 0", n is $ret. As in a filter of the kernel, such a name goes before a
 * parameter of the function.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expr/legacy/legacy.h"
#include "probe/legacy.h"
#include "util/buf.h"

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Returns NAME=EXPR:FORMAT of a name, behind its =; NULL: there is none. */
static const char *value_of(const struct legacy_probe *p, const char *name, size_t len)
{
	for (size_t i = 0; i < p->count; i++) {
		const char *text = p->texts[i].text;

		if (!strncmp(text, name, len) && text[len] == '=')
			return text + len + 1;
	}
	return NULL;
}

/* Writes the value without its format; strings become pointers to characters. */
static void value_write(struct buf *o, const char *value)
{
	const char *colon = strrchr(value, ':');
	const char *format = colon && !strpbrk(colon, ")]") ? colon + 1 : "";
	int len = *format ? (int)(colon - value) : (int)strlen(value);

	if (!strcmp(format, "str"))
		buf_printf(o, "((char *)(%.*s))", len, value);
	else if (!strcmp(format, "ustr"))
		buf_printf(o, "((char __user *)(%.*s))", len, value);
	else
		buf_printf(o, "(%.*s)", len, value);
}

/* Returns the byte behind a text in quotes. */
static const char *quoted_end(const char *at)
{
	for (char quote = *at++; *at && *at != quote;)
		at += 1 + (*at == '\\' && at[1]);
	return at + (*at != 0);
}

/* True if the name stands for a value: it is no $word, @word or member. */
static bool is_alone(const char *text, const char *at)
{
	return at == text ||
	       (!strchr("$@.", at[-1]) && !(at[-1] == '>' && at - text > 1 && at[-2] == '-'));
}

char *legacy_names_replace(const struct legacy_probe *p, const char *condition)
{
	bool any = false;
	struct buf o;

	buf_init(&o, -1);
	for (const char *at = condition, *end; *at; at = end) {
		const char *value = NULL;

		end = at + 1;
		if (*at == '"' || *at == '\'')
			end = quoted_end(at);
		while (is_name(*at) && is_name(*end))
			end++;
		if (is_name(*at) && is_alone(condition, at))
			value = value_of(p, at, (size_t)(end - at));
		any |= value != NULL;
		if (value)
			value_write(&o, value);
		else
			buf_bytes(&o, at, (size_t)(end - at));
	}
	buf_char(&o, '\0');
	if (any && !o.error)
		return o.data;
	buf_free(&o);
	return NULL;
}
