/* SPDX-License-Identifier: GPL-2.0-only */
/* rank.h - tools ranked by how well they answer a query. */
#ifndef CORETAP_FRONT_FIND_RANK_H
#define CORETAP_FRONT_FIND_RANK_H

#include "front/find/words.h"

struct applet;

struct hit {
	char *name;
	unsigned best[QUERY_WORDS]; /* score of each word of the query */
	unsigned found;		    /* number of words found */
	unsigned score;
	const struct answer *answer; /* from the table; NULL: none */
	unsigned answer_score;
};

struct hits {
	struct hit *rows;
	size_t count;
	struct query query;
	char call[64], call_shows[96]; /* the line for a system call named in the query */
	struct answer call_answer;
};

/* Ranks all tools, best first, and drops those that match no word. Returns 0 or -ENOMEM. Call hits_free in any case. */
int hits_rank(struct hits *h, const struct query *q);
void hits_free(struct hits *h);
/* Returns how many hits, from the first on, match as many words as the first and score nearly as high. */
size_t hits_best(const struct hits *h);

/* Returns the tool; valid until the next call. NULL: an invalid recipe, after printing the error. */
const struct applet *hit_applet(const struct hit *h);
/* Returns the line to paste after "coretap ", and what it shows; both are valid as long as the applet. */
struct answer hit_line(const struct hit *h, const struct applet *a, const struct query *q);

#endif
