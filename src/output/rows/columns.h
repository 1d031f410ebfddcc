/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * columns.h - --columns: chooses which values a record shows, in which order, aligned below one header.
 */
#ifndef CORETAP_OUTPUT_ROWS_COLUMNS_H
#define CORETAP_OUTPUT_ROWS_COLUMNS_H

#include <stdbool.h>
#include <stddef.h>

#include "output/field/record.h"

/*
 * Replaces the fields of each schema by those named in `list`: "comm,file,lat". They are owned by *owned, which the
 * caller frees after the schemas' last use. A schema may lack a column, but one of them must have it: returns -EINVAL
 * after printing the error with a hint (NULL: the available names), or -ENOMEM.
 */
int columns_set(const char *list, struct schema **schemas, size_t count, const char *hint,
		struct field **owned);

/* True if the list names that column. */
bool columns_have(const char *list, const char *name);

/* Prints that no schema has a value of the name that the option asks for. */
void columns_unknown_report(const char *option, const char *text, size_t len,
			    struct schema *const *schemas, size_t count, const char *hint);

#endif
