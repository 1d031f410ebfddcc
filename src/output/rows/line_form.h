/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * line_form.h - how a value of a line is written: a width, or a conversion as in C.
 *
 *	form := ['-'] WIDTH | '%' FLAGS WIDTH '.' PRECISION MODIFIER CONVERSION | '+' TEXT | '@' STRFTIME
 */
#ifndef CORETAP_OUTPUT_ROWS_LINE_FORM_H
#define CORETAP_OUTPUT_ROWS_LINE_FORM_H

#include "output/field/field.h"

enum line_form_kind {
	LINE_PLAIN,  /* as in a column */
	LINE_NUMBER, /* %d … of a number, of 64 bits unless a modifier says otherwise */
	LINE_STRING, /* %s: cut to the precision */
	LINE_AFTER,  /* a string, behind a text; nothing if there is none */
	LINE_TIME,   /* of CLOCK_MONOTONIC ns, as by strftime */
};

struct line_form {
	enum line_form_kind kind;
	int width;	       /* columns, negative: on the left; of LINE_PLAIN and LINE_STRING */
	int precision;	       /* of LINE_STRING; -1: none */
	char text[48];	       /* for printf, or strftime, or the TEXT */
	char letter, modifier; /* of LINE_NUMBER; modifier 'H': hh */
};

/* Reads bytes [start, end); false: this is no form. */
bool line_form_read(struct line_form *f, const char *start, const char *end);
/* Can the field be written so? */
bool line_form_fits(const struct line_form *f, const struct field *field);
/* Writes the field of a record of `size` bytes. Returns 0 or -EBADMSG. */
int line_form_put(struct buf *o, const struct line_form *f, const struct field *field,
		  const void *record, size_t size, enum timestamp_form form);

#endif
