/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habits.h - options of other tools of the same name that mean something else here. They are refused, with the
 * command line that does what users mean.
 */
#ifndef CORETAP_CLI_HABITS_H
#define CORETAP_CLI_HABITS_H

#include "cli/options.h"
#include "util/buf.h"

enum habit_when {
	HABIT_ALWAYS,
	HABIT_EVER,
	HABIT_SAID,
	HABIT_NOTED,
	HABIT_NUMBER,
	HABIT_WORD,
	HABIT_PATH,
	HABIT_BARE,
	HABIT_FIRST_NUMBER,
	HABIT_LATER_NUMBER,
	HABIT_TRACE,
	HABIT_INFO,
	HABIT_C,
	HABIT_DEVICE,
	HABIT_MYSQL,
	HABIT_LANGUAGE,
	HABIT_FIRST_LANGUAGE,
	HABIT_SERVER
};

/* A row of habits.def, where the members are described. */
struct habit {
	const char *tools, *name;
	char letter;
	bool takes_value;
	uint8_t when; /* enum habit_when */
	const char *means, *instead, *note;
};

/* A word of the command line: an option's letter or name, or an argument ('.'). Its value is attached or the next
 * word; or NULL. */
struct habit_word {
	char letter;
	const char *name;
	size_t name_len;
	const char *value;
	bool is_attached;
	unsigned arguments; /* before it */
};

/* Writes the letters that mean here what they mean in tools of the same name elsewhere, a line each, and which of our
 * words these are. False: there are none. */
bool habit_letters_write(struct buf *o, const struct applet *applet);

/* The row for that; NULL: there is none. */
const struct habit *habit_find(const struct applet *applet, const struct habit_word *w);

/*
 * habits_check.c: replaces habits by words that do the same here, in a new *argv that stays until the end of the run.
 * Returns its length. Exits with EXIT_USAGE, after printing what is wrong, if nothing here does what one of them means,
 * or if an option does not exist.
 */
int habits_read_or_exit(const struct applet *applet, int argc, char ***argv);

/* habits_process.c: the file with the interpreter that a process runs: its library, or its program; of malloc. NULL: no
 * memory. */
char *habit_interpreter(const char *pid, bool *is_java);
/* The file of a program that runs, by the names that it may have, each with a comma behind it. Exits if there is
 * none. */
char *habit_program(const char *names);

#endif
