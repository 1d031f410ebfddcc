/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tracefs.h - events in tracefs: an event's number and the fields of its record.
 */
#ifndef CORETAP_PROBE_PROVIDERS_TRACEFS_H
#define CORETAP_PROBE_PROVIDERS_TRACEFS_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"
#include "kernel/tracefs.h"

/* Checks that the event can be read. Returns 0 or -errno. */
int tracefs_check(void);
/* Prints what is missing and why, if tracefs cannot be read. */
void tracefs_report(const char *lack);

/* Returns the next GROUP:NAME line of tracefs' available_events, which is modified; false at the end. Moves *text
 * forward; *text NULL: no lines. */
bool event_line_next(char **text, char **group, char **name);

/* A field as declared on its line: "const char * filename", "char comm[16]", "__data_loc char[] name". The bytes from
 * the name to `end` are the array length. */
struct event_field {
	const char *type, *name, *end;
	size_t type_len, name_len; /* type_len: without trailing blanks */
};
/* Returns the next field of a format file that is not one of the tracer's own; false at the end. Moves *text
 * forward. */
bool event_field_next(const char **text, struct event_field *f);

struct tracefs_event {
	int id;			   /* the event's number for perf */
	struct expr_param *params; /* owned, including all texts */
	size_t count;
	char *text; /* owned: names and types point into it */
};

/* Reads events/GROUP/NAME/format. Returns 0, -ENOENT if there is none or tracefs cannot be read, -EBADMSG, or
 * -ENOMEM. The caller frees *f only after 0. */
int tracefs_event_read(const char *group, const char *name, struct tracefs_event *f);
/* Parses a text, which *f then owns, also on error. */
int tracefs_event_parse(char *text, struct tracefs_event *f);
void tracefs_event_free(struct tracefs_event *f);

#endif
