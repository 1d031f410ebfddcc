/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suggest.c - "did you mean …?": finds the nearest of many names by edit distance.
 *
 * A kernel has a hundred thousand function names, so a name that cannot beat the best one so far must be dropped
 * early. This file does not know what the names mean.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "util/log.h"
#include "util/suggest.h"

#define NAME_MAX_LEN 127 /* longer names are not compared */

/* Accepts a third of the letters as wrong, at least one. */
static unsigned distance_limit(size_t len)
{
	return len < 6 ? 1 : (unsigned)(len / 3);
}

void suggest_init(struct suggestion *n, const char *wanted)
{
	*n = (struct suggestion){ .wanted = wanted, .distance = 0 };
	if (*wanted && strlen(wanted) <= NAME_MAX_LEN)
		n->distance = distance_limit(strlen(wanted)) + 1;
}

static unsigned min_of(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Fills one row of the distance table: from the first i letters of a to each prefix of b. A swap of neighbours counts
 * as one edit. Returns the row's smallest value: the distance cannot be smaller.
 */
static unsigned fill_row(const char *a, size_t i, const char *b, size_t b_len, uint8_t *row,
			 const uint8_t *prev, const uint8_t *prev2)
{
	unsigned least = row[0] = (uint8_t)i;

	for (size_t j = 1; j <= b_len; j++) {
		unsigned d = prev[j - 1] + (a[i - 1] != b[j - 1]);

		d = min_of(d, min_of(prev[j], row[j - 1]) + 1);
		if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
			d = min_of(d, prev2[j - 2] + 1U);
		row[j] = (uint8_t)d;
		least = min_of(least, d);
	}
	return least;
}

/* Returns the distance if it is below `limit`, else any number that is not. */
static unsigned distance(const char *a, size_t a_len, const char *b, size_t b_len, unsigned limit)
{
	uint8_t rows[3][NAME_MAX_LEN + 1];

	for (size_t j = 0; j <= b_len; j++)
		rows[0][j] = (uint8_t)j;
	for (size_t i = 1; i <= a_len; i++) {
		unsigned least = fill_row(a, i, b, b_len, rows[i % 3], rows[(i + 2) % 3],
					  rows[(i + 1) % 3]);

		/* No later row can have a smaller value: a swap skips this row, but costs at least as much as the
		 * deletion that this row has in the same column. */
		if (least >= limit)
			return limit;
	}
	return rows[a_len % 3][b_len];
}

static size_t common_begin(const char *a, const char *b)
{
	size_t len = 0;

	while (a[len] && a[len] == b[len])
		len++;
	return len;
}

/* The distance that a name must be below: of two that are equally near, the one that begins more alike is better. */
static unsigned distance_to_beat(const struct suggestion *n, const char *name)
{
	return n->distance +
	       (n->best && common_begin(n->wanted, name) > common_begin(n->wanted, n->best));
}

void suggest_offer(struct suggestion *n, const char *name)
{
	size_t a = n->distance ? strlen(n->wanted) : 0, b = strnlen(name, NAME_MAX_LEN + 1);
	unsigned d, beaten = a ? distance_to_beat(n, name) : 0;

	if (!a || !b || b > NAME_MAX_LEN || (a > b ? a - b : b - a) >= beaten)
		return;
	d = distance(n->wanted, a, name, b, beaten);
	if (d >= beaten)
		return;
	n->distance = d;
	n->best = name;
}

const char *suggest_get(const struct suggestion *n)
{
	return n->best;
}

/* ---- the hint ---- */

#define MEANT "did you mean %s%s%s?%s%s"
#define MEANT_WORDS(n, w)                                                                          \
	(w)->before ?: "", (n)->best, (w)->after ?: "", (w)->also ? " " : "", (w)->also ?: ""

static const struct suggest_words no_words;

void suggest_hint(const struct suggestion *n, const struct suggest_words *words)
{
	const struct suggest_words *w = words ?: &no_words;

	if (n->best)
		log_hint(MEANT, MEANT_WORDS(n, w));
	else if (w->otherwise || w->also)
		log_hint("%s", w->otherwise ?: w->also);
}

void suggest_write(const struct suggestion *n, const struct suggest_words *words, char *text,
		   size_t size)
{
	const struct suggest_words *w = words ?: &no_words;

	if (n->best)
		snprintf(text, size, MEANT, MEANT_WORDS(n, w));
	else
		snprintf(text, size, "%s", w->otherwise ?: w->also ?: "");
}
