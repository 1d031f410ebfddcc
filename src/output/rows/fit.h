/* SPDX-License-Identifier: GPL-2.0-only */
/* fit.h - tables and texts that fit into a terminal's columns. */
#ifndef CORETAP_OUTPUT_ROWS_FIT_H
#define CORETAP_OUTPUT_ROWS_FIT_H

#include "output/field/field.h"
#include "output/rows/sink.h"
#include "util/terminal.h"

/* The least columns of any text, of the longer ones, such as addresses and paths, and of numbers. */
enum { FIT_LEAST = 8, FIT_LONG = 15, FIT_NUMBER = 5 };

/* Returns the number of characters of an escaped text: each takes one column. */
size_t fit_columns(const char *text, size_t len);
/* Appends the text if it needs at most that many columns; else what fits, with … where characters are missing: at the
 * end of several words, in the middle of one, as the ends of paths and addresses say more. Counts in o->shortened. */
void fit_write(struct buf *o, const char *text, size_t len, size_t columns);

/* A column of a table. */
struct fit_column {
	const struct field *field; /* NULL: the time */
	size_t width;		   /* 0: the last one, of texts of any length */
	bool is_text;		   /* may be narrower */
	bool is_exact;		   /* its numbers need this width: they were measured */
	bool is_hidden;
};

/* Makes a table of `count` columns, with `gap` blanks between them, fit into the terminal: hides those that are
 * FIELD_MINOR or in s->minor, from the last, then narrows the widest texts. If that is not enough, numbers have less room as
 * well, then columns of --extended are hidden, then numbers, from the last. If nothing is enough, all columns stay as they are. Returns the columns of
 * the table. */
size_t fit_table(const struct sink *s, struct fit_column *columns, size_t count, size_t gap);
/* Notes once which columns are hidden. */
void fit_note(struct sink *s, const struct fit_column *columns, size_t count);
/* Returns the style of a field's text: no error is 0 or -. */
enum style fit_style(const struct field *f, const char *text, size_t len);

#endif
