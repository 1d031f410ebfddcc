/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * glob.c - compiles shell patterns to a table by tracking all positions in the patterns where a match may be.
 *
 * This file knows nothing about programs or types.
 */
#include "util/glob.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
	ELEMENTS_MAX = 255
}; /* the elements of all patterns, each with its end: positions are 0 … ELEMENTS_MAX */

struct set {
	uint64_t bits[4];
};

static void set_add(struct set *s, unsigned i)
{
	s->bits[i / 64] |= 1ull << i % 64;
}

static bool set_has(const struct set *s, unsigned i)
{
	return s->bits[i / 64] >> i % 64 & 1;
}

/* One byte of a set or, for a star, any number of any bytes. A pattern ends with an empty set. */
struct element {
	struct set bytes;
	bool star;
};

struct glob {
	struct element elements[ELEMENTS_MAX + 1];
	unsigned count;
	struct set ends;    /* the positions at the end of a pattern: a match */
	struct set certain; /* those before a pattern's final star: any continuation matches */
	struct set states[GLOB_STATES]; /* the positions of each state, from [GLOB_START] on */
	unsigned state_count;
	uint8_t (*table)[256];
};

/* ---- pattern → elements ---- */

static void set_range(struct set *s, unsigned char from, unsigned char to)
{
	for (unsigned i = from; i <= to; i++)
		set_add(s, i);
}

static void set_invert(struct set *s)
{
	for (int i = 0; i < 4; i++)
		s->bits[i] = ~s->bits[i];
}

/* Parses [a-z] or [!a-z]; p is after the '['. Returns the position after the ']', or NULL. */
static const char *parse_set(const char *p, const char *end, struct set *s)
{
	bool inverted = p < end && (*p == '!' || *p == '^');
	const char *first = p += inverted;

	for (; p < end && (*p != ']' || p == first); p++) {
		if (p + 2 < end && p[1] == '-' && p[2] != ']') {
			set_range(s, p[0], p[2]);
			p += 2;
		} else {
			set_add(s, (unsigned char)*p);
		}
	}
	if (inverted)
		set_invert(s);
	return p < end ? p + 1 : NULL;
}

static const char *parse_element(const char *p, const char *end, struct element *e)
{
	switch (*p) {
	case '*': e->star = true; return p + 1;
	case '?': set_invert(&e->bytes); return p + 1;
	case '[': return parse_set(p + 1, end, &e->bytes);
	case '\\':
		p += p + 1 < end;
		/* fall through */
	default: set_add(&e->bytes, (unsigned char)*p); return p + 1;
	}
}

static int parse_pattern(struct glob *g, const char *p, size_t len)
{
	const char *end = p + len;
	unsigned first = g->count;

	while (p < end) {
		struct element *e = &g->elements[g->count];

		if (g->count >= ELEMENTS_MAX)
			return -E2BIG;
		*e = (struct element){};
		p = parse_element(p, end, e);
		if (!p)
			return -EINVAL;
		/* an empty set equals "*"; nothing matches a NUL */
		g->count += !(e->star && g->count > first && e[-1].star);
		e->bytes.bits[0] &= ~1ull;
	}
	if (g->count > ELEMENTS_MAX)
		return -E2BIG;
	set_add(&g->ends, g->count);
	if (g->count > first && g->elements[g->count - 1].star)
		set_add(&g->certain, g->count - 1);
	return 0;
}

/* ---- elements → states ---- */

/* Adds a position, and those that a star makes reachable from it without reading a byte. */
static void position_add(const struct glob *g, struct set *places, unsigned i)
{
	set_add(places, i);
	while (i < g->count && g->elements[i].star)
		set_add(places, ++i);
}

/* The positions that a state's stars reach after any byte; the others, which are left to each byte, go to `single`. */
static struct set positions_after_any(const struct glob *g, const struct set *places,
				      unsigned *single, unsigned *count)
{
	struct set next = {};

	*count = 0;
	for (unsigned i = 0; i < g->count; i++) {
		if (!set_has(places, i))
			continue;
		if (g->elements[i].star)
			position_add(g, &next, i);
		else
			single[(*count)++] = i;
	}
	return next;
}

static bool sets_meet(const struct set *a, const struct set *b)
{
	uint64_t both = 0;

	for (int i = 0; i < 4; i++)
		both |= a->bits[i] & b->bits[i];
	return both;
}

/* Returns the number of the state for a set of positions, added if new; GLOB_STATES if there are too many. */
static unsigned state_of(struct glob *g, const struct set *places)
{
	static const struct set none;

	if (!memcmp(places, &none, sizeof(none)))
		return GLOB_NO;
	if (sets_meet(&g->certain, places))
		return GLOB_YES;
	for (unsigned i = GLOB_START; i < g->state_count; i++) {
		if (!memcmp(places, &g->states[i], sizeof(*places)))
			return i;
	}
	if (g->state_count == GLOB_STATES)
		return GLOB_STATES;
	g->states[g->state_count] = *places;
	return g->state_count++;
}

/* Most bytes lead from a state to where the byte before them led. */
static int fill_state(struct glob *g, unsigned state)
{
	unsigned single[ELEMENTS_MAX], count, to = GLOB_STATES;
	struct set places = g->states[state], any = positions_after_any(g, &places, single, &count),
		   last = {};

	g->table[state][0] = sets_meet(&g->ends, &places) ? GLOB_YES : GLOB_NO;
	for (unsigned byte = 1; byte < 256; byte++) {
		struct set next = any;

		for (unsigned i = 0; i < count; i++)
			if (set_has(&g->elements[single[i]].bytes, byte))
				position_add(g, &next, single[i] + 1);
		if (to == GLOB_STATES || memcmp(&next, &last, sizeof(next)))
			to = state_of(g, &next);
		if (to == GLOB_STATES)
			return -E2BIG;
		last = next;
		g->table[state][byte] = to;
	}
	return 0;
}

/* Computes the first positions only after all patterns are parsed: those of a star include the next position. */
static int parse_patterns(struct glob *g, const struct glob_pattern *patterns, size_t count)
{
	unsigned begins[ELEMENTS_MAX];
	int err = count > ELEMENTS_MAX ? -E2BIG : 0;

	for (size_t i = 0; i < count && !err; i++) {
		if (i)
			g->elements[g->count++] =
				(struct element){}; /* ends the previous pattern */
		begins[i] = g->count;
		err = parse_pattern(g, patterns[i].text, patterns[i].len);
	}
	for (size_t i = 0; i < count && !err; i++)
		position_add(g, &g->states[GLOB_START], begins[i]);
	return err;
}

int glob_compile_any(const struct glob_pattern *patterns, size_t count, glob_table table)
{
	struct glob *g = calloc(1, sizeof(*g));
	int err;

	if (!g)
		return -ENOMEM;
	memset(table, 0, sizeof(glob_table));
	g->table = table;
	g->state_count = GLOB_START + 1;
	err = parse_patterns(g, patterns, count);
	for (unsigned state = GLOB_START; !err && state < g->state_count; state++)
		err = fill_state(g, state);
	/* "*" already matches before the first byte */
	for (unsigned byte = 0;
	     !err && byte < 256 && sets_meet(&g->certain, &g->states[GLOB_START]); byte++)
		table[GLOB_START][byte] = GLOB_YES;
	free(g);
	return err;
}

int glob_compile(const char *pattern, size_t len, glob_table table)
{
	return glob_compile_any(&(struct glob_pattern){ pattern, len }, 1, table);
}

size_t glob_rows(glob_table table)
{
	unsigned last = GLOB_START;

	for (unsigned state = GLOB_START; state <= last; state++)
		for (unsigned byte = 0; byte < 256; byte++)
			last = table[state][byte] > last ? table[state][byte] : last;
	return last + 1;
}

bool glob_is_valid(const char *pattern, size_t len)
{
	const char *end = pattern + len;

	while (pattern && pattern < end)
		pattern = parse_element(pattern, end, &(struct element){});
	return pattern;
}

bool glob_is_pattern(const char *text, size_t len)
{
	return strcspn(text, "*?[\\") < len;
}

bool glob_is_prefix(const char *pattern, size_t len, char *bytes, size_t *count, bool *open_end)
{
	*count = 0;
	*open_end = false;
	for (size_t i = 0; i < len; i++) {
		if (pattern[i] == '*' && i + 1 == len) {
			*open_end = true;
			break;
		}
		if (strchr("*?[", pattern[i]))
			return false;
		i += pattern[i] == '\\' && i + 1 < len;
		bytes[(*count)++] = pattern[i];
	}
	return true;
}
