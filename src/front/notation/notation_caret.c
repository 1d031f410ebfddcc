/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_caret.c - where in the text of a one-liner an error is.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "front/notation/notation.h"
#include "probe/argdump.h"
#include "util/log.h"

enum { SOURCES_MAX = 32 };
static const struct notation *sources[SOURCES_MAX]; /* of the run */
static size_t source_count;

/* The line of the text that the place is in, with a caret below it. */
static void caret(const char *text, size_t start, size_t end)
{
	const char *line = text, *stop;
	char *copy;

	for (const char *at = text; at < text + start; at++)
		if (*at == '\n')
			line = at + 1;
	stop = line + strcspn(line, "\n");
	copy = strndup(line, stop - line);
	if (copy)
		log_caret(copy, text + start - line,
			  text + end < stop ? text + end - line : stop - line);
	free(copy);
}

int notation_tell(const struct notation *n)
{
	log_error("%s", n->error.message);
	caret(n->text, n->error.start, n->error.end);
	if (n->error.hint[0])
		log_hint("%s", n->error.hint);
	return -EINVAL;
}

/* The shortest expression that the words are in. */
static const struct notation_mark *mark_find(const struct notation *n, const char *words,
					     size_t len)
{
	const struct notation_mark *best = NULL;

	for (size_t i = 0; i < n->mark_count; i++) {
		const struct notation_mark *mark = &n->marks[i];

		if (memmem(mark->text, strlen(mark->text), words, len) &&
		    (!best || strlen(mark->text) < strlen(best->text)))
			best = mark;
	}
	return best;
}

static bool notation_caret(const char *text, size_t start, size_t end)
{
	for (size_t i = 0; i < source_count && end > start; i++) {
		const struct notation_mark *mark = mark_find(sources[i], text + start, end - start);

		if (!mark)
			continue;
		caret(sources[i]->text, mark->start, mark->end);
		return true;
	}
	return false;
}

void notation_caret_source(const struct notation *n)
{
	probe_caret = notation_caret;
	if (source_count < SOURCES_MAX)
		sources[source_count++] = n;
}
