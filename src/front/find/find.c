/* SPDX-License-Identifier: GPL-2.0-only */
/* find.c - prints the tools that a query finds, each with a line to paste. */
#include "front/find/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/complete.h"
#include "cli/help.h"
#include "front/find/rank.h"
#include "front/recipe/recipe.h"
#include "util/escape.h"
#include "util/log.h"
#include "util/suggest.h"
#include "util/terminal.h"
#include "util/unpack.h"

/* docs/tutorial.md, packed by tools/pack-recipes */
extern const unsigned char tutorial_packed[];
extern const size_t tutorial_packed_size, tutorial_size;

enum { SHOWN = 8, COLUMN = 15, INDENT = 6 };

struct find {
	bool all, json, help;
	struct query query;
};

/* ---- rows ---- */

/* Prints the command, and what it shows as a comment after it, or below it if there is no room. */
static void command_print(struct buf *o, const struct answer *line)
{
	struct paragraph p = { o, INDENT, INDENT, false };
	size_t begin = o->len;

	buf_printf(o, "  coretap %s", line->line);
	if (o->len - begin + strlen(line->shows) + strlen("  # ") <= HELP_WIDTH) {
		buf_printf(o, "  # %s\n", line->shows);
		return;
	}
	buf_printf(o, "\n%*s", INDENT, "");
	paragraph_words(&p, line->shows, strlen(line->shows));
	buf_char(o, '\n');
}

static void row_print(struct buf *o, const struct applet *a, const struct answer *line)
{
	int blanks = COLUMN - (int)strlen(a->name);

	style_text(o, STYLE_TITLE, a->name);
	buf_printf(o, "%*s %s\n", blanks > 0 ? blanks : 0, "", a->summary);
	command_print(o, line);
}

static void row_json(struct buf *o, const struct applet *a, const struct answer *line)
{
	struct buf command;

	buf_init(&command, -1);
	buf_printf(&command, "coretap %s", line->line);
	buf_char(&command, 0);
	buf_str(o, "{\"type\":\"tool\"");
	escape_write_json_pair(o, "name", a->name);
	escape_write_json_pair(o, "summary", a->summary);
	escape_write_json_pair(o, "command", command.error ? NULL : command.data);
	escape_write_json_pair(o, "shows", line->shows);
	buf_str(o, "}\n");
	buf_free(&command);
}

static void hits_print(struct buf *o, const struct find *f, const struct hits *hits, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct applet *a = hit_applet(&hits->rows[i]);
		struct answer line;

		if (!a)
			continue;
		line = hit_line(&hits->rows[i], a, &f->query);
		(f->json ? row_json : row_print)(o, a, &line);
	}
}

/* ---- the command ---- */

static const char help[] =
	"Usage: coretap find [-a] [-j] WORD...    (or search, apropos)\n\n"
	"Finds tools by what they show and by common names for it; best first, each with a line to paste.\n"
	"Several words find tools that match all of them. Sentences are allowed: coretap find who deletes my files\n\n"
	"  -a, --all   all tools that match, not only the best\n"
	"  -j, --json  the same as JSON, one object per line\n";

static int wrong(const char *what)
{
	log_error("%s", what);
	log_hint("usage: coretap find [-a] [-j] WORD...; as in: coretap find slow disk");
	return EXIT_USAGE;
}

static bool is_option(const char *word, const char *letter, const char *name)
{
	return !strcmp(word, letter) || !strcmp(word, name);
}

/* Reads an option. Returns false if it is a word. */
static bool option_read(struct find *f, const char *word)
{
	if (is_option(word, "-a", "--all"))
		f->all = true;
	else if (is_option(word, "-j", "--json"))
		f->all = f->json = true;
	else if (is_option(word, "-h", "--help"))
		f->help = true;
	else
		return false;
	return true;
}

static int words_read(struct find *f, int argc, char **argv)
{
	struct buf text;
	bool has_options = true;
	const char *unknown = NULL;

	buf_init(&text, -1);
	for (int i = 1; i < argc; i++) {
		if (has_options && !strcmp(argv[i], "--"))
			has_options = false;
		else if (!has_options || *argv[i] != '-')
			buf_printf(&text, "%s ", argv[i]);
		else if (!option_read(f, argv[i]))
			unknown = argv[i];
	}
	buf_char(&text, 0);
	query_of(&f->query, text.error ? "" : text.data);
	buf_free(&text);
	if (unknown)
		return wrong("the only options of find are -a and -j");
	return f->query.count || f->help ? EXIT_FINE : wrong("missing words");
}

struct spelling {
	struct suggestion near;
	char phrase[WORD_SIZE];
};

static void spelling_offer(const char *phrase, const struct table_row *row, void *ctx)
{
	struct spelling *s = ctx;

	(void)row;
	suggest_offer(&s->near, phrase);
	if (s->near.best == phrase) {
		snprintf(s->phrase, sizeof(s->phrase), "%s", phrase);
		s->near.best = s->phrase;
	}
}

static int none_found(const struct query *q)
{
	const char *word = q->words[0].raw;
	struct spelling s;

	log_error("no tool matches %s", q->count == 1 ? "this word" : "any of these words");
	suggest_init(&s.near, word);
	table_phrases(spelling_offer, &s);
	if (suggest_get(&s.near))
		log_hint("did you mean %s?", suggest_get(&s.near));
	log_hint(
		"coretap argdump -l '*%s*' lists functions of the kernel, 't:*:*%s*' its tracepoints",
		word, word);
	return EXIT_USAGE;
}

static void rest_report(const struct find *f, const struct hits *hits, size_t best, size_t shown)
{
	if (hits->rows[0].found < f->query.count)
		log_note("no tool matches all of these words: these match %u of %zu",
			 hits->rows[0].found, f->query.count);
	if (shown < best)
		log_note("%zu more match %s: print them with -a, or add words", best - shown,
			 f->query.count == 1 ? "this word" : "these words");
}

int find_main(struct buf *o, int argc, char **argv)
{
	struct find f = { 0 };
	struct hits hits;
	int code = words_read(&f, argc, argv);

	if (code || f.help) {
		buf_str(o, f.help ? help : "");
		return code;
	}
	if (hits_rank(&hits, &f.query)) {
		hits_free(&hits);
		log_error("out of memory");
		return EXIT_FAILED;
	}
	if (hits.count) {
		size_t best = hits_best(&hits), shown = best > SHOWN && !f.all ? SHOWN : best;

		hits_print(o, &f, &hits, shown);
		buf_flush(o); /* notes must follow the rows */
		rest_report(&f, &hits, best, shown);
	} else {
		code = none_found(&f.query);
	}
	hits_free(&hits);
	return code;
}

/* ---- examples ---- */

static void example_print(struct buf *o, const struct applet *a)
{
	const struct example *e = a->examples;

	if (e && e->command)
		command_print(o, &(struct answer){ e->command, strcmp(e->command, a->name) ?
								       e->what :
								       a->summary });
}

void find_examples(struct buf *o)
{
	for (const struct applet *const *a = applets; *a; a++)
		example_print(o, *a);
	for (const char *const *name = recipe_names(); *name; name++) {
		const struct applet *a = recipe_named(*name);

		if (a)
			example_print(o, a);
	}
	buf_flush(o);
	log_note("coretap examples TOOL shows all of a tool");
}

/* ---- the tutorial ---- */

int find_tutorial(struct buf *o)
{
	char *text = unpack_embedded(tutorial_packed, tutorial_packed_size, tutorial_size);

	if (!text) {
		log_error("out of memory");
		return EXIT_FAILED;
	}
	buf_str(o, text);
	free(text);
	return EXIT_FINE;
}

/* ---- completion ---- */

static void phrase_offer(const char *phrase, const struct table_row *row, void *ctx)
{
	if (!strchr(phrase, ' '))
		completion_word(ctx, phrase, row->answers[0].line);
}

void find_complete(struct completion *c)
{
	table_phrases(phrase_offer, c);
}
