/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unknown.c - suggestions for an unknown name of a tool: words of the table, the prefix of a tool's name, a
 * misspelling; in this order.
 */
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "front/find/find.h"
#include "front/find/rank.h"
#include "front/recipe/recipe.h"
#include "util/buf.h"
#include "util/log.h"
#include "util/suggest.h"

enum { NAMED = 3, BEGIN_LEAST = 3 };

/* ---- words of the table ---- */

static void row_hint(const struct table_row *row)
{
	for (size_t i = 0; i < row->count && i < NAMED; i++) {
		const struct answer *a = &row->answers[i];
		const struct hit h = { .name = (char *)a->line };
		const struct applet *tool = a->shows ? NULL : hit_applet(&h);

		log_hint("coretap %s  # %s", a->line, a->shows ?: tool ? tool->summary : "");
	}
}

static const struct table_row *row_find(const char *name)
{
	struct query q;
	size_t count;
	const struct table_row *rows = table_rows(&count);

	query_of(&q, name);
	for (size_t i = 0; q.count && i < count; i++)
		if (table_is(&rows[i], &q))
			return &rows[i];
	return NULL;
}

/* In `coretap memory leak` both words are meant. */
static const struct table_row *row_of_words(int argc, char **argv)
{
	const struct table_row *row;
	struct buf words;

	buf_init(&words, -1);
	for (int i = 0; i < argc && *argv[i] != '-'; i++)
		buf_printf(&words, "%s ", argv[i]);
	buf_char(&words, 0);
	row = words.error ? NULL : row_find(words.data);
	buf_free(&words);
	return row;
}

/* deletesnoop means the word delete, in the style of tools' names. */
static const struct table_row *row_of_tool(const char *name)
{
	static const char *const ends[] = { "snoop", "slower", "top",  "stat",	"dist", "latency",
					    "lat",   "trace",  "time", "count", "life", "tracer" };
	size_t len = strlen(name);
	char word[64];

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]) && len < sizeof(word); i++) {
		size_t n = strlen(ends[i]);

		if (len < n + BEGIN_LEAST || strcmp(name + len - n, ends[i]))
			continue;
		memcpy(word, name, len - n);
		word[len - n] = 0;
		return row_find(word);
	}
	return NULL;
}

/* ---- names ---- */

/* A prefix of a name means the name, however long the rest is. At most three are listed. */
static size_t beginnings_find(const char *begin, struct buf *found)
{
	size_t count = 0;

	for (const struct applet *const *a = applets; *a; a++)
		if (!strncmp((*a)->name, begin, strlen(begin)) && count++ < NAMED)
			buf_printf(found, "%s%s", found->len ? ", " : "", (*a)->name);
	for (const char *const *recipe = recipe_names(); *recipe; recipe++)
		if (!strncmp(*recipe, begin, strlen(begin)) && count++ < NAMED)
			buf_printf(found, "%s%s", found->len ? ", " : "", *recipe);
	buf_char(found, 0);
	return count;
}

struct nearest {
	struct suggestion name;
	const struct table_row *row;
};

static void phrase_offer(const char *phrase, const struct table_row *row, void *ctx)
{
	struct nearest *near = ctx;

	suggest_offer(&near->name, phrase);
	if (near->name.best == phrase) {
		near->name.best = row->phrases; /* valid until the end */
		near->row = row;
	}
}

/* Returns a tool's name or, if it is nearer, a row of the table. */
static struct nearest nearest_find(const char *name)
{
	struct nearest near = { 0 };

	suggest_init(&near.name, name);
	for (const struct applet *const *a = applets; *a; a++)
		suggest_offer(&near.name, (*a)->name);
	for (const char *const *recipe = recipe_names(); *recipe; recipe++)
		suggest_offer(&near.name, *recipe);
	table_phrases(phrase_offer, &near);
	return near;
}

/* ---- the hint ---- */

static bool beginning_hint(const char *name)
{
	struct buf begun;
	size_t count;

	buf_init(&begun, -1);
	count = strlen(name) >= BEGIN_LEAST ? beginnings_find(name, &begun) : 0;
	if (count && !begun.error)
		log_hint("did you mean %s%s? coretap find %s lists them", begun.data,
			 count > NAMED ? " …" : "", name);
	buf_free(&begun);
	return count;
}

static void words_hint(const char *name)
{
	struct query q;
	struct hits hits;
	size_t shown = 0;

	query_of(&q, name);
	if (q.count && !hits_rank(&hits, &q) && hits.count && hits.rows[0].found == q.count) {
		shown = hits_best(&hits);
		log_hint("%zu tool%s this word: coretap find %s", shown,
			 shown == 1 ? " has" : "s have", name);
	} else {
		log_hint("coretap find WORDS searches the tools, coretap --list prints all");
	}
	hits_free(&hits);
}

int find_unknown(int argc, char **argv)
{
	const char *name = argv[0];
	const struct table_row *row;
	struct nearest near;

	log_error("unknown tool '%s'", name);
	row = row_of_words(argc, argv) ?: row_find(name) ?: row_of_tool(name);
	if (!row && beginning_hint(name))
		return EXIT_USAGE;
	near = row ? (struct nearest){ .row = row } : nearest_find(name);
	if (near.row)
		row_hint(near.row);
	else if (suggest_get(&near.name))
		log_hint("did you mean %s? coretap find WORDS searches all tools",
			 suggest_get(&near.name));
	else
		words_hint(name);
	return EXIT_USAGE;
}
