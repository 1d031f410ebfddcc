/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paragraph.h - words in lines of a width, for help texts.
 */
#ifndef CORETAP_CLI_PARAGRAPH_H
#define CORETAP_CLI_PARAGRAPH_H

#include "util/buf.h"

enum { HELP_WIDTH = 80 }; /* columns */

/* Text whose lines all begin in the same column. */
struct paragraph {
	struct buf *o;
	int indent;
	int column;
	bool is_begun; /* the line has a word */
};

/* Adds words, each with a blank before it but at the begin of a line. */
void paragraph_words(struct paragraph *p, const char *text, size_t size);
void paragraph_format(struct paragraph *p, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Adds a description: lines that begin with two blanks as they are, the others wrapped. */
void paragraph_lines(struct buf *o, const char *text, size_t size);
/* Blanks up to a column, at least two. Returns the column that is reached. `line`: where the line begins. */
int paragraph_column(struct buf *o, size_t line, int column);
/* How many lines there are. */
int paragraph_count(const struct buf *o);

#endif
