/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * help.h - prints --help from a descriptor: a page of at most 60 lines, and topics in full.
 *
 * It does not know any applet by name. argp prints all options in full (--help=options).
 */
#ifndef CORETAP_CLI_HELP_H
#define CORETAP_CLI_HELP_H

#include "cli/options.h"
#include "util/buf.h"

struct applet;

enum { HELP_LINES = 60 }; /* of the page */

/* The headings of options, in this order. NULL: no such section. */
const char *help_section(unsigned section);
/* Returns the heading for an option of an applet. */
unsigned help_section_of(const struct option_spec *spec);
/* Describes an option in one line of at most `width` bytes. Valid until the next call. */
const char *help_brief(const struct option_spec *spec, int width);

/* Returns topic number i of an applet; NULL after the last. */
const char *help_topic(const struct applet *a, size_t i);
bool help_has_topic(const struct applet *a, const char *topic);
/* Prints the text below the usage line: the page of --help (topic NULL), the text after the options (topic "all"), or
 * a topic other than "options". */
void help_print(const struct applet *a, const char *topic, struct buf *o);

/* Printed at the end of every man page and of --help=all. */
extern const char help_exit_status[];

/* ---- paragraphs (paragraph.c) ---- */

enum { HELP_WIDTH = 80 }; /* columns */

/* Text in lines that all start in the same column. */
struct paragraph {
	struct buf *o;
	int indent;
	int column;
	bool is_begun; /* the line has a word */
};

/* True if a word of that length fits into the line. */
bool paragraph_has_room(const struct paragraph *p, size_t len);
/* Adds words, separated by blanks. */
void paragraph_words(struct paragraph *p, const char *text, size_t size);
void paragraph_format(struct paragraph *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds a description: lines that begin with two blanks unchanged, the others wrapped. */
void paragraph_lines(struct buf *o, const char *text, size_t size);
/* Appends blanks up to a column, at least two, and returns the column. `line` is the offset of the line. */
int paragraph_column(struct buf *o, size_t line, int column);
/* Returns the number of lines. */
int paragraph_count(const struct buf *o);

#endif
