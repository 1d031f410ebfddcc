/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list_row.h - a row of --list. Its JSON form is made of fields; each kind of row has a text form of
 * its own.
 */
#ifndef CORETAP_INSPECT_LIST_ROW_H
#define CORETAP_INSPECT_LIST_ROW_H

#include "inspect/list_params.h"
#include "output/rows/sink.h"
#include "run/session.h"

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
/* The fields of each kind of row, ended by name == NULL. */
extern const struct field list_function_fields[], list_tracepoint_fields[], list_syscall_fields[],
	list_user_fields[];

/* Rows on their way to the session's output. */
struct list_rows {
	struct schema schema;
	struct sink sink;
	struct buf *out;
};
/* `applet` names them in JSON; `text` is their form otherwise. Rows have `row_size` bytes. */
void list_begin(struct list_rows *l, struct session *s, const char *applet,
		const struct field *fields, void (*text)(struct buf *o, const void *record),
		size_t row_size);
void list_put(struct list_rows *l, const void *row);
/* Flushes them, so that notes come after the rows. */
void list_end(struct list_rows *l);

/* The name of the first method; "-": there is none; "?": they are unknown. */
const char *list_cheapest(uint32_t attach);

#endif
