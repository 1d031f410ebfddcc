/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log.c - messages on stderr, each one line and one write(2).
 *
 * Only stderr and three settings of the process are kept here. Each message passes through the
 * escaper as a whole, so that no name in it can control the terminal or look like a second message.
 * This file does not know which applet is running.
 */
#include "util/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/buf.h"
#include "util/escape.h"

#define CARET_INDENT "    "

static const char *speaker = "coretap";
static int verbosity;
static bool is_quiet;

void log_name(const char *name)
{
	speaker = name;
}

void log_verbose(int level)
{
	verbosity = level;
}

int log_level(void)
{
	return verbosity;
}

void log_quiet(bool quiet)
{
	is_quiet = quiet;
}

bool log_is_quiet(void)
{
	return is_quiet;
}

/* If stderr is closed or a full disk, nobody can be informed. */
static void line_send(struct buf *o)
{
	buf_char(o, '\n');
	buf_flush(o);
	buf_free(o);
}

/* `kind` precedes the message: "error: ". Drops the last newline of a library's text. */
static void say(bool named, const char *kind, const char *fmt, va_list args)
{
	struct buf o;
	char *text;
	size_t len;

	if (vasprintf(&text, fmt, args) < 0)
		return;
	len = strlen(text);
	if (len && text[len - 1] == '\n')
		len--;
	buf_init(&o, STDERR_FILENO);
	if (named) {
		escape_put(&o, speaker, strlen(speaker));
		buf_str(&o, ": ");
	}
	buf_str(&o, kind);
	escape_put(&o, text, len);
	line_send(&o);
	free(text);
}

void log_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(true, "", fmt, args);
	va_end(args);
}

void log_warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(true, "warning: ", fmt, args);
	va_end(args);
}

void log_hint(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(false, "  ", fmt, args);
	va_end(args);
}

void log_note(const char *fmt, ...)
{
	va_list args;

	if (is_quiet)
		return;
	va_start(args, fmt);
	say(true, "", fmt, args);
	va_end(args);
}

void log_debug(int level, const char *fmt, ...)
{
	va_list args;

	if (verbosity < level)
		return;
	va_start(args, fmt);
	say(true, "", fmt, args);
	va_end(args);
}

/* An escape is wider than the byte it replaces: the caret's column counts what was printed. */
void log_caret(const char *source, size_t start, size_t end)
{
	size_t len = strlen(source), before, marked;
	struct buf o;

	end = end < len ? end : len;
	start = start < end ? start : end;
	buf_init(&o, STDERR_FILENO);
	buf_str(&o, CARET_INDENT);
	before = escape_put(&o, source, start);
	marked = escape_put(&o, source + start, end - start);
	escape_put(&o, source + end, len - end);
	buf_str(&o, "\n" CARET_INDENT);
	buf_repeat(&o, ' ', before);
	buf_char(&o, '^');
	if (marked > 1)
		buf_repeat(&o, '~', marked - 1);
	line_send(&o);
}
