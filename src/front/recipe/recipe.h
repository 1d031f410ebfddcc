/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe.h - a tool written as a few lines for argdump: probes, options, columns.
 *
 *  *	recipe_parse.c	splits the text into its parts; recipe_head.c, the lines that begin with a keyword
 *  *	recipe_find.c	finds the text by name: embedded, in a folder of recipes, or a file
 *  *	recipe_lines.c	lines that options add, or that replace the others
 *  *	recipe_fill.c	adds the parts and the options given to the model, and the options of all
 *  *	recipe_expand.c	replaces abbreviations and arguments in a word of a line
 *  *	recipe_program.c	… or in the program of a recipe that has one
 *  *	recipe_function.c	parses FUNC as bcc's tools do
 *  *	recipe_kind.c	parses values of options and arguments by kind: numbers, signals, disks of this machine
 *  *	recipe_twice.c	refuses what is given twice, and options that exclude each other
 *  *	recipe_applet.c	a recipe as an applet: its positional arguments, [INTERVAL [COUNT]]
 *
 * The language is described in docs/recipes.md.
 */
#ifndef CORETAP_FRONT_RECIPE_RECIPE_H
#define CORETAP_FRONT_RECIPE_RECIPE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/applet.h"
#include "model/model.h"

enum {
	RECIPE_OPTIONS_MAX = 16,
	RECIPE_EFFECTS_MAX = 10, /* lines under an option */
	RECIPE_ARGUMENTS_MAX = 3,
	RECIPE_DEFINITIONS_MAX = 32,
	RECIPE_LINES_MAX = 32,
	RECIPE_EXAMPLES_MAX = 8,
	RECIPE_SPECS_MORE = 8, /* options that every program has */
};

extern const struct applet argdump_applet; /* runs the lines, and has their options */

/* A line with its indented continuation lines. */
struct recipe_line {
	const char *text;
	unsigned number;		  /* in the file, from 1 */
	const struct recipe_option *from; /* a line for all: the option that adds it; NULL: none */
};

/* An option or argument of the user: `option -P, --port PORT: HELP` or `argument FUNC: HELP`,
 * with the lines under it. */
struct recipe_option {
	struct option_spec spec; /* of an argument: only arg and help */
	struct recipe_line effects[RECIPE_EFFECTS_MAX];
	size_t effect_count;
	bool is_given;	   /* an option without an argument … */
	const char *value; /* … and with one; NULL: not given */
	bool is_optional;  /* an optional argument */
	bool is_list;	   /* … that accepts several words, NAME... */
};

/* NAME = EXPR */
struct recipe_definition {
	const char *name, *text;
	const struct recipe_option *from; /* the option whose ARG may occur in `text`; NULL: none */
};

struct recipe {
	char *text;	  /* owned; all strings point into it or are in `owned` */
	const char *path; /* for messages */
	const char *name, *summary;
	struct buf description;
	struct recipe_option options[RECIPE_OPTIONS_MAX + 1]; /* end with spec.name == NULL */
	struct recipe_option arguments[RECIPE_ARGUMENTS_MAX];
	struct recipe_definition definitions[RECIPE_DEFINITIONS_MAX];
	struct recipe_line lines[RECIPE_LINES_MAX]; /* probes, and options for all of them … */
	struct recipe_line program; /* … or a program in bpftrace's language; text NULL: none */
	const char *only; /* the condition of options on all events of a program; NULL: none */
	struct recipe_line columns; /* text NULL: none */
	struct recipe_line minor;   /* columns as FIELD_MINOR; text NULL: none */
	struct recipe_line theme;   /* text NULL: none */
	struct recipe_line sees,
		/* events that it sees, and events that it does not see; text NULL: not described */
		unseen;
	struct example examples[RECIPE_EXAMPLES_MAX + 1];
	size_t option_count, argument_count, definition_count, line_count, example_count;
	struct option_spec specs[RECIPE_OPTIONS_MAX + RECIPE_SPECS_MORE + 1];
	char **owned; /* strings */
	size_t owned_count;
};

/* Parses `text` (malloc'ed, NUL-terminated) and takes ownership of it. Returns 0, -EINVAL after printing the error,
 * or -ENOMEM; call recipe_free in any case. `path` must outlive it. */
int recipe_parse(struct recipe *r, char *text, const char *path);
void recipe_free(struct recipe *r);
/* True if the recipe has a --pid of its own. It then lacks the common options that choose tasks: these filter by the
 * running task, which may be, for example, the waker of a waiting task. */
bool recipe_has_pid(const struct recipe *r);
/* Returns the length of the name at the start of the text, as in C; 0: none. */
size_t recipe_name_length(const char *text);
/* Prints FILE:LINE: WHAT 'WHICH'; returns -EINVAL. `which` may be NULL. */
int recipe_wrong(const struct recipe *r, unsigned line, const char *what, const char *which);
/* Makes r the owner of a string; returns it, or NULL if out of memory. */
char *recipe_own(struct recipe *r, char *string);

/* recipe_find.c. Returns the text of a recipe, which the caller frees. *path is its location: `name` itself, or a
 * string that the caller frees. NULL: none, with errno. A NAME with a / is a file, as is any name with `is_file`. */
char *recipe_text(const char *name, const char **path, bool is_file);
/* Returns the lines of a built-in part of recipes that are programs, valid until the end; NULL: none. */
const char *recipe_part(const char *name);
/* Calls `each` for every recipe that is found by name, sorted; `each` becomes the owner of the text. */
void recipe_each(void (*each)(char *text, const char *path, void *ctx), void *ctx);

/* Adds the probes and all options to the model; if the user `folds` stacks, not the recipe's --top, --sort, --interval and
 * --clear; if the user wants a table, its keys are the `stacks`, and the recipe's --folded is left out. Returns 0,
 * -EINVAL after printing the error, or -ENOMEM. */
int recipe_fill(struct recipe *r, struct model *m, bool folds, const char *stacks);
/* Adds each NAME = EXPR under options that are given to the definitions of the recipe. */
void recipe_definitions_read(struct recipe *r);
/* True if the user has given the option, or the argument. */
static inline bool recipe_is_given(const struct recipe_option *o)
{
	return o->is_given || o->value;
}

/* recipe_lines.c: returns what follows a word at the start of a line below an option; NULL: the line begins otherwise. */
const char *recipe_effect_after(const struct recipe_line *effect, const char *word);
/* True if lines below the option replace those of the recipe: instead PROBE. */
bool recipe_replaces(const struct recipe_option *o);
/* Returns the first such option, given or not; NULL: the recipe has none. */
const struct recipe_option *recipe_replacing(const struct recipe *r);
/* True if the user has given such an option. */
bool recipe_is_replaced(const struct recipe *r);
/* Gives the options that have a line `default unless --A, --B`, if the user chooses no tasks and gives none of these. */
void recipe_defaults_set(struct recipe *r, bool tasks_chosen);
/* Replaces the recipe's lines, and adds others, as the given options say. Returns 0, or -EINVAL after printing the
 * error. */
int recipe_lines_choose(struct recipe *r);
/* recipe_program.c: builds the program, preceded by a #define for each definition; r owns the text. Sets the options
 * that are listed below those of the recipe. Returns 0, -EINVAL after printing the error, or -ENOMEM. */
int recipe_program(struct recipe *r, struct options *o, const char **text);
/* True if the recipe counts instead of printing records, judging by its texts alone. */
bool recipe_counts(const struct recipe *r);
/* True if a line of a recipe counts. */
bool recipe_text_counts(const char *text);
/* True if a line of its program begins with the probe. */
bool recipe_has_probe(const struct recipe *r, const char *name);
/* True if [INTERVAL [COUNT]] may follow the arguments. Recipes that count have it, except with
 * folded stacks, which are printed at the end, and with an optional argument, for which a number
 * could be meant. */
bool recipe_has_intervals(const struct recipe *r);
/* True if one of the lines has this option of argdump. */
bool recipe_has_word(const struct recipe *r, const char *option);

/* How a word is expanded. */
enum recipe_word {
	RECIPE_PLAIN, /* a PROBE or a number: names are replaced without parentheses */
	RECIPE_EXPR,  /* an expression without a name */
	RECIPE_VALUE, /* [NAME=]EXPR[:FORMAT], or several with commas */
	RECIPE_NAMES, /* names of columns: nothing is replaced */
};
/* recipe_expand.c: returns a string that r owns; NULL after printing the error. `from` is the option whose lines
 * contain the word, or NULL. */
const char *recipe_expand(struct recipe *r, const char *word, enum recipe_word kind,
			  const struct recipe_option *from, unsigned line);

/* recipe_twice.c: refuses an argument that an option gives too, and options that exclude each other; INTERVAL and COUNT
 * for which there is an option, as in `funccount -i 1 FUNC 2`. Returns 0, or -EINVAL after printing the error. */
int recipe_given_check(const struct recipe *r, const struct options *o);
int recipe_intervals_check(const struct recipe *r, int argc, char **argv);

/*
 * recipe_kind.c: parses the values of options and arguments whose ARG names a kind, and replaces them by numbers.
 * Returns 0, -EINVAL after printing the error, or -ENOMEM.
 */
int recipe_values_read(struct recipe *r);

/* Returns the kind of each item of a list, as PORT for PORTS; NULL: not a list. */
const char *recipe_list_kind(const char *arg);

/* recipe_kind.c: checks that the machine has the disks that were given, unless this is a dry run, perhaps for another
 * machine, and that ports are valid. Returns 0, -EINVAL after printing the error, or -ENOMEM. */
int recipe_things_read(struct recipe *r, bool dry_run);
/* In a pid namespace, a recipe about tasks other than the running one shows the host's numbers, and refuses others.
 * Returns 0, or -EINVAL after printing the error. */
int recipe_numbers_choose(const struct recipe *r, struct options *o);
/* The process or thread of an option PID or TID must exist, and the tracing ends with it. */
void recipe_subjects_choose(const struct recipe *r, struct options *o);

struct session;
/* recipe_function.c: converts a FUNC of bcc's tools to a PROBE. Returns 0, or -EINVAL after printing the error. */
int recipe_functions_read(struct recipe *r, const struct session *s);

/* recipe_applet.c: returns a recipe as an applet; valid until the end. NULL: no recipe has this name (*wrong is
 * false), or it is invalid, and the error was printed. */
const struct applet *recipe_applet(const char *name, bool *wrong);
/* Returns the names of all recipes, ended by NULL; valid until the end. */
const char *const *recipe_names(void);
/* Returns the applet for one of these; valid until the next call. */
const struct applet *recipe_named(const char *name);
/* Prints all recipes by theme, for --list. */
void recipe_list(struct buf *o);
/* Prints the text of a recipe. Returns an exit status, after printing any error. */
int recipe_print(const char *name, struct buf *o);

#endif
