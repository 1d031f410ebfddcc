/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line.h - writes a record as a text with values in it, instead of columns.
 *
 * 	text := { any byte | '{{' | '\n' | '\t' | '\\' | '{' NAME [':' FORM] '}' } ['\c']
 *
 * NAME names a value, or after $ a column that every record has; FORM is a width, or a conversion of
 * printf. A line ends with a newline, unless the text ends with \c.
 */
#ifndef CORETAP_OUTPUT_ROWS_LINE_H
#define CORETAP_OUTPUT_ROWS_LINE_H

#include "output/field/field.h"
#include "output/field/record.h"
#include "output/field/timestamp.h"

struct line;

/* An error in bytes [start, end) of a text. */
struct line_error {
	size_t start, end;
	bool is_name;	/* no value has this name */
	bool is_number; /* the value is no number; if neither is set, the form is invalid */
};

/* Parses the text for records of this schema; both must outlive the line, which line_free frees. Returns NULL on
 * error: *error tells why; start == end means out of memory. */
struct line *line_build(const char *text, const struct schema *schema, struct line_error *error);
void line_free(struct line *line);
/* Writes the text with the record's values, and a newline. Skips stacks: the caller writes them below. Returns 0 or
 * -EBADMSG. */
int line_write(struct buf *o, const struct line *line, const void *record, size_t size,
	       enum timestamp_form form);

#endif
