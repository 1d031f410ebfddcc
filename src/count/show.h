/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.h - columns that are chosen and computed when a row is printed: NAME, NAME=EXPR, in C over
 * the fields of the row.
 *
 *	show.c		texts → expressions; the schema of the columns
 *	show_eval.c	an expression → its number, for a row
 *	gauge.c		$meminfo(NAME): what the kernel has beside the row
 *
 * Nothing here knows where a row comes from.
 */
#ifndef CORETAP_COUNT_SHOW_H
#define CORETAP_COUNT_SHOW_H

#include "expr/program.h"
#include "output/field/record.h"

/* The columns of a run; initially all zero. The texts must outlive it. */
struct show {
	struct expr_program program; /* owned: the expressions, as slots */
};

/* An expression, and the fields that it computes with. */
struct show_column {
	const struct slot *slot;
	const struct schema *row;
};

/* Parses [NAME=]EXPR[:FORMAT]. Returns 0, -ENOMEM, or -EINVAL after printing an error. */
int show_parse(struct show *s, const char *const *texts, size_t count);
/* Builds the schema of the columns from that of a row: the first `keys` fields (those that are also columns, only in
 * JSON), the columns, the total and sparse fields. Rows are sorted by the first column that is a number and no key;
 * the remaining fields are for metrics. The row's fields must outlive the result, which the show owns. Returns 0,
 * -ENOMEM, or -EINVAL after printing an error. */
int show_schema(struct show *s, const struct schema *row, size_t keys, struct schema *shown);
void show_free(struct show *s);

/* show_eval.c: finds the field that a name refers to; NULL: none. A name may be $comm; it has no unit. */
const struct field *show_find(const struct schema *row, const char *name, size_t len);
/* True if the value is a number. */
bool show_is_number(const struct field *f);
/* A field_value_fn: computes the number of a field whose context is a struct show_column. It has no value if an
 * operand has none, or for a division by 0. */
field_value_fn show_value;

#endif
