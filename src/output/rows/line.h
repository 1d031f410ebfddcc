/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line.h - a record as a text with values in it, instead of columns.
 *
 * 	text := { any byte | '{{' | '\n' | '\t' | '\\' | '{' NAME [':' FORM] '}' } ['\c']
 *
 * NAME is that of a value, or $ and that of a column of every record; FORM is a width, or a conversion
 * of C's (line.h). A line ends with a newline, unless \c is its end.
 */
#ifndef CORETAP_OUTPUT_ROWS_LINE_H
#define CORETAP_OUTPUT_ROWS_LINE_H

#include "output/field/field.h"
#include "output/field/record.h"
#include "output/field/timestamp.h"

struct line;

/* An error in a text, in its bytes [start, end). */
struct line_error {
	size_t start, end;
	bool is_name;	/* there is no such value … */
	bool is_number; /* … or it is no number; else it is no text of this form */
};

/* Reads the text for records of this schema; both must outlive the line, which line_free frees. NULL: *error
 * says why, or start == end: no memory. */
struct line *line_build(const char *text, const struct schema *schema, struct line_error *error);
void line_free(struct line *line);
/* Writes the text with the record's values, and a newline. Stacks among them are left to the caller, who writes
 * them below. Returns 0 or -EBADMSG. */
int line_put(struct buf *o, const struct line *line, const void *record, size_t size,
	     enum timestamp_form form);

#endif
