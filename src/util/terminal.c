/* SPDX-License-Identifier: GPL-2.0-only */
/* terminal.c - asks for a terminal's width and colors, and writes styles (ECMA-48, SGR). */
#include "util/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int terminal_color_when = COLOR_AUTO;

bool terminal_has_colors(int fd)
{
	const char *plain = getenv("NO_COLOR"), *name = getenv("TERM");

	if (terminal_color_when != COLOR_AUTO)
		return terminal_color_when == COLOR_ALWAYS;
	return isatty(fd) && !(plain && *plain) && name && *name && strcmp(name, "dumb") != 0;
}

unsigned terminal_columns(int fd)
{
	const char *given = isatty(fd) ? getenv("COLUMNS") : NULL;
	unsigned columns = given ? strtoul(given, NULL, 10) : 0;
	struct winsize size;

	if (columns && columns <= UINT16_MAX)
		return columns;
	return ioctl(fd, TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

void terminal_find(struct buf *o)
{
	o->per_line = isatty(o->fd);
	o->columns = terminal_columns(o->fd);
	o->is_colored = terminal_has_colors(o->fd);
}

bool terminal_resized(struct buf *o)
{
	unsigned now = o->columns ? terminal_columns(o->fd) : 0;

	if (!now || now == o->columns)
		return false;
	o->columns = now;
	return true;
}

void style_begin(struct buf *o, enum style style)
{
	static const char *const codes[] = {
		[STYLE_TITLE] = "\033[1m",
		[STYLE_TASK] = "\033[36m",
		[STYLE_ERROR] = "\033[31m",
		[STYLE_WARNING] = "\033[33m",
	};

	if (o->is_colored && style != STYLE_NONE)
		buf_str(o, codes[style]);
}

void style_end(struct buf *o, enum style style)
{
	if (o->is_colored && style != STYLE_NONE)
		buf_str(o, "\033[0m");
}

void style_text(struct buf *o, enum style style, const char *text)
{
	style_begin(o, style);
	buf_str(o, text);
	style_end(o, style);
}

void style_title(struct buf *o, const char *text, const char *rest)
{
	style_text(o, STYLE_TITLE, text);
	buf_str(o, rest);
}
