/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recipe.h - a tool written as a few lines for argdump: probes, options, columns.
 *
 *	recipe.c	the text → its parts
 *	recipe_find.c	a name → the text: embedded, in a folder of recipes, or a file
 *	recipe_fill.c	the parts and the options that were given → the model, and the options of all
 *	recipe_expand.c	a word of a line: abbreviations and arguments replaced
 *	recipe_program.c	… or into the program of a recipe that has one
 *	recipe_function.c	FUNC as bcc's tools have it
 *	recipe_kind.c	what is given for options and arguments, by its kind: numbers, signals, disks of this machine
 *	recipe_applet.c	a recipe as an applet: its positional arguments, [INTERVAL [COUNT]]
 *
 * The language is in docs/recipes.md.
 */
#ifndef CORETAP_FRONT_RECIPE_RECIPE_H
#define CORETAP_FRONT_RECIPE_RECIPE_H

#include <stdbool.h>
#include <stddef.h>

#include "cli/applet.h"
#include "model/model.h"

enum {
	RECIPE_OPTIONS_MAX = 16,
	RECIPE_EFFECTS_MAX = 8, /* lines under an option */
	RECIPE_ARGUMENTS_MAX = 3,
	RECIPE_DEFINITIONS_MAX = 32,
	RECIPE_LINES_MAX = 32,
	RECIPE_EXAMPLES_MAX = 8,
	RECIPE_SPECS_MORE = 8, /* options that every program has */
};

extern const struct applet argdump_applet; /* whose options the lines have, and which runs them */

/* A line with those that go on with it, indented. */
struct recipe_line {
	const char *text;
	unsigned number; /* in the file, from 1 */
};

/* An option or argument of the user: `option -P, --port PORT: HELP` or `argument FUNC: HELP`,
 * with the lines under it. */
struct recipe_option {
	struct option_spec spec; /* of an argument: only arg and help */
	struct recipe_line effects[RECIPE_EFFECTS_MAX];
	size_t effect_count;
	bool is_given;	   /* an option without an argument … */
	const char *value; /* … and with one; NULL: not given */
	bool is_optional;  /* an argument that may be left out */
	bool is_list;	   /* … that takes all words, NAME... */
};

/* NAME = EXPR */
struct recipe_definition {
	const char *name, *text;
	const struct recipe_option *from; /* the option whose ARG may be in `text`; NULL: none */
};

struct recipe {
	char *text;	  /* owned; all strings are in it or in `owned` */
	const char *path; /* for messages */
	const char *name, *summary;
	struct buf description;
	struct recipe_option options[RECIPE_OPTIONS_MAX + 1]; /* end with spec.name == NULL */
	struct recipe_option arguments[RECIPE_ARGUMENTS_MAX];
	struct recipe_definition definitions[RECIPE_DEFINITIONS_MAX];
	struct recipe_line lines[RECIPE_LINES_MAX]; /* probes, and options for all of them … */
	struct recipe_line program; /* … or a program in bpftrace's language; text NULL: none */
	struct recipe_line columns; /* text NULL: none */
	struct recipe_line theme;   /* text NULL: none */
	struct recipe_line sees,
		unseen; /* which events reach it, and which do not; text NULL: not said */
	struct example examples[RECIPE_EXAMPLES_MAX + 1];
	size_t option_count, argument_count, definition_count, line_count, example_count;
	struct option_spec specs[RECIPE_OPTIONS_MAX + RECIPE_SPECS_MORE + 1];
	char **owned; /* strings */
	size_t owned_count;
};

/* Takes over `text` (malloc), which ends with NUL. 0, -EINVAL after printing what is wrong, or
 * -ENOMEM; recipe_free in any case. `path` must outlive it. */
int recipe_parse(struct recipe *r, char *text, const char *path);
void recipe_free(struct recipe *r);
/* True if the recipe has a --pid of its own. It then has none of the common options that choose
 * tasks: these ask who runs when something begins, for example the waker of a waiting task. */
bool recipe_has_pid(const struct recipe *r);
/* How many bytes of the text are a name, as in C; 0: none begins here. */
size_t recipe_name_length(const char *text);
/* Prints FILE:LINE: WHAT 'WHICH'; -EINVAL. `which` NULL: without. */
int recipe_wrong(const struct recipe *r, unsigned line, const char *what, const char *which);
/* Makes r the owner of a string; returns it, NULL without memory. */
char *recipe_own(struct recipe *r, char *string);

/* recipe_find.c. The text of a recipe, for the caller to free; *path is where it is: `name` itself,
 * or a string for the caller to free. NULL: there is none, with errno. A NAME with a / is a file, or any with
 * `is_file`. */
char *recipe_text(const char *name, const char **path, bool is_file);
/* The lines of a built-in part of recipes that are programs, valid until the end; NULL: there is none. */
const char *recipe_part(const char *name);
/* Calls `each` with the text of every recipe that is found by name, sorted; `each` takes the text
 * over. */
void recipe_each(void (*each)(char *text, const char *path, void *ctx), void *ctx);

/* Adds the probes and all options to the model. 0, -EINVAL after printing what is wrong, or -ENOMEM. */
int recipe_fill(struct recipe *r, struct model *m);
/* NAME = EXPR under options that are given becomes definitions of the recipe. */
void recipe_definitions_read(struct recipe *r);
/* recipe_program.c: the program, below a #define for each definition; r owns the text. Sets the options that stand
 * below those of the recipe. 0, -EINVAL after printing what is wrong, or -ENOMEM. */
int recipe_program(struct recipe *r, struct options *o, const char **text);
/* True if the recipe counts instead of printing records, judging by its texts alone. */
bool recipe_counts(const struct recipe *r);
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
/* recipe_expand.c: returns a string that r owns; NULL after printing what is wrong. `from` is the
 * option that the word stands under, or NULL. */
const char *recipe_expand(struct recipe *r, const char *word, enum recipe_word kind,
			  const struct recipe_option *from, unsigned line);

/*
 * recipe_kind.c: reads what was given for options and arguments whose ARG names a kind, and makes it the number that
 * stands for it. 0, -EINVAL after printing what is wrong, or -ENOMEM.
 */
int recipe_values_read(struct recipe *r);

/* The kind of each item of a list, as PORT of PORTS; NULL: ARG names no list. */
const char *recipe_list_kind(const char *arg);

/* recipe_kind.c: looks whether the machine has the disks that were given, unless it is a dry run for perhaps another
 * one, and whether ports are some. 0, -EINVAL after printing what is wrong, or -ENOMEM. */
int recipe_things_read(struct recipe *r, bool dry_run);

struct session;
/* recipe_function.c: makes what bcc's tools take as FUNC a PROBE. 0, or -EINVAL after printing what is wrong. */
int recipe_functions_read(struct recipe *r, const struct session *s);

/* recipe_applet.c: the applet that a recipe is; valid until the end. NULL: no recipe has this name
 * (*wrong is 0), or it is wrong, which has been printed. */
const struct applet *recipe_applet(const char *name, bool *wrong);
/* The names of all recipes, end with NULL; valid until the end. */
const char *const *recipe_names(void);
/* The applet of one of these; valid until the next call. */
const struct applet *recipe_named(const char *name);
/* Prints all recipes by theme, for --list. */
void recipe_list(struct buf *o);
/* Prints the text of a recipe. Returns an exit status, after printing any error. */
int recipe_print(const char *name, struct buf *o);

#endif
