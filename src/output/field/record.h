/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.h - the fields of a record as data: the one description that table columns, JSON keys, help and man page
 * use. Applets declare theirs; argdump builds its own.
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
	bool bare;	   /* records do not start with an event_header, so they have no time */
	/* Writes a row that is no table's: lines with newlines. NULL: columns */
	void (*text)(struct buf *o, const void *record);
	/* a text with values in it (line.h), owned by the applet. NULL: columns */
	const struct line *line;
	const char *
		/* the name of its events; NULL: the applet's name, or by FIELD_ROLE_EVENT */
		event;
	const char *noun; /* what the rows of a report count; NULL: "call" */
	bool extended;
	enum timestamp_form timestamp;
	uint64_t optional; /* bit i is set if the FIELD_OPTIONAL fields[i] is present (i < 64) */
};

/* Finds the field of this name, or NULL. A value of the user is preferred to a field of the header, unless
 * `is_header`. */
const struct field *schema_find(const struct schema *s, const char *name, size_t len,
				bool is_header);
/* True if a record of this size contains all fixed fields. */
bool schema_accepts(const struct schema *s, size_t size);
/* False for a FIELD_OPTIONAL field that is absent in this run. */
static inline bool schema_has(const struct schema *s, size_t i)
{
	return !(s->fields[i].flags & FIELD_OPTIONAL) || (i < 64 && s->optional >> i & 1);
}

#endif
