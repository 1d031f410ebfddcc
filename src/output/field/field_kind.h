/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field_kind.h - the kinds of fields: everything that differs between them is in one table, field_kinds[]
 * (rows/kinds.c).
 */
#ifndef CORETAP_OUTPUT_FIELD_FIELD_KIND_H
#define CORETAP_OUTPUT_FIELD_FIELD_KIND_H

#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "util/buf.h"

/* ---- kinds ---- */

enum field_kind_flag {
	KIND_SIGNED = 1 << 0,
	KIND_RIGHT = 1 << 1, /* right-aligned in a column */
	KIND_BELOW = 1 << 2, /* text: on separate lines below the row */
	/* a duration: the unit is part of the JSON key */
	KIND_NS = 1 << 3,
	KIND_US = 1 << 4,
	KIND_MS = 1 << 5,
	/* has few values, and their text depends only on the field's bytes */
	KIND_FEW = 1 << 6,
};

/* Loads the value from the record, whose bytes [offset, offset + size) exist. Sets all of *v. Returns 0, or -EBADMSG
 * for a record that contradicts itself. */
typedef int field_load_fn(const struct field *f, const void *record, size_t size, struct value *v);
/* Writes a captured value as text for a cell; strings of a FIELD_PAIR are quoted. Returns the width in columns; 0:
 * several lines. */
typedef size_t field_text_fn(struct buf *o, const struct field *f, const struct value *v,
			     enum timestamp_form form);
/* Writes a captured value as JSON. */
typedef void field_json_fn(struct buf *o, const struct field *f, const struct value *v);

struct row;
struct sink_cell;
/* Writes a field of the record. Returns 0 or -EBADMSG. */
typedef int sink_write_fn(struct row *r, const struct sink_cell *c, const void *record,
			  size_t size);

struct field_kind {
	const char *name;  /* the name in argdump --dump=types */
	unsigned flags;	   /* a mask of enum field_kind_flag */
	unsigned size_min; /* least size in bytes, for kinds that are not numbers; 0: any */
	int width;	   /* columns that most of its values need; 0: by their size, or unknown */
	field_load_fn *load;
	field_text_fn *text;
	field_json_fn *json;
	/* writes a column in fewer steps than `load` and `text`; NULL: use these */
	sink_write_fn *write;
	double (*weight)(const struct field *f,
			 /* the weight for FIELD_SORT; NULL: the number itself */
			 const struct value *v);
};
extern const struct field_kind *field_kinds; /* [FIELD_TYPES] */

static inline const struct field_kind *field_kind(const struct field *f)
{
	return __builtin_expect(f->kind != NULL, 0) ? f->kind : &field_kinds[f->type];
}
bool field_is_right_aligned(const struct field *f);
/* True if the field is sorted and compared as a number. */
bool field_is_number(const struct field *f);
/* Returns the end of the JSON key, after the name: "_ns", or "". */
const char *field_unit_suffix(const struct field *f);
/* For FIELD_SORT: rows with a larger weight come first. */
double field_weight(const struct field *f, const struct value *v);

#endif
