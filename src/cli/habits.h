/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * habits.h - options of other tools of the same name that mean something else here. They are refused, with the
 * command line that does what users expect.
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
	HABIT_UNPATTERN,
	HABIT_TWO,
	HABIT_PATH,
	HABIT_BARE,
	HABIT_GROUPED,
	HABIT_FIRST_NUMBER,
	HABIT_LATER_NUMBER,
	HABIT_LONE_NUMBER,
	HABIT_NUMBERS,
	HABIT_CALL,
	HABIT_TRACE,
	HABIT_INFO,
	HABIT_C,
	HABIT_NONE,
	HABIT_DEVICE,
	HABIT_MYSQL,
	HABIT_LANGUAGE,
	HABIT_FIRST_LANGUAGE,
	HABIT_SERVER,
	HABIT_OPENSSL,
	HABIT_GNUTLS,
	HABIT_NSS
};

/* stands for NULL among the texts of a packed row (tools/pack-habits.c) */
#define HABIT_NO_TEXT "\n"

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
	const char *after;  /* the word after the value, or after an argument; NULL: none */
	unsigned arguments; /* words before it */
};

/* Writes the letters that have the same meaning in tools of the same name elsewhere, a line each, with our options
 * for them. Returns false if there are none. */
bool habit_letters_write(struct buf *o, const struct applet *applet);

/* Appends the pattern, with * and ?, that matches the same as a regular expression that is searched for. Returns false
 * if there is none. */
bool habit_pattern_write(struct buf *o, const char *expression);
/* False if the text is an option whose name depends on the value, --{A=B,C=D}, and there is none for this one. */
bool habit_has_choice(const char *text, const char *value);
/* Returns the text of a row with the user's value (NULL: "VALUE") for each {}; malloc'ed. NULL: out of memory. */
char *habit_text(const char *text, size_t len, const char *value);

/* True for 5, 0.5, 10ms and 1,2. */
bool habit_is_number(const char *value);

/* Returns the row for the word; NULL: none. */
const struct habit *habit_find(const struct applet *applet, const struct habit_word *w);
/* Reports that the word means something else in other tools of this name, as the row says. */
void habit_meaning_report(const struct applet *applet, const struct habit *h,
			  const struct habit_word *w);

/*
 * habits_check.c: replaces habits by words with the same effect here, in a new *argv that lives until the end of the
 * run. Returns its length. If a habit has no equivalent, or an option does not exist, prints an error and exits with
 * EXIT_USAGE.
 */
int habits_read_or_exit(const struct applet *applet, int argc, char ***argv);

/* habits_process.c: returns the path of the interpreter that a process runs, its library or its program; malloc'ed.
 * NULL: out of memory. */
char *habit_interpreter(const char *pid, bool *is_java);
/* Returns the number of a process's network namespace; malloc'ed. NULL: out of memory. Exits if it cannot be read. */
char *habit_netns(const char *pid);
/* Returns the path of a running program by its possible names, each followed by a comma. Exits if there is none. */
char *habit_program(const char *names);
/* Returns the interpreter of a process whose name begins with that of the language; malloc'ed. Exits if there is none. */
char *habit_language(const char *language);

#endif
