/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habits_check.c - reads a command line as getopt(3) will. Refuses habits of other tools, and prints the line that
 * does the same here.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/applet.h"
#include "cli/habits.h"
#include "cli/option_read.h"
#include "util/buf.h"
#include "util/escape.h"
#include "util/log.h"
#include "util/suggest.h"

struct line {
	const struct applet *applet;
	int argc, at; /* at: the word that is read */
	char **argv;
	unsigned arguments;
	const struct habit *first; /* that was found */
	struct habit_word word;	   /* as which it was typed */
	bool is_whole;		   /* every habit has something to write instead */
	struct buf out;		   /* the line, anew */
	const struct habit *noted; /* a word that is copied unchanged, or NULL */
	const char *unknown;	   /* an unknown option, or NULL */
};

/* ---- the line, anew ---- */

static void word_append(struct line *l, const char *word)
{
	buf_char(&l->out, ' ');
	escape_write_shell(&l->out, word, strlen(word));
}

/* The text of a row, with the value for each {}. */
static void filled_append(struct buf *o, const char *text, const char *value, bool is_word)
{
	for (const char *at = text; *at; at++) {
		if (strncmp(at, "{}", 2)) {
			buf_char(o, *at);
			continue;
		}
		if (is_word)
			escape_write_shell(o, value, strlen(value));
		else
			buf_str(o, value);
		at++;
	}
}

static void instead_append(struct line *l, const struct habit *h, const char *value)
{
	if (!h->instead) {
		l->is_whole = false;
	} else if (*h->instead) {
		buf_char(&l->out, ' ');
		filled_append(&l->out, h->instead, value ?: "VALUE", true);
	}
}

static void habit_note(struct line *l, const struct habit *h, const struct habit_word *w)
{
	if (!l->first) {
		l->first = h;
		l->word = *w;
	}
	instead_append(l, h, w->value);
}

/* ---- words, as getopt reads them ---- */

static const char *next_word(const struct line *l)
{
	return l->at + 1 < l->argc ? l->argv[l->at + 1] : NULL;
}

static bool takes_value(const struct option_spec *s)
{
	return s->arg && !option_may_be_bare(s);
}

static const struct option_spec *spec_of_letter(const struct line *l, char letter)
{
	for (const struct option_spec *s = NULL; (s = option_next(l->applet, s));)
		if (option_letter(l->applet, s) == letter)
			return s;
	return NULL;
}

/* Finds an option by its name or an unambiguous prefix. */
static const struct option_spec *spec_of_name(const struct line *l, const char *name, size_t len)
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

/* Where the value is a word of its own, it is passed over. */
static void value_skip(struct line *l, const struct habit *h, const struct habit_word *w)
{
	l->at += h->takes_value && !w->is_attached && w->value;
}

static void value_copy(struct line *l, const struct option_spec *s, bool is_attached)
{
	if (s && takes_value(s) && !is_attached && next_word(l))
		word_append(l, l->argv[++l->at]);
}

/* An option that only argp refuses: it is unknown whether it has a value. */
static bool is_refused(const struct line *l, char letter)
{
	const struct option_habit *h = l->applet->habits;

	while (h && h->hint && h->letter != letter)
		h++;
	return h && h->hint;
}

/* -xyzVALUE: letters without a value, and then perhaps one with it. */
static void letters_read(struct line *l)
{
	char *kept = calloc(1, strlen(l->argv[l->at]) + 1);
	const struct option_spec *s = NULL;
	size_t n = 0;
	const char *p;

	for (p = l->argv[l->at] + 1; kept && *p; p++) {
		struct habit_word w = { .letter = *p,
					.value = p[1] ? p + 1 : next_word(l),
					.is_attached = p[1],
					.arguments = l->arguments };
		const struct habit *h = habit_find(l->applet, &w);

		if (h && h->when == HABIT_NOTED) {
			l->noted = h;
		} else if (h) {
			habit_note(l, h, &w);
			value_skip(l, h, &w);
			if (h->takes_value)
				break;
			continue;
		}
		if (is_refused(l, *p))
			l->at = l->argc;
		kept[n++] = *p;
		s = spec_of_letter(l, *p);
		if (s && s->arg) {
			strcpy(kept + n, p + 1);
			break;
		}
	}
	if (kept && n) {
		buf_str(&l->out, " -");
		escape_write_shell(&l->out, kept, strlen(kept));
		value_copy(l, s, s && s->arg && p[0] && p[1]);
	}
	free(kept);
}

static bool is_help(const char *name, size_t len)
{
	static const char *const names[] = { "help", "usage", "version" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (len && !strncmp(names[i], name, len))
			return true;
	return false;
}

static void name_read(struct line *l)
{
	const char *name = l->argv[l->at] + 2, *equals = strchr(name, '=');
	struct habit_word w = { .name = name,
				.name_len = equals ? (size_t)(equals - name) : strlen(name),
				.value = equals ? equals + 1 : next_word(l),
				.is_attached = equals,
				.arguments = l->arguments };
	const struct habit *h = habit_find(l->applet, &w);
	const struct option_spec *s = spec_of_name(l, name, w.name_len);

	if (h) {
		habit_note(l, h, &w);
		value_skip(l, h, &w);
		return;
	}
	word_append(l, l->argv[l->at]);
	if (!s && !is_help(name, w.name_len) && !l->unknown)
		l->unknown = l->argv[l->at];
	value_copy(l, s, equals);
}

static void rest_copy(struct line *l)
{
	while (++l->at < l->argc)
		word_append(l, l->argv[l->at]);
}

static void argument_read(struct line *l)
{
	struct habit_word w = { .letter = '.',
				.value = l->argv[l->at],
				.arguments = l->arguments++ };
	const struct habit *h = habit_find(l->applet, &w);

	if (!h) {
		word_append(l, l->argv[l->at]);
		return;
	}
	habit_note(l, h, &w);
	if (h->instead && !strncmp(h->instead, "-- ", 3))
		rest_copy(l);
}

/* Reads the words up to --; copies the rest. */
static void words_read(struct line *l)
{
	for (l->at = 1; l->at < l->argc; l->at++) {
		const char *word = l->argv[l->at];

		if (!strcmp(word, "--")) {
			word_append(l, word);
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

/* ---- what is said ---- */

static void meaning_append(const struct line *l)
{
	const struct habit *h = l->first;
	const struct option_spec *ours = NULL;
	const char *value = h->takes_value && l->word.value ? l->word.value : "";

	for (const struct option_spec *s = NULL; (s = option_next(l->applet, s)) && !ours;)
		ours = l->word.letter && s->letter == l->word.letter ? s : NULL;
	if (l->word.letter == '.')
		log_error("'%s': other tools of this name take %s; here it is no argument",
			  l->word.value, h->means);
	else if (!l->word.letter)
		log_error("--%.*s: in other tools of this name that means %s; here there is none",
			  (int)l->word.name_len, l->word.name, h->means);
	else if (ours)
		log_error("-%c%s%s: in other tools of this name that means %s; here it is --%s",
			  l->word.letter, *value ? " " : "", value, h->means, ours->name);
	else
		log_error("-%c: in other tools of this name that means %s; here there is none",
			  l->word.letter, h->means);
}

static void habit_refuse(struct line *l)
{
	struct buf note;

	meaning_append(l);
	buf_char(&l->out, 0);
	if (l->is_whole && !l->out.error)
		log_hint("instead: %s%s%s", log_name_before(), l->applet->name, l->out.data);
	buf_init(&note, -1);
	if (l->first->note)
		filled_append(&note, l->first->note, l->word.value ?: "VALUE", false);
	buf_char(&note, 0);
	if (l->first->note && !note.error)
		log_hint("%s", note.data);
	buf_free(&note);
	exit(EXIT_USAGE);
}

/* getopt reports an unknown option, but does not suggest a similar one. */
static void unknown_refuse(const struct line *l)
{
	const char *name = l->unknown + 2, *end = strchrnul(name, '=');
	char *wanted = strndup(name, end - name);
	struct suggestion near;

	suggest_init(&near, wanted ?: "");
	for (const struct option_spec *s = NULL; (s = option_next(l->applet, s));)
		suggest_offer(&near, s->name);
	log_error("there is no option --%s", wanted ?: "");
	if (suggest_get(&near))
		suggest_hint(&near, &(struct suggest_words){ .before = "--" });
	else
		log_hint_help();
	free(wanted);
	exit(EXIT_USAGE);
}

void habits_check_or_exit(const struct applet *applet, int argc, char **argv)
{
	struct line l = { .applet = applet, .argc = argc, .argv = argv, .is_whole = true };

	buf_init(&l.out, -1);
	words_read(&l);
	if (l.first)
		habit_refuse(&l);
	buf_free(&l.out);
	if (l.noted)
		log_note("%s", l.noted->note);
	if (l.unknown && !applet->habits)
		unknown_refuse(&l);
}
