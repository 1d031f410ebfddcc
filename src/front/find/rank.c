/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rank.c - ranks tools by how well they answer a query: by name, texts and the table of words.
 *
 * Each word of the query scores the weight of the best place that contains it. Options that all tools have are not
 * searched: every tool would match.
 */
#include "front/find/rank.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "front/recipe/recipe.h"
#include "syscalls/syscalls.h"

/* Weight of a place that contains the whole word. A prefix scores half, as does a word of nearly the same meaning. */
enum {
	IN_CODE = 2,
	IN_TEXT = 4,
	IN_COLUMN = 6,
	IN_OPTION = 8,
	IN_EXAMPLE = 10,
	IN_THEME = 12,
	IN_SUMMARY = 16,
	IN_CALL = 24,
	IN_NAME_PART = 16,
	IN_NAME_BEGIN = 30,
	IN_TABLE = 44, /* the first answer of a row */
	IN_NAME = 46,
	TABLE_STEP = 5,	     /* subtracted for each later answer */
	NAME_PART_LEAST = 4, /* letters */
};

/* ---- places ---- */

static void word_count(struct hit *h, size_t i, unsigned weight)
{
	if (weight > h->best[i])
		h->best[i] = weight;
}

static void text_search(struct hit *h, const struct query *q, const char *text, size_t len,
			unsigned weight)
{
	const char *end = text + len;
	struct word w;

	while (query_word_next(&text, end, &w))
		for (size_t i = 0; i < q->count; i++) {
			enum match match = word_match(&q->words[i], &w);

			if (match)
				word_count(h, i, match == MATCH_SAME ? weight : weight / 2);
		}
}

static void string_search(struct hit *h, const struct query *q, const char *text, unsigned weight)
{
	if (text)
		text_search(h, q, text, strlen(text), weight);
}

static void name_search(struct hit *h, const struct query *q)
{
	size_t whole = strlen(q->squeezed);

	for (size_t i = 0; i < q->count; i++) {
		const char *raw = q->words[i].raw;
		size_t len = strlen(raw);

		if (!strcmp(h->name, raw) || !strcmp(h->name, q->squeezed))
			word_count(h, i, IN_NAME);
		else if ((len >= 3 && !strncmp(h->name, raw, len)) ||
			 (whole >= 4 && !strncmp(h->name, q->squeezed, whole)))
			word_count(h, i, IN_NAME_BEGIN);
		else if (len >= NAME_PART_LEAST && strstr(h->name, raw))
			word_count(h, i, IN_NAME_PART);
	}
}

static void examples_search(struct hit *h, const struct query *q, const struct example *e)
{
	for (; e && e->command; e++) {
		string_search(h, q, e->command, IN_EXAMPLE);
		string_search(h, q, e->what, IN_EXAMPLE);
	}
}

/* ---- tools ---- */

static struct hit *hit_add(struct hits *h, const char *name, size_t len)
{
	struct hit *rows = realloc(h->rows, (h->count + 1) * sizeof(*rows));

	if (!rows)
		return NULL;
	h->rows = rows;
	rows[h->count] = (struct hit){ .name = strndup(name, len) };
	return rows[h->count].name ? &rows[h->count++] : NULL;
}

static struct hit *hit_find(struct hits *h, const char *name, size_t len)
{
	for (size_t i = 0; i < h->count; i++)
		if (!strncmp(h->rows[i].name, name, len) && !h->rows[i].name[len])
			return &h->rows[i];
	return NULL;
}

static void applet_search(struct hits *hits, const struct applet *a)
{
	const struct query *q = &hits->query;
	struct hit *h = hit_add(hits, a->name, strlen(a->name));

	if (!h)
		return;
	name_search(h, q);
	string_search(h, q, a->summary, IN_SUMMARY);
	string_search(h, q, a->description, IN_TEXT);
	string_search(h, q, a->sees, IN_TEXT);
	for (const struct option_spec *o = a->options; o && o->name; o++) {
		string_search(h, q, o->name, IN_OPTION);
		string_search(h, q, o->help, IN_OPTION);
	}
	for (size_t i = 0; i < a->field_count; i++) {
		string_search(h, q, a->fields[i].name, IN_COLUMN);
		string_search(h, q, a->fields[i].help, IN_COLUMN);
	}
	examples_search(h, q, a->examples);
}

/* Returns the weight of a recipe's line, by its first word. Lines that begin with blanks continue the previous one. */
static unsigned line_weight(const char *line, unsigned before)
{
	static const struct {
		const char *word;
		unsigned weight;
	} kinds[] = {
		{ "theme ", IN_THEME },	   { "option ", IN_OPTION }, { "argument ", IN_OPTION },
		{ "sees ", IN_TEXT },	   { "unseen ", 0 },	     { "example ", IN_EXAMPLE },
		{ "columns ", IN_COLUMN },
	};

	if (!strncmp(line, "  ", 2))
		return before;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (!strncmp(line, kinds[i].word, strlen(kinds[i].word)))
			return kinds[i].weight;
	return IN_CODE;
}

static void recipe_lines_search(struct hit *h, const struct query *q, const char *text)
{
	unsigned weight = IN_TEXT; /* the lines below the name are the description */

	for (const char *end; *text; text = end + (*end == '\n')) {
		end = strchrnul(text, '\n');
		weight = line_weight(text, weight);
		if (weight)
			text_search(h, q, text, end - text, weight);
	}
}

/* If several have the same name, only the first one runs. */
static void recipe_search(char *text, const char *path, void *ctx)
{
	static const char word[] = "recipe ";
	struct hits *hits = ctx;
	const char *head = !text || !strncmp(text, word, strlen(word)) ? text :
									 strstr(text, "\nrecipe ");
	const char *name = head ? head + (*head == '\n') + strlen(word) : NULL;
	const char *colon = name ? strchr(name, ':') : NULL, *end;
	struct hit *h;

	(void)path;
	if (colon && !hit_find(hits, name, colon - name) &&
	    (h = hit_add(hits, name, colon - name))) {
		end = strchrnul(colon, '\n');
		name_search(h, &hits->query);
		text_search(h, &hits->query, colon, end - colon, IN_SUMMARY);
		recipe_lines_search(h, &hits->query, end + (*end == '\n'));
	}
	free(text);
}

/* ---- the table ---- */

static void answer_count(struct hits *hits, const struct answer *a, unsigned bits, unsigned weight)
{
	struct hit *h = hit_find(hits, a->line, strcspn(a->line, " "));
	unsigned score = weight * __builtin_popcount(bits);

	if (!h)
		return;
	for (size_t i = 0; i < hits->query.count; i++)
		if (bits & 1U << i)
			word_count(h, i, weight);
	if (score > h->answer_score) {
		h->answer_score = score;
		h->answer = a;
	}
}

/* The name of a system call matches syssnoop. */
static void calls_search(struct hits *hits)
{
	for (size_t i = 0; i < hits->query.count; i++) {
		const char *name = hits->query.words[i].raw;

		if (syscall_number(0, name, strlen(name)) < 0)
			continue;
		snprintf(hits->call, sizeof(hits->call), "syssnoop -e %s", name);
		snprintf(hits->call_shows, sizeof(hits->call_shows),
			 "each %s(2), with its arguments and result", name);
		hits->call_answer = (struct answer){ hits->call, hits->call_shows };
		answer_count(hits, &hits->call_answer, 1U << i, IN_CALL);
	}
}

static void table_search(struct hits *hits)
{
	size_t count;
	const struct table_row *rows = table_rows(&count);

	for (size_t i = 0; i < count; i++) {
		unsigned bits = table_covers(&rows[i], &hits->query);

		for (size_t n = 0; bits && n < rows[i].count; n++)
			answer_count(hits, &rows[i].answers[n], bits, IN_TABLE - TABLE_STEP * n);
	}
}

/* ---- ranking ---- */

static void hits_sum(struct hits *hits)
{
	size_t count = 0;

	for (size_t i = 0; i < hits->count; i++) {
		struct hit *h = &hits->rows[i];

		for (size_t n = 0; n < hits->query.count; n++) {
			h->found += h->best[n] > 0;
			h->score += h->best[n];
		}
		if (h->found)
			hits->rows[count++] = *h;
		else
			free(h->name);
	}
	hits->count = count;
}

/* Orders by the number of words, then by score. */
static bool is_better(const struct hit *a, const struct hit *b)
{
	return a->found != b->found ? a->found > b->found : a->score > b->score;
}

/* Equal ones stay in the order of --list. */
static void hits_sort(struct hits *hits)
{
	for (size_t i = 1; i < hits->count; i++) {
		struct hit h = hits->rows[i];
		size_t at = i;

		for (; at && is_better(&h, &hits->rows[at - 1]); at--)
			hits->rows[at] = hits->rows[at - 1];
		hits->rows[at] = h;
	}
}

int hits_rank(struct hits *h, const struct query *q)
{
	size_t rows;

	*h = (struct hits){ .query = *q };
	if (!table_rows(&rows) || !rows)
		return -ENOMEM;
	query_widen(&h->query);
	for (const struct applet *const *a = applets; *a; a++)
		applet_search(h, *a);
	recipe_each(recipe_search, h);
	table_search(h);
	calls_search(h);
	hits_sum(h);
	hits_sort(h);
	return 0;
}

void hits_free(struct hits *h)
{
	for (size_t i = 0; i < h->count; i++)
		free(h->rows[i].name);
	free(h->rows);
}

/* Words found only in a recipe's code count as an answer if there is no other. */
size_t hits_best(const struct hits *h)
{
	enum { WORTH = 8 };
	size_t count = 0;

	while (count < h->count && h->rows[count].found == h->rows[0].found &&
	       h->rows[count].score * WORTH > h->rows[0].score)
		count++;
	return count;
}

/* ---- output of a hit ---- */

const struct applet *hit_applet(const struct hit *h)
{
	return applet_find(h->name) ?: recipe_named(h->name);
}

/* Returns the example with the most words of the query, or else the first one. */
static const struct example *example_best(const struct applet *a, const struct query *q)
{
	const struct example *best = a->examples;
	unsigned most = 0;

	for (const struct example *e = a->examples; e && e->command; e++) {
		struct hit h = { 0 };
		unsigned found = 0;

		string_search(&h, q, e->command, 2);
		string_search(&h, q, e->what, 2);
		for (size_t i = 0; i < q->count; i++)
			found += h.best[i];
		if (found > most) {
			most = found;
			best = e;
		}
	}
	return best;
}

struct answer hit_line(const struct hit *h, const struct applet *a, const struct query *q)
{
	const struct example *e;

	if (h->answer && h->answer->shows)
		return *h->answer;
	e = example_best(a, q);
	if (e && e->command)
		return (struct answer){ e->command, e->what };
	return (struct answer){ a->name, a->summary };
}
