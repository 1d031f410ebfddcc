/* SPDX-License-Identifier: GPL-2.0-only */
/* habits_line.c - writes the command line in which words of this tool replace habits of others. */
#include <stdlib.h>
#include <string.h>

#include "cli/habits_line.h"
#include "cli/option_read.h"
#include "util/log.h"

_Noreturn void habits_no_memory(void)
{
	log_error("out of memory");
	exit(EXIT_FAILED);
}

void habits_word_own(struct habits_line *l, char *word)
{
	if (l->count + 1 >= l->room) {
		l->room = 2 * l->room + 16;
		l->words = realloc(l->words, l->room * sizeof(*l->words));
	}
	if (!l->words || !word)
		habits_no_memory();
	l->words[l->count++] = word;
	l->words[l->count] = NULL;
}

void habits_word_append(struct habits_line *l, const char *word)
{
	habits_word_own(l, strdup(word));
}

/* Appends the options that trace a process by its interpreter. */
static void interpreter_append(struct habits_line *l, const char *pid)
{
	bool is_java;

	habits_word_own(l, habit_interpreter(pid, &is_java));
	if (is_java && option_find(l->applet, "java"))
		habits_word_append(l, "--java");
}

/* Appends the words of a row; a value that contains blanks stays one word. */
static void instead_append(struct habits_line *l, const struct habit *h, const char *value)
{
	for (const char *at = h->instead; *at;) {
		size_t len = strcspn(at, " ");

		if (!strncmp(at, "{file}", len))
			interpreter_append(l, value);
		else if (!strncmp(at, "{language}", len))
			habits_word_own(l, habit_language(value));
		else if (!strncmp(at, "{netns}", len))
			habits_word_own(l, habit_netns(value));
		else if (*at == '@')
			habits_word_own(l, habit_program(at + 1));
		else
			habits_word_own(l, habit_text(at, len, value));
		at += len + strspn(at + len, " ");
	}
}

/* Reports what has no equivalent and is dropped. */
static void note_print(const struct habit *h, const struct habit_word *w)
{
	char *note = habit_text(h->note, strlen(h->note), w->value);

	if (note && w->letter && w->letter != '.')
		log_note("-%c: %s", w->letter, note);
	else if (note)
		log_note("%s%s: %s", w->letter ? "" : "--", w->letter ? w->value : h->name, note);
	free(note);
}

void habits_line_note(struct habits_line *l, const struct habit *h, const struct habit_word *w)
{
	if (h->takes_value && !w->value && h->instead) {
		log_error("a value is missing: %s", h->means);
		exit(EXIT_USAGE);
	}
	if (w->value && h->instead && !habit_has_choice(h->instead, w->value)) {
		log_error("%s%s %s: it must be %s", w->letter ? "-" : "--",
			  w->letter ? (char[]){ w->letter, 0 } : h->name, w->value, h->means);
		exit(EXIT_USAGE);
	}
	l->is_other = true;
	if (!l->first || (!h->instead && l->is_whole)) {
		l->first = h;
		l->word = *w;
	}
	l->is_whole &= h->instead != NULL;
	if (!h->instead)
		return;
	if (w->letter != '.' && !strncmp(h->instead, "-- ", 3))
		l->command = w->value;
	else
		instead_append(l, h, w->value);
	if (h->note && (!*h->instead || h->when == HABIT_SAID || h->when == HABIT_TWO ||
			h->when == HABIT_LONE_NUMBER))
		note_print(h, w);
}
