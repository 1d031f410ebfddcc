/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - the fields of a record as data: the one description behind table columns, JSON keys,
 * help and man page. Applets declare theirs; argdump builds its own.
 */
#ifndef CORETAP_OUTPUT_FIELD_RECORD_H
#define CORETAP_OUTPUT_FIELD_RECORD_H

#include "output/field/field.h"
#include "output/field/timestamp.h"

struct buf;
struct line;

struct schema {
	const struct field *fields;
	size_t count;
	size_t record_min; /* a shorter record is refused before any field is read */
	bool bare;	   /* records do not start with an event_header: they have no time */
	/* Writes a row that is not a table's: lines with newlines. NULL: columns */
	void (*text)(struct buf *o, const void *record);
	const struct line
		*line; /* a text with values in it, of the owner (line.h). NULL: columns */
	const char *
		event; /* what its records are called; NULL: as the applet, or by FIELD_ROLE_EVENT */
	const char *noun; /* what the rows of a report count; NULL: "call" */
	bool extended;
	enum timestamp_form timestamp;
	uint64_t optional; /* bit i: the FIELD_OPTIONAL fields[i] is present (i < 64) */
};

/* The field of this name. A user's value is preferred to a field of the header, unless
 * `is_header`. NULL if there is none. */
const struct field *schema_find(const struct schema *s, const char *name, size_t len,
				bool is_header);
/* True if the fixed part of the record is complete. */
bool schema_accepts(const struct schema *s, size_t size);
/* False for a FIELD_OPTIONAL field that is absent in this run. */
static inline bool schema_has(const struct schema *s, size_t i)
{
	return !(s->fields[i].flags & FIELD_OPTIONAL) || (i < 64 && s->optional >> i & 1);
}

#endif
