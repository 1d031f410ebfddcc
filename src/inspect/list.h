/* SPDX-License-Identifier: GPL-2.0-only */
/* list.h - argdump --list: its rows, and a function for each kind of PROBE. */
#ifndef CORETAP_INSPECT_LIST_H
#define CORETAP_INSPECT_LIST_H

#include "btf/btf.h"
#include "output/rows/sink.h"
#include "run/session.h"
#include "util/buf.h"

enum { LIST_DECLARED_MAX = 640 }; /* bytes */

/* Where the parameters are found: in `proto` or in `format`. If neither is set, they are unknown. */
struct list_params {
	const struct btf_view *btf;
	const struct btf_type *proto; /* its first `skip` parameters are left out */
	unsigned skip;
	char *format; /* a format file of tracefs */
};

static inline bool list_params_known(const struct list_params *p)
{
	return p->format || p->proto;
}

/* Writes "(int a, char *b)", or "(?)" if the parameters are unknown. */
void list_params_write(struct buf *o, const struct list_params *p);
/* The parameters of a function's prototype, without parentheses and without the first `skip`. */
void list_params(const struct btf_view *btf, const struct btf_type *proto, unsigned skip, bool json,
		 struct buf *o);
/* Writes the fields of an event's format file, without those that the tracer adds. */
void list_fields(const char *format, bool json, struct buf *o);

/*
 * A row of --list. In JSON it consists of fields; as text, each kind of row has its own form.
 */

#define LIST_UNKNOWN UINT32_MAX

/* NULL: unknown or absent */
struct list_row {
	const char *group, *name, *module, *returns, *why;
	const char *symbol;	 /* that a name of C++ or Rust stands for */
	const char *file, *also; /* also: names separated by blanks */
	uint64_t offset;
	uint32_t attach; /* a bit for each attach method that works; LIST_UNKNOWN: null in JSON */
	struct list_params params;
	const void *text; /* for the text form only */
};

/* Of a struct list_params: in JSON a list of names and types. */
extern const struct field_kind list_params_kind;

/* The fields of each kind of row, ended by name == NULL. */
extern const struct field list_function_fields[], list_tracepoint_fields[], list_syscall_fields[],
	list_user_fields[];

/* Writes rows to the session's output. */
struct list_rows {
	struct schema schema;
	struct sink sink;
	struct buf *out;
};

/* `applet` names the rows in JSON; `text` writes them otherwise. A row has `row_size` bytes. */
void list_begin(struct list_rows *l, struct session *s, const char *applet,
		const struct field *fields, void (*text)(struct buf *o, const void *record),
		size_t row_size);
void list_write(struct list_rows *l, const void *row);
/* Flushes the rows, so that notes come after them. */
void list_end(struct list_rows *l);

/* Returns the name of the first method; "-" if there is none, "?" if they are unknown. */
const char *list_cheapest(uint32_t attach);

struct argdump_request;
struct probe_spec_item;
struct session;

/* These return exit statuses. */
int list_functions(struct session *s, const struct argdump_request *request);
int list_tracepoints(struct session *s, const struct argdump_request *request);
int list_syscalls(struct session *s, const struct argdump_request *request);
int list_programs(struct session *s, const struct argdump_request *request);
int list_user(struct session *s, const struct argdump_request *request);

#endif
