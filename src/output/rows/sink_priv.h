/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sink_priv.h - internal to sink.c, the forms of a sink (table.c, json.c, trace_json.c, ftrace.c) and reports
 * (report.c, aligned.c).
 */
#ifndef CORETAP_OUTPUT_ROWS_SINK_PRIV_H
#define CORETAP_OUTPUT_ROWS_SINK_PRIV_H

#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/field/timestamp.h"
#include "output/rows/sink.h"
#include "util/escape.h"

/* A line being written. */
struct row {
	struct buf *out;
	const char *leads;
	enum timestamp_form form;
	size_t owed;  /* table: blanks to write before the next cell */
	size_t end;   /* table: end of the last cell that was not empty */
	size_t ahead; /* table: columns by which wide values have shifted the row */
	/* table: separator of pairs that are arguments of a call; NULL: they are not */
	const char *between;
	bool flawed; /* JSON: a value is missing or incomplete */
};

/* A field that is shown, with everything that is the same for each record. */
struct sink_cell {
	const struct field *field;
	sink_write_fn *write;
	/* from field_load.c or of the kind; skips checks that are not needed */
	field_load_fn *load;
	field_text_fn *text; /* for a table */
	field_json_fn *json; /* JSON: for values with any status */
	/* in shape.leads: the text before the value (,"pid": or name= or #) */
	unsigned lead, lead_len;
	bool right;		 /* right-aligned */
	struct sink_cache *kept; /* owned: cached texts (table_cell.c), or NULL */
};

/* How records of one schema are shown. */
struct sink_shape {
	const struct schema *schema;
	size_t size_min; /* a shorter record is rejected */
	/* owned; NULL: not prepared yet. In a table: columns, pairs, remarks, then what is below the row */
	struct sink_cell *cells;
	size_t cell_count;
	/* table: number of columns; index of the first cell below the row */
	size_t columns, below;
	/* texts before the values; in JSON, the start of the object comes first */
	struct buf leads;
	size_t head_len;
	/* JSON: the name of the object that contains the last cell; NULL: none */
	const char *object;
	/* for trace_json.c and ftrace.c: the field of each role; NULL: none */
	const struct field *roles[FIELD_ROLES];

	/* table: the first task_cells cells depend only on the part of the event_header after ts, which is the same
	 * in most consecutive records: their text, and the blanks to write after it */
	size_t task_cells;
	uint64_t task[3];
	char task_text[64];
	size_t task_len, task_owed; /* 0: no text is cached */
};

/* A form of lines. */
struct sink_form {
	bool all_fields; /* shows the fields of JSON, not those of columns */
	/* Adds the cells of the schema (sink_cell_add). */
	void (*cells)(const struct sink *s, struct sink_shape *shape);
	/* Writes into shape.leads what precedes the cell's value, and sets c->write. */
	void (*cell)(struct sink_shape *shape, struct sink_cell *c);
	/* Returns 0 or -EBADMSG. */
	int (*record)(struct sink *s, struct sink_shape *shape, const void *record, size_t size);
	/* NULL: writes nothing */
	void (*header)(struct sink *s, const struct sink_shape *shape);
	void (*end)(struct sink *s);
	void (*lost)(struct sink *s, const struct schema *schema, const void *row, size_t size);
	void (*free)(struct sink *s); /* frees s->state */
};

/* True if the field is shown. */
bool sink_field_is_shown(const struct sink *s, const struct schema *schema, size_t i);
void sink_cell_add(const struct sink *s, struct sink_shape *shape, const struct field *f);
/* For text: adds the columns, then the pairs, the remarks and, below the row, the stacks. */
void sink_cells_arrange(const struct sink *s, struct sink_shape *shape);
/* Writes the text before a value: name= of a pair, # of a remark. */
void sink_write_lead(struct sink_shape *shape, const struct field *f);
/* Fills shape->roles. */
void sink_roles_find(struct sink_shape *shape);
/* Writes the name of the event, for forms that have one. */
void sink_write_event(const struct sink *s, const struct sink_shape *shape, const void *record,
		      size_t size, enum escape_form form);
/* Writes a row that is no table's. */
int sink_write_text(struct sink *s, const struct sink_shape *shape, const void *record,
		    size_t size);
enum sink_default { SINK_TABLE, SINK_FITTED /* on a terminal */, SINK_JSON, SINK_DEFAULTS };
extern const struct sink_form *sink_forms[SINK_DEFAULTS];
/* Returns the form, even before the first shape is built. */
const struct sink_form *sink_form(const struct sink *s);

/* Returns the prepared shape of a record; NULL, with *err set, on error. */
struct sink_shape *sink_shape_of(struct sink *s, const void *record, size_t size, int *err);
/* Returns the shape for the header. */
struct sink_shape *sink_shape_first(struct sink *s, int *err);

/* True for a 4-byte number that every record contains, as most columns are. It needs no loading. */
bool sink_cell_is_plain(const struct sink_shape *shape, const struct field *f);

/* Prepares a cell of a table, for forms with such pairs: the name, and the function that writes it. */
void table_cell_prepare(struct sink_shape *shape, struct sink_cell *c);
/* Selects the function that writes a member of a JSON object. */
void json_cell_prepare(const struct sink_shape *shape, struct sink_cell *c);
/* Writes the key, with the field's unit: "latency_ns": */
void json_write_key(struct buf *o, const struct field *f);
/* If a value is missing or incomplete, writes the error, or how much was cut, under these keys. */
void json_write_flaws(const struct row *r, const struct sink_shape *shape, const void *record,
		      size_t size, const char *const keys[2]);

/* Writes a column's title: the field's, or its name in capitals. Returns its width. */
size_t table_write_title(struct buf *o, const struct field *f);

#endif
