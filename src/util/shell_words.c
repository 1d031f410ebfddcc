/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shell_words.c - splits shell words, the inverse of escape_write_shell. It does not know what they
 * are used for.
 */
#include "util/shell_words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct words {
	char *from, *to; /* where to read and where to write: `to` never passes `from` */
	char *open;	 /* the opening quote that has no closing one */
};

static void append_utf8(struct words *w, uint32_t c)
{
	if (c < 0x80) {
		*w->to++ = c;
		return;
	}
	if (c >= 0x10000) {
		*w->to++ = 0xf0 | c >> 18;
		*w->to++ = 0x80 | (c >> 12 & 0x3f);
	} else if (c >= 0x800) {
		*w->to++ = 0xe0 | c >> 12;
	} else {
		*w->to++ = 0xc0 | c >> 6;
	}
	if (c >= 0x800)
		*w->to++ = 0x80 | (c >> 6 & 0x3f);
	*w->to++ = 0x80 | (c & 0x3f);
}

/* Parses at most `max` digits at w->from. */
static uint32_t parse_digits(struct words *w, int base, int max)
{
	char digits[9] = { 0 }, *end;
	uint32_t value;

	memcpy(digits, w->from, strnlen(w->from, max));
	value = strtoul(digits, &end, base);
	w->from += end - digits;
	return value;
}

/* Parses the escape after a \ in $'text'. */
static void parse_escape(struct words *w)
{
	static const char names[] = "abeEfnrtv", values[] = "\a\b\033\033\f\n\r\t\v";
	const char *name = strchr(names, *w->from);

	if (*w->from && name) {
		*w->to++ = values[name - names];
		w->from++;
	} else if (*w->from == 'x' || *w->from == 'u' || *w->from == 'U') {
		char kind = *w->from++;
		uint32_t c = parse_digits(w, 16, kind == 'x' ? 2 : kind == 'u' ? 4 : 8);

		if (kind == 'x')
			*w->to++ = c;
		else
			append_utf8(w, c);
	} else if (*w->from >= '0' && *w->from <= '7') {
		*w->to++ = parse_digits(w, 8, 3);
	} else if (*w->from) {
		*w->to++ = *w->from++;
	}
}

/* Parses from after the opening quote to after the closing one. */
static void parse_quoted(struct words *w, char quote, bool escapes)
{
	w->open = w->from - 1;
	while (*w->from && *w->from != quote) {
		if (*w->from != '\\' || (quote == '\'' && !escapes)) {
			*w->to++ = *w->from++;
		} else if (escapes) {
			w->from++;
			parse_escape(w);
		} else { /* in "text" a \ is literal, except before " \ $ and ` */
			if (w->from[1] && strchr("\"\\$`", w->from[1]))
				w->from++;
			*w->to++ = *w->from++;
		}
	}
	if (!*w->from)
		return;
	w->from++;
	w->open = NULL;
}

static void parse_word(struct words *w)
{
	while (*w->from && !strchr(" \t\n", *w->from) && !w->open) {
		char c = *w->from++;

		if (c == '\'' || c == '"') {
			parse_quoted(w, c, false);
		} else if (c == '$' && *w->from == '\'') {
			w->from++;
			parse_quoted(w, '\'', true);
		} else {
			if (c == '\\' && *w->from)
				c = *w->from++;
			*w->to++ = c;
		}
	}
}

int shell_words_split(char *line, char **words, size_t max, size_t *at)
{
	struct words w = { .from = line, .to = line };
	size_t count = 0;

	for (;;) {
		bool more;

		w.from += strspn(w.from, " \t\n");
		if (!*w.from || *w.from == '#')
			return count;
		if (count == max)
			return -E2BIG;
		words[count++] = w.to;
		parse_word(&w);
		if (w.open) {
			*at = w.open - line;
			return -EINVAL;
		}
		more = *w.from;
		w.from += more; /* the NUL that ends the word may overwrite this byte */
		*w.to++ = 0;
		if (!more)
			return count;
	}
}
