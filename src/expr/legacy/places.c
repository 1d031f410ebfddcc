/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * places.c - which part of a definition a part of its translation stands for, so that an error in the
 * translation is shown in the definition.
 *
 * While a translation is put together, a part with a place is between marks: MARK start ',' end ';' text
 * MARK_END. Marks can be inside of each other. The finished text has none.
 */
#include <stdlib.h>
#include <string.h>

#include "expr/legacy/legacy_parse.h"

enum { MARK = '\1', MARK_END = '\2' };

const char *legacy_mark(struct old *o, const char *text, uint32_t start, uint32_t end)
{
	return legacy_print(o, "%c%u,%u;%s%c", MARK, start, end, text, MARK_END);
}

static size_t marks_count(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == MARK;
	return count;
}

/* Reads the numbers behind a mark; returns the text that follows. */
static const char *mark_read(const char *text, struct legacy_place *place, size_t at)
{
	char *end;

	*place = (struct legacy_place){ .at = at, .start = strtoul(text + 1, &end, 10) };
	place->end = strtoul(end + 1, &end, 10);
	return end + 1;
}

/* Drops the marks of t->text, and fills in the places. */
void legacy_unmark(struct old *o, struct legacy_text *t)
{
	size_t count = marks_count(t->text), len = 0;
	struct legacy_place *places = legacy_alloc(o, (count + 1) * sizeof(*places));
	char *plain = legacy_alloc(o, strlen(t->text) + 1);

	if (!places || !plain)
		return;
	for (const char *from = t->text; *from;) {
		if (*from == MARK) {
			from = mark_read(from, &places[t->place_count++], len);
			continue;
		}
		if (*from == MARK_END) {
			size_t open = t->place_count;

			while (open && places[open - 1].at_end)
				open--;
			if (open)
				places[open - 1].at_end = len ?: 1;
			from++;
			continue;
		}
		plain[len++] = *from++;
	}
	t->text = plain;
	t->places = places;
}

void legacy_place_find(const struct legacy_text *t, size_t *start, size_t *end)
{
	struct legacy_place best = { .start = t->start, .end = t->end };
	size_t narrowest = (size_t)-1;

	for (size_t i = 0; i < t->place_count; i++) {
		const struct legacy_place *p = &t->places[i];

		if (p->at > *start || p->at_end < *end || p->at_end - p->at > narrowest)
			continue;
		best = *p;
		narrowest = p->at_end - p->at;
	}
	*start = best.start;
	*end = best.end;
}
