/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habits_check.c - reads a command line like getopt(3). Habits of other tools are replaced by words with the same
 * effect here; those without an equivalent are refused.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/habits_line.h"
#include "cli/option_read.h"
#include "util/buf.h"
#include "util/escape.h"
#include "util/log.h"
#include "util/shell_words.h"

/* ---- words, as getopt reads them ---- */

/* Returns the word at that distance from the current one, or NULL. */
static const char *word_at(const struct habits_line *l, int distance)
{
	return l->at + distance < l->argc ? l->argv[l->at + distance] : NULL;
}

static const char *next_word(const struct habits_line *l)
{
	return word_at(l, 1);
}

/* -p 1 2: the value and the numbers after it become one list. */
static void numbers_join(struct habits_line *l, struct habit_word *w)
{
	struct buf o;

	buf_init(&o, -1);
	buf_str(&o, w->value);
	for (l->at += !w->is_attached; next_word(l) && habit_is_number(next_word(l)); l->at++)
		buf_printf(&o, ",%s", next_word(l));
	buf_char(&o, 0);
	if (o.error)
		habits_no_memory();
	w->is_attached = true; /* all words are read */
	w->value = o.data;
}

static bool takes_value(const struct option_spec *s)
{
	return s->arg && !option_may_be_bare(s);
}

static const struct option_spec *spec_of_letter(const struct habits_line *l, char letter)
{
	for (const struct option_spec *s = NULL; (s = option_next(l->applet, s));)
		if (option_letter(l->applet, s) == letter)
			return s;
	return NULL;
}

/* Finds an option by its name or an unambiguous prefix. */
static const struct option_spec *spec_of_name(const struct habits_line *l, const char *name,
					      size_t len)
{
	const struct option_spec *begins = NULL;

	for (const struct option_spec *s = NULL; (s = option_next(l->applet, s));) {
		if (strncmp(s->name, name, len) && (!s->alias || strncmp(s->alias, name, len)))
			continue;
		if (!s->name[len] || (s->alias && !strcmp(s->alias, name)))
			return s;
		begins = s;
	}
	return begins;
}

/* Skips the value if it is a separate word. */
static void value_skip(struct habits_line *l, const struct habit *h, const struct habit_word *w)
{
	l->at += h->takes_value && !w->is_attached && w->value;
}

static void value_copy(struct habits_line *l, const struct option_spec *s, bool is_attached)
{
	if (s && takes_value(s) && !is_attached && next_word(l))
		habits_word_append(l, l->argv[++l->at]);
}

/* True for an option that only argp refuses: whether it has a value is unknown. */
static bool is_refused(const struct habits_line *l, char letter)
{
	const struct option_habit *h = l->applet->habits;

	while (h && h->hint && h->letter != letter)
		h++;
	return h && h->hint;
}

/* Ends a word of the letters that were kept. */
static void letters_end(struct habits_line *l, char *kept, size_t *n)
{
	char *word;

	if (!*n)
		return;
	kept[*n] = 0;
	*n = 0;
	habits_word_own(l, asprintf(&word, "-%s", kept) < 0 ? NULL : word);
}

/* -T may have its value attached. If the text is not a value, it is further letters: -Tp 17. */
static bool is_bare(struct habits_line *l, const struct option_spec *s, const char *rest)
{
	enum timestamp_form form;

	if (s->type != OPTION_TIME || !*rest || !option_read(s, rest, &form))
		return false;
	l->is_other = true;
	return true;
}

/* Keeps a letter that is not a habit; returns true if the rest of the word is its value. */
static bool letter_copy(struct habits_line *l, const char *p, char *kept, size_t *n)
{
	const struct option_spec *s = spec_of_letter(l, *p);

	if (is_refused(l, *p))
		l->at = l->argc;
	kept[(*n)++] = *p;
	l->is_verbose |= s && s->type == OPTION_COUNT;
	if (!s || !s->arg)
		return false;
	if (is_bare(l, s, p + 1)) {
		letters_end(l, kept, n);
		return false;
	}
	strcpy(kept + *n, p + 1);
	*n += strlen(p + 1);
	letters_end(l, kept, n);
	value_copy(l, s, p[1]);
	return true;
}

/* Reads -xyzVALUE: letters without a value, then at most one with a value. */
static void letters_read(struct habits_line *l)
{
	char kept[strlen(l->argv[l->at]) + 1];
	size_t n = 0;

	for (const char *p = l->argv[l->at] + 1; *p; p++) {
		struct habit_word w = { .letter = *p,
					.value = p[1] ? p + 1 : next_word(l),
					.is_attached = p[1],
					.after = word_at(l, p[1] ? 1 : 2),
					.arguments = l->arguments };
		const struct habit *h = habit_find(l->applet, &w);

		if (!h || h->when == HABIT_NOTED) {
			if (h)
				log_note("%s", h->note);
			if (letter_copy(l, p, kept, &n))
				break;
			continue;
		}
		letters_end(l, kept, &n);
		if (h->when == HABIT_NUMBERS)
			numbers_join(l, &w);
		habits_line_note(l, h, &w);
		value_skip(l, h, &w);
		if (h->takes_value)
			break;
	}
	letters_end(l, kept, &n);
}

static bool is_help(const char *name, size_t len)
{
	static const char *const names[] = { "help", "examples", "usage", "version" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (len && !strncmp(names[i], name, len))
			return true;
	return false;
}

static void name_read(struct habits_line *l)
{
	const char *name = l->argv[l->at] + 2, *equals = strchr(name, '=');
	struct habit_word w = { .name = name,
				.name_len = equals ? (size_t)(equals - name) : strlen(name),
				.value = equals ? equals + 1 : next_word(l),
				.is_attached = equals,
				.after = word_at(l, equals ? 1 : 2),
				.arguments = l->arguments };
	const struct habit *h = habit_find(l->applet, &w);
	const struct option_spec *s = spec_of_name(l, name, w.name_len);

	if (h && h->when != HABIT_NOTED) {
		if (h->when == HABIT_NUMBERS)
			numbers_join(l, &w);
		habits_line_note(l, h, &w);
		value_skip(l, h, &w);
		return;
	}
	if (h)
		log_note("%s", h->note);
	habits_word_append(l, l->argv[l->at]);
	l->is_verbose |= s && s->type == OPTION_COUNT;
	if (!s && !is_help(name, w.name_len) && !l->unknown)
		l->unknown = l->argv[l->at];
	value_copy(l, s, equals);
}

static void rest_copy(struct habits_line *l)
{
	while (++l->at < l->argc)
		habits_word_append(l, l->argv[l->at]);
}

/* c of `uobjnew c 17` is --malloc, so 17 is the first argument. */
static bool is_no_argument(const struct habit *h)
{
	return h->instead &&
	       (!*h->instead || (!strncmp(h->instead, "--", 2) && !strpbrk(h->instead, " {")));
}

static void argument_read(struct habits_line *l)
{
	struct habit_word w = { .letter = '.',
				.value = l->argv[l->at],
				.after = next_word(l),
				.arguments = l->arguments++ };
	const struct habit *h = habit_find(l->applet, &w);

	if (!h) {
		habits_word_append(l, l->argv[l->at]);
		return;
	}
	habits_line_note(l, h, &w);
	l->arguments -= is_no_argument(h);
	if (h->instead && !strncmp(h->instead, "-- ", 3))
		rest_copy(l);
}

/* Reads the words up to --; copies the rest. */
static void words_read(struct habits_line *l)
{
	for (l->at = 1; l->at < l->argc; l->at++) {
		const char *word = l->argv[l->at];

		if (!strcmp(word, "--")) {
			habits_word_append(l, word);
			rest_copy(l);
		} else if (!strncmp(word, "--", 2)) {
			name_read(l);
		} else if (word[0] == '-' && word[1] && word[1] != ':') {
			letters_read(l);
		} else {
			argument_read(l);
		}
	}
}

/* -c 'CMD ARG': the words follow -- at the end of the line. */
static void command_append(struct habits_line *l)
{
	enum { WORDS_MAX = 256 };
	char *words[WORDS_MAX], *copy = l->command ? strdup(l->command) : NULL;
	size_t at;
	int count = copy ? shell_words_split(copy, words, WORDS_MAX, &at) : 0;

	for (int i = 1; i < l->count && copy; i++)
		if (!strcmp(l->words[i], "--"))
			count = -EINVAL;
	if (count < 0 || (copy && !count)) {
		log_error("'%s' is no command, or there are two", l->command);
		exit(EXIT_USAGE);
	}
	if (count)
		habits_word_append(l, "--");
	for (int i = 0; i < count; i++)
		habits_word_append(l, words[i]);
	free(copy);
}

/* ---- messages ---- */

static char *line_text(const struct habits_line *l)
{
	struct buf o;

	buf_init(&o, -1);
	buf_printf(&o, "%s%s", log_name_before(), l->applet->name);
	escape_write_shell_line(&o, l->words + 1);
	buf_char(&o, 0);
	return o.error ? NULL : o.data;
}

static void habit_refuse(struct habits_line *l)
{
	const struct habit *h = l->first;

	habit_meaning_report(l->applet, h, &l->word);
	if (h->note)
		log_hint("%s", habit_text(h->note, strlen(h->note), l->word.value) ?: "");
	exit(EXIT_USAGE);
}

int habits_read_or_exit(const struct applet *applet, int argc, char ***argv)
{
	struct habits_line l = { .applet = applet, .argc = argc, .argv = *argv, .is_whole = true };

	habits_word_append(&l, (*argv)[0]);
	words_read(&l);
	command_append(&l);
	/* a word may be the value of the unknown option */
	if (l.unknown && !applet->habits && (l.is_whole || l.word.letter == '.'))
		option_unknown_exit(applet, l.unknown + 2);
	if (l.first && !l.is_whole)
		habit_refuse(&l);
	if (!l.is_other)
		return argc;
	if (l.is_verbose)
		log_note("with coretap's own options: %s", line_text(&l) ?: "");
	*argv = l.words;
	return l.count;
}
