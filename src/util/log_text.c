/* SPDX-License-Identifier: GPL-2.0-only */
/* log_text.c - texts of messages (log_text.h). */
#include "util/log_text.h"

#include <ctype.h>
#include <string.h>

#include "util/escape.h"

#define CARET_INDENT "    "

/* ---- hints ---- */

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '-';
}

/* True if the name of a tool comes before `at`: options after it belong to that tool. */
static bool is_after_tool(const char *text, const char *at)
{
	static const char *const tools[] = { "argdump", "coretap", "doctor", "objcopy",
					     "systemd-run" };

	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]); i++) {
		size_t len = strlen(tools[i]);

		for (const char *word = text; word + len < at; word++)
			if ((word == text || !is_name(word[-1])) && word[len] == ' ' &&
			    !strncmp(word, tools[i], len))
				return true;
	}
	return false;
}

/* True if the user can follow the part [text, end) of a hint: it names only options of this tool. */
static bool part_fits(const char *text, const char *end, hint_option_has *has)
{
	for (const char *at = text; has && at + 2 < end; at++) {
		size_t len = 0;

		if (at[0] != '-' || at[1] != '-' || (at > text && is_name(at[-1])))
			continue;
		while (at + 2 + len < end && is_name(at[2 + len]))
			len++;
		if (len && !has(at + 2, len) && !is_after_tool(text, at))
			return false;
		at += len + 1;
	}
	return true;
}

void hint_fit(char *text, hint_option_has *has)
{
	char *to = text, *next;

	for (char *part = text; part; part = next) {
		char *semicolon = strstr(part, "; "), *end = semicolon ?: part + strlen(part);

		next = semicolon ? semicolon + 2 : NULL;
		if (!part_fits(part, end, has))
			continue;
		if (to > text) {
			memcpy(to, "; ", 2);
			to += 2;
		}
		memmove(to, part, end - part);
		to += end - part;
	}
	*to = '\0';
}

/* ---- carets ---- */

/* An escape is wider than the byte it replaces: the caret's column counts the printed width. */
void caret_append(struct buf *o, const char *source, size_t start, size_t end)
{
	size_t len = strlen(source), before, marked;

	end = end < len ? end : len;
	start = start < end ? start : end;
	buf_str(o, CARET_INDENT);
	before = escape_write(o, source, start);
	marked = escape_write(o, source + start, end - start);
	escape_write(o, source + end, len - end);
	buf_str(o, "\n" CARET_INDENT);
	buf_repeat(o, ' ', before);
	buf_char(o, '^');
	if (marked > 1)
		buf_repeat(o, '~', marked - 1);
}
