/* SPDX-License-Identifier: GPL-2.0-only */
/* notation_run.c - runs argdump with the words that a one-liner became, and points errors at its text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "front/notation/notation.h"
#include "probe/argdump.h"
#include "run/session.h"
#include "util/clock.h"
#include "util/escape.h"
#include "util/log.h"

/* ---- where in the text of a one-liner an error is ---- */

enum { SOURCES_MAX = 32 };
static const struct notation *sources[SOURCES_MAX]; /* of the run */
static size_t source_count;

/* Prints the mistake, with a caret below the user's text; -EINVAL. */
static int notation_report(const struct notation *n)
{
	log_error("%s", n->error.message);
	log_caret_line(n->text, n->error.start, n->error.end);
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
		log_caret_line(sources[i]->text, mark->start, mark->end);
		return true;
	}
	return false;
}

/* The run has words of that one-liner, which must stay. */
static void notation_caret_source(const struct notation *n)
{
	probe_caret = notation_caret;
	if (source_count < SOURCES_MAX)
		sources[source_count++] = n;
}

/* ---- the run ---- */

const char notation_blind_spots[] =
	"Those of argdump(8). What a program asks for and argdump cannot do is refused, with the reason.";

void notation_run_word(struct notation_run *r, const char *word)
{
	if (!r->count)
		r->words[r->count++] = "argdump";
	if (r->count <= NOTATION_WORDS_MAX)
		r->words[r->count++] = (char *)word;
}

int notation_run_add(struct notation_run *r, const struct notation *n)
{
	if (n->failed)
		return notation_report(n);
	if (r->count + n->count > NOTATION_WORDS_MAX) {
		log_error("there are too many words");
		return -EINVAL;
	}
	notation_caret_source(n);
	for (size_t i = 0; i < n->note_count; i++)
		log_note("%s", n->notes[i]);
	for (size_t i = 0; i < n->count; i++)
		notation_run_word(r, n->words[i]);
	return 0;
}

int notation_absent_report(const struct notation_absent *list)
{
	for (; list->option; list++) {
		if (!list->is_given)
			continue;
		if (!list->is_harmless) {
			log_error("%s is not there", list->option);
			log_hint("%s", list->hint);
			return -EINVAL;
		}
		log_note("%s is not needed: %s", list->option, list->hint);
	}
	return 0;
}

static void words_report(const struct notation_run *r)
{
	struct buf o;

	buf_init(&o, -1);
	for (size_t i = 0; i < r->count; i++) {
		buf_str(&o, i ? " " : "");
		escape_write_shell(&o, r->words[i], strlen(r->words[i]));
	}
	buf_char(&o, 0);
	log_command(o.data ?: "");
	buf_free(&o);
}

/* In JSON each record has its times. */
static void times_drop(struct notation_run *r)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->count; i++)
		if (strncmp(r->words[i], "-T", 2))
			r->words[kept++] = r->words[i];
	r->count = kept;
}

int notation_run(struct session *s, struct notation_run *r)
{
	const struct applet *argdump = applet_find("argdump");
	char **args;
	int count;

	if (s->options.json)
		times_drop(r);
	words_report(r);
	options_default(argdump, r->count, r->words, &s->options, &args, &count);
	return argdump->args_set(s, count, args);
}
