/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.c - words without their endings, queries, and the table of words. It does not know any tool.
 */
#include "front/find/words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "util/unpack.h"

enum {
	PREFIX_LEAST = 3, /* letters of a word that may be the prefix of another */
	ROWS_MAX = 256,
	GROUP_WORDS_MAX = 96,
};

/* packed by tools/pack-recipes */
extern const unsigned char find_words_packed[];
extern const size_t find_words_packed_size, find_words_size;

/* ---- words ---- */

static bool ends_with(const char *s, size_t len, const char *end)
{
	size_t n = strlen(end);

	return len > n + 2 && !memcmp(s + len - n, end, n);
}

/* Removes endings: deleted, deletes and deleting are one word, as are retry and retries. */
static void stem_write(struct word *w)
{
	static const char *const ends[] = { "ing", "ed", "e" };
	size_t len = strlen(w->raw);

	memcpy(w->stem, w->raw, len + 1);
	if (len > 3 && w->stem[len - 1] == 's' && w->stem[len - 2] != 's')
		len--;
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (ends_with(w->stem, len, ends[i])) {
			len -= strlen(ends[i]);
			break;
		}
	if (len > 3 && w->stem[len - 1] == w->stem[len - 2])
		len--;
	if (w->stem[len - 1] == 'y')
		w->stem[len - 1] = 'i';
	w->stem[len] = 0;
}

static bool is_input_output(const char *s)
{
	return !strncasecmp(s, "i/o", 3) && !isalnum((unsigned char)s[3]);
}

bool query_word_next(const char **text, const char *end, struct word *word)
{
	const char *s = *text;
	size_t len = 0;

	while (s < end && !isalnum((unsigned char)*s))
		s++;
	if (s == end)
		return false;
	if (end - s >= 3 && is_input_output(s)) {
		strcpy(word->raw, "io");
		s += 3;
	} else {
		for (; s < end && isalnum((unsigned char)*s); s++)
			if (len < WORD_SIZE - 1)
				word->raw[len++] = (char)tolower((unsigned char)*s);
		word->raw[len] = 0;
	}
	*text = s;
	word->same = NULL;
	stem_write(word);
	return true;
}

enum match word_match(const struct word *asked, const struct word *found)
{
	size_t len = strlen(asked->raw);

	if (!strcmp(asked->stem, found->stem))
		return MATCH_SAME;
	if (len >= PREFIX_LEAST && !strncmp(asked->raw, found->raw, len))
		return MATCH_NEAR;
	for (const struct word *w = asked->same; w && *w->raw; w++)
		if (!strcmp(w->stem, found->stem))
			return MATCH_NEAR;
	return MATCH_NONE;
}

/* Words of nearly the same meaning; each group ends with an empty one. */
static struct word groups[GROUP_WORDS_MAX];
static size_t group_words;

static void group_read(const char *words)
{
	const char *end = strchr(words, 0);

	while (group_words < GROUP_WORDS_MAX - 1 &&
	       query_word_next(&words, end, &groups[group_words]))
		group_words++;
	group_words += group_words < GROUP_WORDS_MAX - 1;
}

static const struct word *group_find(const struct word *w)
{
	const struct word *group = groups;

	for (const struct word *g = groups; g < groups + group_words; g++) {
		if (!*g->raw)
			group = g + 1;
		else if (!strcmp(g->stem, w->stem))
			return group;
	}
	return NULL;
}

/* ---- queries ---- */

static bool is_stop_word(const struct word *w)
{
	static const char words[] =
		" a an the of in on by to for from is are was be it its i my me we you your this that these what which who "
		"whom whose why how where when does do did can could with and or not at as any all some show find see trace "
		"tracing tracer tool monitor watch debug there much many have has get s take took come use ";
	char word[WORD_SIZE + 2];

	snprintf(word, sizeof(word), " %s ", w->raw);
	return strstr(words, word) || isdigit((unsigned char)*w->raw);
}

/* Appends the words of a text, except those of paths unless `all` is set. */
static void words_add(struct query *q, const char *text, bool all)
{
	while (*text && q->count < QUERY_WORDS) {
		const char *end = text + strcspn(text, " ");
		bool is_path = *text == '/' && end - text > 1;
		struct word w;

		while (q->count < QUERY_WORDS && (all || !is_path) &&
		       query_word_next(&text, end, &w))
			if (all || !is_stop_word(&w))
				q->words[q->count++] = w;
		text = end + (*end == ' ');
	}
}

void query_of(struct query *q, const char *text)
{
	const char *s = text, *end = strchr(text, 0);
	size_t used = 0;
	struct word w;

	*q = (struct query){ 0 };
	words_add(q, text, false);
	if (!q->count)
		words_add(q, text, true);
	while (query_word_next(&s, end, &w))
		if (used + strlen(w.raw) < sizeof(q->squeezed))
			used += sprintf(q->squeezed + used, "%s", w.raw);
}

void query_widen(struct query *q)
{
	size_t count;

	table_rows(&count);
	for (size_t i = 0; i < q->count; i++)
		q->words[i].same = group_find(&q->words[i]);
}

/* ---- the table ---- */

static void answer_read(struct table_row *row, char *line)
{
	static const char mark[] = "  # ";
	char *shows = strstr(line, mark);

	if (row->count == TABLE_ANSWERS)
		return;
	if (shows) {
		*shows = 0;
		shows += strlen(mark);
	}
	row->answers[row->count++] = (struct answer){ line, shows };
}

static size_t rows_read(char *text, struct table_row *rows)
{
	size_t count = 0;
	char *rest;

	for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		if (*line == '=')
			group_read(line + 1);
		else if (*line == '\t' && count)
			answer_read(&rows[count - 1], line + 1);
		else if (count < ROWS_MAX)
			rows[count++] = (struct table_row){ .phrases = line };
	return count;
}

const struct table_row *table_rows(size_t *count)
{
	static struct table_row rows[ROWS_MAX];
	static size_t filled;

	if (!filled) {
		char *text = unpack_embedded(find_words_packed, find_words_packed_size,
					     find_words_size);

		filled = text ? rows_read(text, rows) : 0;
	}
	*count = filled;
	return rows;
}

/* Calls `each` with the phrases of a row until it returns true, and returns that. */
static bool phrases_any(const struct table_row *row, bool (*each)(const char *, void *), void *ctx)
{
	char phrase[128];

	for (const char *s = row->phrases; s; s = strchr(s, ',')) {
		size_t len;

		s += *s == ',';
		len = strcspn(s, ",");
		if (len >= sizeof(phrase))
			continue;
		memcpy(phrase, s, len);
		phrase[len] = 0;
		if (each(phrase, ctx))
			return true;
	}
	return false;
}

/* Returns the bits of the words of the query that occur in the phrase. A single word of four letters may be a prefix. */
static unsigned word_in_query(const struct word *of_phrase, const struct query *q, bool is_single)
{
	unsigned bits = 0;

	for (size_t i = 0; i < q->count; i++) {
		enum match match = word_match(&q->words[i], of_phrase);

		if (match == MATCH_SAME ||
		    (match && is_single && strlen(q->words[i].raw) > PREFIX_LEAST))
			bits |= 1U << i;
	}
	return bits;
}

struct cover {
	const struct query *q;
	unsigned bits;
};

static bool phrase_covers(const char *phrase, void *ctx)
{
	struct cover *cover = ctx;
	struct query p;
	unsigned bits = 0;

	query_of(&p, phrase);
	for (size_t i = 0; i < p.count; i++) {
		unsigned some = word_in_query(&p.words[i], cover->q, p.count == 1);

		if (!some)
			return false;
		bits |= some;
	}
	if (!strcmp(p.squeezed, cover->q->squeezed))
		bits = (1U << cover->q->count) - 1;
	cover->bits |= bits;
	return false;
}

unsigned table_covers(const struct table_row *row, const struct query *q)
{
	struct cover cover = { q, 0 };

	if (table_is(row, q))
		return (1U << q->count) - 1;
	phrases_any(row, phrase_covers, &cover);
	return cover.bits;
}

static bool phrase_is(const char *phrase, void *ctx)
{
	const struct query *q = ctx;
	struct query p;

	query_of(&p, phrase);
	return !strcmp(p.squeezed, q->squeezed) ||
	       (p.count == 1 && q->count == 1 && !strcmp(p.words[0].stem, q->words[0].stem));
}

bool table_is(const struct table_row *row, const struct query *q)
{
	return phrases_any(row, phrase_is, (void *)q);
}

struct phrase_each {
	void (*each)(const char *phrase, const struct table_row *row, void *ctx);
	const struct table_row *row;
	void *ctx;
};

static bool phrase_pass(const char *phrase, void *ctx)
{
	struct phrase_each *to = ctx;

	to->each(phrase, to->row, to->ctx);
	return false;
}

void table_phrases(void (*each)(const char *phrase, const struct table_row *row, void *ctx),
		   void *ctx)
{
	size_t count;
	const struct table_row *rows = table_rows(&count);

	for (size_t i = 0; i < count; i++) {
		struct phrase_each to = { each, &rows[i], ctx };

		phrases_any(&rows[i], phrase_pass, &to);
	}
}
