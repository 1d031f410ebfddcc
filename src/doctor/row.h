/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * row.h - a check's result as a row of the report: its fields, and its text.
 */
#ifndef CORETAP_DOCTOR_ROW_H
#define CORETAP_DOCTOR_ROW_H

#include "doctor/check.h"
#include "output/rows/sink.h"

/* Does not own its texts. NULL: there is none. */
struct doctor_row {
	const char *group, *name, *why, *todo;
	const struct doctor_result *result;
	bool with_log; /* also in text */
	const char *kernel;

	const char *answer, *text, *rights, *error,
		*log; /* set from the result by doctor_row_put */
	char number[16];
};

enum { DOCTOR_FIELDS = 10 };
extern const struct field doctor_fields[DOCTOR_FIELDS];
extern const struct schema doctor_schema;

/* The word for an answer. */
const char *doctor_answer_name(enum doctor_answer answer);
/* Writes the row at once, because the next check may take a second. */
void doctor_row_put(struct sink *s, struct doctor_row *row);

#endif
