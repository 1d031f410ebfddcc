/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sink.h - writes records as lines: a table, JSON, counted stacks, or a text that the schema's own function writes.
 *
 * What is the same for each record is determined once for each field (struct sink_cell): the function that loads it,
 * and the one that writes it.
 */
#ifndef CORETAP_OUTPUT_ROWS_SINK_H
#define CORETAP_OUTPUT_ROWS_SINK_H

#include "output/field/record.h"

struct sink_shape;

struct sink_form;
/* The forms of lines, each a table of functions (sink_priv.h). */
extern const struct sink_form sink_form_table, sink_form_fitted, sink_form_json;
extern const struct sink_form sink_form_trace_json; /* Chrome's trace events: trace_json.c */
extern const struct sink_form sink_form_pcap;	    /* pcapng: pcap.c */
extern const struct sink_form sink_form_ftrace;	    /* the kernel's trace file: ftrace.c */
extern const struct sink_form sink_form_csv;

/* Gets each record that a sink wrote. */
typedef void sink_tee(const void *record, size_t size);

/* The caller sets the members up to `time`; a schema must not change after its first header or record. */
struct sink {
	const struct schema *schema; /* of all records; the header is for the first schema */
	/* For several kinds of records: returns the index of a record's schema; an index that is too large means a
	 * broken record. All have the same columns, because there is one header. NULL: one kind */
	uint32_t (*tag)(const void *record, size_t size);
	const struct schema *const *schemas;
	size_t schema_count;
	struct buf *out;
	bool json;
	const struct sink_form *form; /* NULL: JSON or table, depending on `json` */
	const char *minor;  /* names of columns as FIELD_MINOR, separated by commas; or NULL */
	const char *applet; /* JSON: the value of "type" */
	/* JSON: "time" for rows that have no time, CLOCK_MONOTONIC ns; 0: none */
	uint64_t time;
	/* JSON: "total" and "elapsed_ns" in each row of a report, unless elapsed is 0 */
	uint64_t total, elapsed;
	uint64_t rows;
	sink_tee *tee;	/* may be set and cleared at any time; NULL: none */
	bool is_noted;	/* hidden columns were named (fit.h) */
	double counted; /* in reports: the sum of FIELD_TOTAL of all rows */

	struct sink_shape *shapes; /* owned: one per schema, built at its first header or record */
	void *state;		   /* owned by the form */
};

/* Writes what precedes the first record: a table's header line; nothing in JSON. */
void sink_header(struct sink *s);
/* Writes what follows the last record. */
void sink_end(struct sink *s);
/* Writes one record as one line. Returns 0, -EBADMSG or -ENOMEM. */
int sink_record(struct sink *s, const void *record, size_t size);
/* True if a value of the record, as text, has `text` in it: one that is shown as name=value or, if none is, any column. */
bool sink_contains(struct sink *s, const void *record, size_t size, const char *text);
/* Writes a row about lost records, if the form has such rows. It does not count as a record. */
void sink_lost(struct sink *s, const struct schema *schema, const void *row, size_t size);
/* Frees what the sink allocated; `out` and the schemas belong to the caller. */
void sink_free(struct sink *s);

#endif
