/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * btf_strings.c - finds names in the string section, all of a batch in one sweep (the algorithm of Wu and Manber:
 * skips as far as the last two bytes allow).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "btf/btf_priv.h"

enum {
	SKIP_SLOTS = 65536, /* one for each pair of bytes */
	SKIP_MAX = 255,
	NAME_MAX_LEN = 512, /* the largest KSYM_NAME_LEN of any kernel */
};

/* The names as they are in the section, with the NULs before and after them. */
struct strings_search {
	const struct btf_query *queries;
	uint32_t *offsets; /* results, 0: not found */
	size_t count;
	size_t shortest, longest; /* bytes, including both NULs, of the names not found yet */
	uint8_t skip[SKIP_SLOTS]; /* how far to advance after a pair of bytes */
};

static unsigned skip_slot(const uint8_t *p)
{
	uint16_t two;

	memcpy(&two, p, sizeof(two));
	return two;
}

/* Limits the skip after the two bytes of "\0name\0" that end at `i`. */
static void skip_note(struct strings_search *s, const char *name, size_t i)
{
	uint8_t two[] = { i > 1 ? name[i - 2] : 0, name[i - 1] };
	uint8_t *slot = &s->skip[skip_slot(two)];
	size_t rest = s->shortest - 1 - i;

	if (rest < *slot)
		*slot = rest;
}

/* True if the name has not been found yet. */
static bool is_missing(const struct strings_search *s, size_t i)
{
	size_t len = strlen(s->queries[i].name);

	return !s->offsets[i] && len > 0 && len < NAME_MAX_LEN;
}

/* Prepares the search for the names not found yet. Short names are found early, because the most common structs have
 * them; without them the search is faster. Sets `longest` to 0 if none remains. */
static void search_prepare(struct strings_search *s)
{
	s->shortest = SKIP_MAX;
	s->longest = 0;
	for (size_t i = 0; i < s->count; i++) {
		size_t len = strlen(s->queries[i].name) + 2;

		if (!is_missing(s, i))
			continue;
		s->shortest = len < s->shortest ? len : s->shortest;
		s->longest = len > s->longest ? len : s->longest;
	}
	memset(s->skip, s->shortest - 1, sizeof(s->skip));
	for (size_t i = 0; i < s->count; i++) {
		if (!is_missing(s, i))
			continue;
		for (size_t end = 1; end < s->shortest; end++)
			skip_note(s, s->queries[i].name, end);
	}
}

/* Checks whether one of the names is at p, which has `room` bytes. `at` is its offset. */
static bool search_compare(struct strings_search *s, const uint8_t *p, size_t room, uint32_t at)
{
	bool found = false;

	for (size_t i = 0; i < s->count; i++) {
		const char *name = s->queries[i].name;
		size_t len;

		if (s->offsets[i] || !room || *name != *p)
			continue;
		len = strlen(name) + 1;
		if (len <= room && len > 1 && !memcmp(p, name, len)) {
			s->offsets[i] = at;
			found = true;
		}
	}
	return found;
}

/* `base` is the offset of the window's first byte in the string section. */
static void search_window(struct strings_search *s, const struct view_window *w, uint32_t base)
{
	const uint8_t *start = w->data, *end = start + w->len;
	const uint8_t *p = start + s->shortest;

	while (p <= end && s->longest) {
		unsigned skip = s->skip[skip_slot(p - 2)];
		const uint8_t *begin = p - s->shortest;

		if (skip) {
			p += skip;
			continue;
		}
		if (!*begin &&
		    search_compare(s, begin + 1, end - begin - 1, base + (begin + 1 - start)))
			search_prepare(s);
		p = begin + 1 + s->shortest;
	}
}

static int search_section(struct strings_search *s, const struct btf_view *b)
{
	uint32_t off = b->strings;
	struct view_window window;
	int err = view_window_init(&window, b);

	while (!err && off < b->strings_end) {
		err = view_window_move(&window, b, off, b->strings_end);
		if (err)
			break;
		if (b->base && off == b->strings) /* a module's first name has no NUL before it */
			search_compare(s, window.data, window.len, b->base_strings);
		search_window(s, &window, off - b->strings + b->base_strings);
		if (!s->longest)
			break;
		off += window.len;
		if (off < b->strings_end) /* a name may cross the border of two windows */
			off -= s->longest - 1;
	}
	view_window_free(&window);
	return err;
}

static int sections_search(struct strings_search *s, const struct btf_view *b)
{
	int err = b->base ? sections_search(s, b->base) : 0;

	return err ?: search_section(s, b);
}

/* A module's string section contains only strings that the base lacks. */
int view_strings_find(const struct btf_view *b, const struct btf_query *queries, uint32_t *offsets,
		      size_t count)
{
	struct strings_search *s = calloc(1, sizeof(*s));
	int err;

	if (!s)
		return -ENOMEM;
	s->queries = queries;
	s->offsets = offsets;
	s->count = count;
	search_prepare(s);
	err = s->longest ? sections_search(s, b) : 0;
	free(s);
	return err;
}

uint32_t view_string_find(const struct btf_view *b, const char *name)
{
	const struct btf_query query = { .name = name };
	uint32_t offset = 0;

	return view_strings_find(b, &query, &offset, 1) ? 0 : offset;
}
