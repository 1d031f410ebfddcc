/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option_words.c - finds where a command without -- begins: after the options and their arguments, which may be in
 * the same word as their letter or in the next. It does not know the meaning of an option.
 */
#include "cli/option_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/option_read.h"
#include "util/log.h"

struct words {
	const struct applet *applet;
	char **from, **to;
	int at, count; /* of both arrays */
};

static void exit_of_memory(void)
{
	log_error("out of memory");
	exit(EXIT_FAILED);
}

/* -LTEXT, --TEXT */
static void word_add(struct words *w, char letter, const char *text)
{
	const char before[] = { letter, 0 };

	if (asprintf(&w->to[w->count++], "-%s%s", before, text) < 0)
		exit_of_memory();
}

static bool is_number(const char *text)
{
	return text && *text >= '0' && *text <= '9';
}

static const struct option_spec *spec_of(const struct applet *a, char letter)
{
	const struct option_spec *s = NULL;

	while ((s = option_next(a, s)) && option_letter(a, s) != letter)
		;
	return s;
}

static bool takes(const struct applet *a, const struct option_spec *s, char letter)
{
	const struct option_habit *h = a->habits;

	if (s)
		return s->arg && !option_may_be_bare(s);
	while (h && h->hint && h->letter != letter)
		h++;
	return h && h->hint && h->arg;
}

/* Splits the letters of a word. Returns the number of resulting words. */
static void letters_split(struct words *w, const char *letters)
{
	for (const char *p = letters; *p; p++) {
		const struct option_spec *s = spec_of(w->applet, *p);
		const char *rest = p[1] ? p + 1 : w->from[w->at + 1];
		bool is_other = s && s->with_number && is_number(rest);

		word_add(w, is_other ? '-' : *p, is_other ? s->with_number : "");
		if (is_other || takes(w->applet, s, *p)) {
			if (rest)
				w->to[w->count++] = (char *)rest;
			w->at += !p[1] && rest;
			return;
		}
	}
}

/* --NAME VALUE: an abbreviation has a value if all options that it may stand for have one. */
static bool name_takes(const struct applet *a, const char *name)
{
	size_t len = strlen(name);
	bool takes = false;

	for (const struct option_spec *s = NULL; (s = option_next(a, s));) {
		bool is_whole = !strcmp(s->name, name) || (s->alias && !strcmp(s->alias, name));

		if (!is_whole && strncmp(s->name, name, len) &&
		    (!s->alias || strncmp(s->alias, name, len)))
			continue;
		takes = s->arg && !option_may_be_bare(s);
		if (is_whole)
			return takes;
	}
	for (const struct option_habit *h = a->habits; h && h->hint; h++)
		if (h->name && !strcmp(h->name, name))
			return h->arg;
	return takes;
}

/* --NAME VALUE for an option whose value is optional. */
static bool joins(const struct words *w, const char *name)
{
	const char *next = w->from[w->at + 1];

	for (const struct option_spec *s = NULL; (s = option_next(w->applet, s));)
		if (!strcmp(s->name, name))
			return s->may_be_bare && next && *next != '-';
	return false;
}

static void word_split(struct words *w)
{
	char *word = w->from[w->at], *joined;

	if (word[1] != '-') {
		letters_split(w, word + 1);
		return;
	}
	if (joins(w, word + 2)) {
		if (asprintf(&joined, "%s=%s", word, w->from[++w->at]) < 0)
			exit_of_memory();
		w->to[w->count++] = joined;
		return;
	}
	w->to[w->count++] = word;
	if (!strchr(word, '=') && name_takes(w->applet, word + 2) && w->from[w->at + 1])
		w->to[w->count++] = w->from[++w->at];
}

char **words_split(const struct applet *applet, int *argc, char **argv, struct options_child *child)
{
	const char *slash = strrchr(argv[0], '/'), *name = slash ? slash + 1 : argv[0];
	struct words w = { .applet = applet, .from = argv, .at = 1, .count = 1 };
	size_t room = *argc + 2;

	for (int i = 1; i < *argc; i++)
		room += 2 * strlen(argv[i]);
	w.to = calloc(room, sizeof(*w.to));
	if (!w.to)
		exit_of_memory();
	w.to[0] = argv[0];
	child->is_bare = applet->line.also && !strcmp(name, applet->line.also);
	while (w.at < *argc && argv[w.at][0] == '-' && argv[w.at][1] && strcmp(argv[w.at], "--")) {
		word_split(&w);
		w.at++;
	}
	if (w.at < *argc) {
		child->is_bare |= strcmp(argv[w.at], "--") != 0;
		child->command = argv + w.at + !strcmp(argv[w.at], "--");
	}
	*argc = w.count;
	return w.to;
}
