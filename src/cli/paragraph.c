/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paragraph.c - wraps words into lines.
 */
#include "cli/help.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEM_INDENT = 15 }; /* indentation of continued list items */

int paragraph_column(struct buf *o, size_t line, int column)
{
	int is = o->len - line, to = is + 2 > column ? is + 2 : column;

	buf_repeat(o, ' ', to - is);
	return to;
}

bool paragraph_has_room(const struct paragraph *p, size_t len)
{
	return !p->is_begun || p->column + 1 + len <= HELP_WIDTH - 1;
}

void paragraph_words(struct paragraph *p, const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		int len = strcspn(text, " ");

		if (len > end - text)
			len = end - text;
		if (!paragraph_has_room(p, len)) {
			buf_printf(p->o, "\n%*s", p->indent, "");
			p->column = p->indent;
			p->is_begun = false;
		}
		buf_printf(p->o, "%s%.*s", p->is_begun ? " " : "", len, text);
		p->column += len + p->is_begun;
		p->is_begun = true;
		text += len + (text + len < end);
	}
}

void paragraph_format(struct paragraph *p, const char *format, ...)
{
	char *text;
	va_list args;
	int len;

	va_start(args, format);
	len = vasprintf(&text, format, args);
	va_end(args);
	if (len < 0) {
		buf_fail(p->o, -ENOMEM);
		return;
	}
	paragraph_words(p, text, len);
	free(text);
}

/* Prints a line of a description: a list item unchanged, other text wrapped. */
static void add_line(struct buf *o, const char *line, size_t size)
{
	bool is_item = size > 2 && !strncmp(line, "  ", 2);
	struct paragraph p = { .o = o, .indent = is_item ? ITEM_INDENT : 0 };

	if (is_item && size < HELP_WIDTH)
		buf_bytes(o, line, size);
	else
		paragraph_words(&p, line, size);
	buf_char(o, '\n');
}

void paragraph_lines(struct buf *o, const char *text, size_t size)
{
	const char *end = text + size;

	while (text < end) {
		const char *stop = memchr(text, '\n', end - text) ?: end;

		add_line(o, text, stop - text);
		text = stop + 1;
	}
}

int paragraph_count(const struct buf *o)
{
	int count = 0;

	for (size_t i = 0; i < o->len; i++)
		count += o->data[i] == '\n';
	return count;
}
