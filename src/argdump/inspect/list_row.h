/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_row.h - a row of --list. Its JSON form is made of fields; each kind of row has a text form of
 * its own.
 */
#ifndef CORETAP_ARGDUMP_INSPECT_LIST_ROW_H
#define CORETAP_ARGDUMP_INSPECT_LIST_ROW_H

#include "argdump/inspect/list_params.h"
#include "output/record.h"

#define LIST_UNKNOWN UINT32_MAX

/* NULL: not there. */
struct list_row {
	const char *group, *name, *module, *returns, *why;
	const char *file, *also; /* also: names separated by blanks */
	uint64_t offset;
	uint32_t attach; /* a bit for each attach method that works; LIST_UNKNOWN: NULL in JSON */
	struct list_params params;
	const void *text; /* for the text form only */
};
/* The fields of each kind of row, ended by name == NULL; the schema of such rows, with their text
 * form. */
extern const struct field list_function_fields[], list_tracepoint_fields[], list_syscall_fields[],
	list_user_fields[];
struct schema list_schema(const struct field *fields,
			  void (*text)(struct buf *o, const void *record));
/* The name of the first method; "-": there is none; "?": they are unknown. */
const char *list_cheapest(uint32_t attach);

#endif
