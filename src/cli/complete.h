/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complete.h - completion of command lines: the scripts for the shells, and the words that they request, derived from
 * descriptors. It does not know any applet by name.
 */
#ifndef CORETAP_CLI_COMPLETE_H
#define CORETAP_CLI_COMPLETE_H

#include "output/field/field.h"
#include "cli/man.h"
#include "cli/options.h"

struct completion {
	struct buf *o;
	const char *head; /* the text before the completed part: --pid=17, */
	size_t head_len;
	const char *begin; /* the completed part */
	const char *btf;   /* of --btf; NULL: the running kernel's */
	/* for an applet's `complete`: the first argument, if an EXPR of it is completed; NULL: a PROBE is */
	const char *first;
	const char *given; /* the first argument, or NULL if there is none before this word */
};

/* Offers a word if it begins with the typed text, with its meaning or NULL. */
void completion_word(struct completion *c, const char *word, const char *what);
/* The same for each name of a table, and for each name up to a NULL. */
void completion_names(struct completion *c, const struct field_name *names);
void completion_choices(struct completion *c, const char *const *choices);
/* Completes what begins at `begin`, a place in the word: the text before stays. */
void completion_begin(struct completion *c, const char *begin);
/* Completes the word after the last comma. */
void completion_list(struct completion *c);
/* Offers the words for options and arguments of that name (PID, USER …). Returns false if any text is valid. */
bool completion_kind(struct completion *c, const struct applet *a, const char *arg);

/*
 * Prints the completions of the last of `words`, a line each: WORD, a tab, its meaning. A line ":files" also asks for
 * file names, and ":command" for a command and its arguments. The first word is coretap or an applet. `phrases`
 * offers the words of coretap find.
 */
void complete_print(struct buf *o, int count, char **words, const char *const *more,
		    man_find_fn *find, void (*phrases)(struct completion *c));
/*
 * The shells that have a completion script, each with one of the macros that are given. complete_scripts.c defines for
 * each SHELL, SHELL_head and SHELL_end; help, completion and tools/texts derive their lists from this one.
 */
#define COMPLETE_SHELLS(FIRST, NEXT, LAST) FIRST(bash) NEXT(zsh) LAST(fish)
#define COMPLETE_SHELL_NAME(shell)	   #shell
#define COMPLETE_SHELL_COMMA(shell)	   ", " #shell
#define COMPLETE_SHELL_OR(shell)	   " or " #shell
#define COMPLETE_SHELL_BAR(shell)	   "|" #shell
/* "bash|zsh|fish" */
#define COMPLETE_SHELLS_CHOICE                                                                     \
	COMPLETE_SHELLS(COMPLETE_SHELL_NAME, COMPLETE_SHELL_BAR, COMPLETE_SHELL_BAR)
/* "bash, zsh or fish" */
#define COMPLETE_SHELLS_TEXT                                                                       \
	COMPLETE_SHELLS(COMPLETE_SHELL_NAME, COMPLETE_SHELL_COMMA, COMPLETE_SHELL_OR)
/* Appends the script for a shell. Returns false if the shell is unknown. */
bool complete_script(struct buf *o, const char *shell, const char *const *more);

#endif
