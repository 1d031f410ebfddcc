/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habits.h - what users of other tools of the same name type, where that means something else here: refused, with
 * the line that does what they mean.
 */
#ifndef CORETAP_CLI_HABITS_H
#define CORETAP_CLI_HABITS_H

#include "cli/options.h"

enum habit_when {
	HABIT_ALWAYS,
	HABIT_EVER,
	HABIT_NOTED,
	HABIT_NUMBER,
	HABIT_WORD,
	HABIT_PATH,
	HABIT_BARE,
	HABIT_FIRST_NUMBER,
	HABIT_TRACE,
	HABIT_INFO,
	HABIT_SERVER
};

/* A row of habits.def, which says what these are. */
struct habit {
	const char *tools;
	char letter;
	const char *name;
	bool takes_value;
	enum habit_when when;
	const char *means, *instead, *note;
};

/* What stands on the command line: an option's letter, or its name, or an argument ('.'); its value, which is
 * the next word where none is attached; NULL: none. */
struct habit_word {
	char letter;
	const char *name;
	size_t name_len;
	const char *value;
	bool is_attached;
	unsigned arguments; /* before it */
};

/* The row for that; NULL: there is none. */
const struct habit *habit_find(const struct applet *applet, const struct habit_word *w);
/* Is that letter refused whatever comes behind it? Then the option has none here. */
bool habit_has_letter(const struct applet *applet, const struct option_spec *spec);

/* habits_check.c: exits with EXIT_USAGE, after saying what is wrong and which line does what is meant, if any of
 * the words is such a habit, or an option that does not exist but is near to one. */
void habits_check_or_exit(const struct applet *applet, int argc, char **argv);

#endif
