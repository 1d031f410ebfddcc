/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * condition.h - --until: a condition on the values of a record, as its fields show them:
 * NAME OP VALUE [&& NAME OP VALUE …].
 */
#ifndef CORETAP_OUTPUT_ROWS_CONDITION_H
#define CORETAP_OUTPUT_ROWS_CONDITION_H

#include "output/field/record.h"
#include "util/buf.h"

enum { CONDITION_TERMS = 8 };

struct condition {
	struct condition_term {
		const struct field *field;
		unsigned op; /* enum of condition.c */
		bool is_number;
		double number; /* in the field's unit */
		char *text;    /* owned */
	} terms[CONDITION_TERMS];
	size_t count;	  /* 0: no condition */
	struct buf shown; /* owned */
};

/* Parses the condition of an option ("--where"), or another one that must also be true; the fields must outlive it.
 * Returns 0, or -EINVAL after printing the error. */
int condition_read(struct condition *c, const char *option, const char *text,
		   const struct schema *schema);
/* True if the condition holds for the record. A field without a value matches only !=. */
bool condition_holds(struct condition *c, const void *record, size_t size);
void condition_free(struct condition *c);

#endif
