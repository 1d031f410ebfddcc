/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * words.h - words of a text without their endings, and the table of users' words for what tools show (words.tbl).
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
	char raw[WORD_SIZE];  /* lower case, truncated */
	char stem[WORD_SIZE]; /* without -s, -ed, -ing … */
	const struct word *
		/* of a query: words of nearly the same meaning, up to an empty one; or NULL */
		same;
};

/* A query. */
struct query {
	struct word words[QUERY_WORDS];
	size_t count;
	char squeezed[QUERY_WORDS * WORD_SIZE]; /* all of it, without separators */
};

/* How well a word of a text matches one of the query. */
enum match {
	MATCH_NONE,
	MATCH_NEAR, /* the text's word begins with it, or has nearly the same meaning */
	MATCH_SAME,
};

/* Reads the next word before `end`, and advances *text. Returns false if there is none. */
bool query_word_next(const char **text, const char *end, struct word *word);
enum match word_match(const struct word *asked, const struct word *found);

/* Reads the words of a text. Skips numbers, paths and words without meaning ("who", "the"), unless there are no
 * others. */
void query_of(struct query *q, const char *text);
/* Adds words of nearly the same meaning to the query. */
void query_widen(struct query *q);

/* ---- the table ---- */

struct answer {
	const char *line;  /* a tool, or a command of one */
	const char *shows; /* NULL: the tool's summary */
};

struct table_row {
	char *phrases; /* separated by commas */
	struct answer answers[TABLE_ANSWERS];
	size_t count;
};

/* Returns the rows, valid until the end; *count may be 0. */
const struct table_row *table_rows(size_t *count);
/* Returns the bits of the words of the query that occur in phrases of a row. All words of such a phrase must be in
 * the query. */
unsigned table_covers(const struct table_row *row, const struct query *q);
/* True if a phrase matches the whole query. */
bool table_is(const struct table_row *row, const struct query *q);
/* Calls `each` for every phrase, which is valid during the call. */
void table_phrases(void (*each)(const char *phrase, const struct table_row *row, void *ctx),
		   void *ctx);

#endif
