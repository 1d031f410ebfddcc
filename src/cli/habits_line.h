/* SPDX-License-Identifier: GPL-2.0-only */
/* habits_line.h - private to cli/: a command line that is read, and the one with words of this tool that replaces it. */
#ifndef CORETAP_CLI_HABITS_LINE_H
#define CORETAP_CLI_HABITS_LINE_H

#include "cli/applet.h"
#include "cli/habits.h"

struct habits_line {
	const struct applet *applet;
	int argc, at; /* at: the current word */
	char **argv;
	unsigned arguments;
	const struct habit *first; /* a habit without an equivalent, or the first of all */
	struct habit_word word;	   /* as it was typed */
	bool is_whole;		   /* every habit has a replacement */
	bool is_other;		   /* the line differs from what was typed */
	bool is_verbose;
	char **words; /* the new line; argv[0] first */
	int count, room;
	const char *unknown; /* an unknown option, or NULL */
	const char *command; /* of an option of the original: it follows all words; NULL: none */
};

/* Reports that memory is short, and exits. */
_Noreturn void habits_no_memory(void);
/* Appends a word to the new line and owns it until the end of the run. */
void habits_word_own(struct habits_line *l, char *word);
/* The same for a copy of the word. */
void habits_word_append(struct habits_line *l, const char *word);
/* Appends what replaces a habit, or records that nothing does. Exits after an error. */
void habits_line_note(struct habits_line *l, const struct habit *h, const struct habit_word *w);

#endif
