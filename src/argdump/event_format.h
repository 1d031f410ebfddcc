/* SPDX-License-Identifier: GPL-2.0 */
/*
 * event_format.h - an event of tracefs: its number and the fields of its record.
 */
#ifndef CORETAP_ARGDUMP_EVENT_FORMAT_H
#define CORETAP_ARGDUMP_EVENT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>

#include "expr/expr.h"

/* The next GROUP:NAME line of tracefs' available_events, which is cut up; false at its end. *text moves
 * on; NULL has no lines. */
bool event_line_next(char **text, char **group, char **name);

/* A field as its line declares it: "const char * filename", "char comm[16]", "__data_loc char[] name".
 * What is behind the name up to `end` is the array's length. */
struct event_field {
	const char *type, *name, *end;
	size_t type_len, name_len; /* the type's without the blanks behind it */
};
/* The next field of a format file that is not one of the tracer's own; false at its end. *text moves
 * on. */
bool event_field_next(const char **text, struct event_field *f);

struct event_format {
	int id; /* perf's number of the event */
	struct expr_param *params; /* owned, with all their texts */
	size_t count;
	char *text; /* owned: names and types point into it */
};

/* Reads events/GROUP/NAME/format. Returns 0, -ENOENT where tracefs has none or cannot be read,
 * -EBADMSG, or -ENOMEM; *f is to be freed after 0 alone. */
int event_format_read(const char *group, const char *name, struct event_format *f);
/* The same from text, which is taken over. */
int event_format_parse(char *text, struct event_format *f);
void event_format_free(struct event_format *f);

#endif
