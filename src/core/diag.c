// SPDX-License-Identifier: GPL-2.0
/*
 * diag.c - messages on stderr, each one a line and one write(2).
 *
 * Only stderr and three settings of the process live here. A message passes through the escaper
 * as a whole, so that no name in it can drive the terminal or pass for a second message. It must
 * not know who speaks.
 */
#include "core/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/out.h"
#include "core/text.h"

#define CARET_INDENT "    "

static const char *speaker = "coretap";
static int verbosity;
static bool is_quiet;

void diag_name(const char *name)
{
	speaker = name;
}

void diag_verbose(int level)
{
	verbosity = level;
}

int diag_level(void)
{
	return verbosity;
}

void diag_quiet(bool quiet)
{
	is_quiet = quiet;
}

/* stderr may be a full disk or closed: there is nobody left to tell. */
static void line_send(struct out *o)
{
	out_char(o, '\n');
	out_flush(o);
	out_free(o);
}

/* `kind` stands before the message: "error: ". The last newline of a library's text is dropped. */
static void say(bool named, const char *kind, const char *fmt, va_list args)
{
	struct out o;
	char *text;
	size_t len;

	if (vasprintf(&text, fmt, args) < 0)
		return;
	len = strlen(text);
	if (len && text[len - 1] == '\n')
		len--;
	out_init(&o, STDERR_FILENO);
	if (named) {
		text_put(&o, speaker, strlen(speaker));
		out_str(&o, ": ");
	}
	out_str(&o, kind);
	text_put(&o, text, len);
	line_send(&o);
	free(text);
}

void diag_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(true, "", fmt, args);
	va_end(args);
}

void diag_warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(true, "warning: ", fmt, args);
	va_end(args);
}

void diag_hint(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	say(false, "  ", fmt, args);
	va_end(args);
}

void diag_note(const char *fmt, ...)
{
	va_list args;

	if (is_quiet)
		return;
	va_start(args, fmt);
	say(true, "", fmt, args);
	va_end(args);
}

void diag_debug(int level, const char *fmt, ...)
{
	va_list args;

	if (verbosity < level)
		return;
	va_start(args, fmt);
	say(true, "", fmt, args);
	va_end(args);
}

/* Escapes are wider than what they stand for: the caret goes by what was printed. */
void diag_caret(const char *source, size_t start, size_t end)
{
	size_t len = strlen(source), before, marked;
	struct out o;

	end = end < len ? end : len;
	start = start < end ? start : end;
	out_init(&o, STDERR_FILENO);
	out_str(&o, CARET_INDENT);
	before = text_put(&o, source, start);
	marked = text_put(&o, source + start, end - start);
	text_put(&o, source + end, len - end);
	out_str(&o, "\n" CARET_INDENT);
	out_repeat(&o, ' ', before);
	out_char(&o, '^');
	if (marked > 1)
		out_repeat(&o, '~', marked - 1);
	line_send(&o);
}
