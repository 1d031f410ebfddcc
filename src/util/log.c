/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log.c - messages on stderr, each one line and one write(2).
 *
 * Its only state is stderr, three settings of the process and the line of log_busy. Each message passes through the
 * escaper as a whole, so that no name in it can control the terminal or look like a second message. What libraries
 * print (argp, getopt, assert) is treated the same: stdio's stderr ends here. This file does not know which applet is
 * running.
 */
#include "util/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/buf.h"
#include "util/clock.h"
#include "util/escape.h"
#include "util/log_text.h"
#include "util/terminal.h"

static const char *speaker = "coretap", *before_speaker = "", *file;
static int verbosity;
static bool (*option_has)(const char *name, size_t len);
static bool is_quiet;

void log_name(const char *name)
{
	speaker = name;
}

void log_name_after_coretap(const char *word)
{
	before_speaker = "coretap ";
	file = strchr(word, '/') ? word : NULL;
}

void log_name_typed(struct buf *o, const char *name)
{
	name = file ?: name;
	escape_write_shell(o, name, strlen(name));
}

const char *log_name_before(void)
{
	return before_speaker;
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

/* ---- progress of slow work ---- */

#define BUSY_NS	      1000000000ull /* time before the first line of progress */
#define BUSY_EVERY_NS 100000000ull  /* time between its updates */
enum { BUSY_MANY = 100 };	    /* from this many functions on, work is expected to be slow */

static struct {
	/* when the line may next be written, in CLOCK_MONOTONIC ns; 0: no work in progress */
	uint64_t next;
	char shown[72]; /* the line now on the terminal; "": none */
} busy;

bool log_is_watched(void)
{
	return !is_quiet && isatty(STDERR_FILENO);
}

static void busy_write(const char *text)
{
	char line[160];
	int width = strlen(text), before = strlen(busy.shown);
	int len = snprintf(line, sizeof(line), "\r%s%*s%s", text,
			   before > width ? before - width : 0, "", width ? "" : "\r");

	if (strcmp(text, busy.shown) && write(STDERR_FILENO, line, len) == len)
		strcpy(busy.shown, text);
}

static void busy_clear(void)
{
	if (busy.shown[0])
		busy_write("");
}

void log_busy_begin(void)
{
	busy.next = log_is_watched() ? now_ns() + BUSY_NS : 0;
}

void log_busy(const char *doing, size_t done, size_t total)
{
	char text[sizeof(busy.shown)], count[24] = "", of[24] = "";

	if (!busy.next || (now_ns() < busy.next && (done || total < BUSY_MANY)))
		return;
	busy.next = now_ns() + BUSY_EVERY_NS;
	if (done)
		snprintf(count, sizeof(count), " %zu", done);
	if (total)
		snprintf(of, sizeof(of), " %zu", total);
	snprintf(text, sizeof(text), "%s: %s%s function%s...%s", speaker, doing, of,
		 total == 1 ? "" : "s", count);
	busy_write(text);
}

void log_busy_end(void)
{
	busy_clear();
	busy.next = 0;
}

/* ---- messages ---- */

/* If stderr is closed or on a full disk, nobody can be informed. */
static void line_send(struct buf *o)
{
	busy_clear();
	buf_char(o, '\n');
	buf_flush(o);
	buf_free(o);
}

/* Prints a message with `kind` before it: "warning: ". What precedes the message has the style. Keeps errno, for which
 * callers ask again. */
static void print_line(bool named, enum style style, const char *kind, const char *fmt,
		       va_list args)
{
	int err = errno;
	struct buf o;
	char *text;

	if (vasprintf(&text, fmt, args) < 0)
		return;
	buf_init(&o, STDERR_FILENO);
	o.is_colored = style != STYLE_NONE && terminal_has_colors(STDERR_FILENO);
	style_begin(&o, style);
	if (named) {
		escape_write(&o, speaker, strlen(speaker));
		buf_str(&o, ": ");
	}
	escape_write(&o, kind, strlen(kind));
	style_end(&o, style);
	escape_write(&o, text, strlen(text));
	line_send(&o);
	free(text);
	errno = err;
}

__attribute__((format(printf, 3, 4))) static void sayf(bool named, const char *kind,
						       const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_line(named, STYLE_NONE, kind, fmt, args);
	va_end(args);
}

/* The text that errors are about. text NULL: errors are printed without a place, or name it themselves. */
static struct {
	const char *text;
	size_t start, end;
} place;

static struct {
	const char *text, *name;
	size_t begin;
	unsigned line;
} source;

/* Returns "FILE:LINE: ", to be freed by the caller; NULL if the text is in no file. */
static char *place_name(void)
{
	unsigned line = source.line;
	char *name;
	int len;

	if (!place.text || place.text != source.text)
		return NULL;
	for (size_t i = source.begin; i < place.start; i++)
		line += place.text[i] == '\n';
	if (place.start < source.begin)
		len = asprintf(&name, "%s: ", source.name);
	else
		len = asprintf(&name, "%s:%u: ", source.name, line);
	return len < 0 ? NULL : name;
}

static enum log_sparing sparing;

void log_spare(enum log_sparing how)
{
	sparing = how;
}

void log_error(const char *fmt, ...)
{
	char *name = sparing ? NULL : place_name();
	va_list args;

	if (sparing == LOG_SPARES_SILENTLY)
		return;
	va_start(args, fmt);
	if (sparing)
		print_line(true, STYLE_WARNING, "warning: skipping a probe: ", fmt, args);
	else
		print_line(true, STYLE_ERROR, name ?: "", fmt, args);
	va_end(args);
	free(name);
	if (sparing)
		return;
	if (place.text)
		log_caret_line(place.text, place.start, place.end);
}

void log_source(const char *text, const char *name, size_t begin, unsigned line)
{
	source.text = text;
	source.name = name;
	source.begin = begin;
	source.line = line;
}

void log_place(const char *text, size_t start, size_t end)
{
	place.text = text;
	place.start = start;
	place.end = end;
}

void log_warn(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print_line(true, STYLE_WARNING, "warning: ", fmt, args);
	va_end(args);
}

/* ---- hints ---- */

void log_options(bool (*has)(const char *name, size_t len))
{
	option_has = has;
}

void log_hint(const char *fmt, ...)
{
	va_list args;
	char *text;
	int len;

	if (sparing == LOG_SPARES_SILENTLY)
		return;
	va_start(args, fmt);
	len = vasprintf(&text, fmt, args);
	va_end(args);
	if (len < 0)
		return;
	hint_fit(text, option_has);
	if (*text)
		sayf(false, "  ", "%s", text);
	free(text);
}

void log_hint_help(void)
{
	struct buf word;

	buf_init(&word, -1);
	log_name_typed(&word, speaker);
	buf_char(&word, 0);
	log_hint("see %s%s --help", before_speaker, word.error ? speaker : word.data);
	buf_free(&word);
}

/* ---- notes ---- */

void log_note(const char *fmt, ...)
{
	va_list args;

	if (is_quiet)
		return;
	va_start(args, fmt);
	print_line(true, STYLE_NONE, "", fmt, args);
	va_end(args);
}

void log_command(const char *words)
{
	struct buf o;

	if (is_quiet)
		return;
	buf_init(&o, STDERR_FILENO);
	escape_write(&o, speaker, strlen(speaker));
	buf_str(&o, ": ");
	buf_str(&o, words);
	line_send(&o);
}

void log_debug(int level, const char *fmt, ...)
{
	va_list args;

	if (verbosity < level)
		return;
	va_start(args, fmt);
	print_line(true, STYLE_NONE, "", fmt, args);
	va_end(args);
}

void log_program(const char *text)
{
	size_t len = strlen(text);
	struct buf o;

	if (!verbosity)
		return;
	buf_init(&o, STDERR_FILENO);
	escape_write_lines(&o, text, len && text[len - 1] == '\n' ? len - 1 : len);
	line_send(&o);
}

void log_debug_lines(int level, char *text)
{
	char *line;

	while ((line = strsep(&text, "\n")))
		if (*line)
			log_debug(level, "%s", line);
}

/* ---- what libraries print ---- */

static struct buf library_line; /* what a library has printed so far of a line */

/* The stream has no buffer, so each call is one part of a line. Only the last part ends with a newline; newlines
 * inside a part belong to the text and are escaped. */
static ssize_t library_write(void *unused, const char *text, size_t len)
{
	bool ends = len && text[len - 1] == '\n';

	(void)unused;
	if (!library_line.capacity)
		buf_init(&library_line, STDERR_FILENO);
	escape_write(&library_line, text, len - ends);
	if (ends)
		line_send(&library_line);
	return len;
}

void log_libraries(void)
{
	FILE *stream = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = library_write });

	if (!stream)
		return;
	setvbuf(stream, NULL, _IONBF, 0);
	stderr = stream;
}

/* ---- carets ---- */

static void caret_print(const char *source, size_t start, size_t end)
{
	struct buf o;

	buf_init(&o, STDERR_FILENO);
	caret_append(&o, source, start, end);
	line_send(&o);
}

void log_caret(const char *source, size_t start, size_t end)
{
	if (!place.text)
		caret_print(source, start, end);
}

void log_caret_line(const char *text, size_t start, size_t end)
{
	const char *line = text, *stop;
	char *copy;

	for (const char *at = text; at < text + start; at++)
		if (*at == '\n')
			line = at + 1;
	stop = line + strcspn(line, "\n");
	copy = strndup(line, stop - line);
	for (char *c = copy; c && *c; c++)
		*c = *c == '\t' ? ' ' : *c;
	if (copy)
		caret_print(copy, text + start - line,
			    text + end < stop ? text + end - line : stop - line);
	free(copy);
}
