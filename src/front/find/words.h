/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.h - words of a text without their endings, and the table of words that people use for what tools show
 * (words.tbl).
 */
#ifndef CORETAP_FRONT_FIND_WORDS_H
#define CORETAP_FRONT_FIND_WORDS_H

#include <stdbool.h>
#include <stddef.h>

enum {
	WORD_SIZE = 32,
	QUERY_WORDS = 16,
	TABLE_ANSWERS = 6,
};

struct word {
	char raw[WORD_SIZE];  /* lower case, cut */
	char stem[WORD_SIZE]; /* without -s, -ed, -ing … */
	const struct word *
		same; /* of a query: words that mean nearly the same, up to an empty one; or NULL */
};

/* What is searched for. */
struct query {
	struct word words[QUERY_WORDS];
	size_t count;
	char squeezed[QUERY_WORDS * WORD_SIZE]; /* all of it, without what separates words */
};

/* How well a word of a text is one of a query. */
enum match {
	MATCH_NONE,
	MATCH_NEAR, /* the text's begins with it, or means nearly the same */
	MATCH_SAME,
};

/* Reads the next word before `end`, and moves *text behind it. False: there is none. */
bool query_word_next(const char **text, const char *end, struct word *word);
enum match word_match(const struct word *asked, const struct word *found);

/* Reads the words of a text, but not numbers, paths and those that say nothing ("who", "the"), unless there are only
 * such. */
void query_of(struct query *q, const char *text);
/* Lets words that mean nearly the same be found, too. */
void query_widen(struct query *q);

/* ---- the table ---- */

struct answer {
	const char *line;  /* a tool, or a command of one */
	const char *shows; /* NULL: the tool says it */
};

struct table_row {
	char *phrases; /* with commas */
	struct answer answers[TABLE_ANSWERS];
	size_t count;
};

/* The rows, valid until the end; *count may be 0. */
const struct table_row *table_rows(size_t *count);
/* The bits of those words of the query that are in phrases of a row of which it has all words. */
unsigned table_covers(const struct table_row *row, const struct query *q);
/* True if a phrase is all of the query. */
bool table_is(const struct table_row *row, const struct query *q);
/* Calls `each` with every phrase, which is valid during the call. */
void table_phrases(void (*each)(const char *phrase, const struct table_row *row, void *ctx),
		   void *ctx);

#endif
