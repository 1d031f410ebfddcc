/* SPDX-License-Identifier: GPL-2.0-only */
/* rank.h - the tools, ranked by how well they answer a query. */
#ifndef CORETAP_FRONT_FIND_RANK_H
#define CORETAP_FRONT_FIND_RANK_H

#include "front/find/words.h"

struct applet;

struct hit {
	char *name;
	unsigned best[QUERY_WORDS]; /* what each word of the query counts */
	unsigned found;		    /* how many words there are */
	unsigned score;
	const struct answer *answer; /* of the table; NULL: none */
	unsigned answer_score;
};

struct hits {
	struct hit *rows;
	size_t count;
	struct query query;
	char call[64], call_shows[96]; /* the line for a system call that was named */
	struct answer call_answer;
};

/* Ranks all tools, best first; those with none of the words are left out. 0 or -ENOMEM. hits_free in any case. */
int hits_rank(struct hits *h, const struct query *q);
void hits_free(struct hits *h);
/* How many of them, from the first, have as many words as the first, and are not much worse. */
size_t hits_best(const struct hits *h);

/* The tool; valid until the next call. NULL: a recipe that is wrong, which has been printed. */
const struct applet *hit_applet(const struct hit *h);
/* The line to paste behind "coretap ", and what it shows; both valid as long as the applet. */
struct answer hit_line(const struct hit *h, const struct applet *a, const struct query *q);

#endif
