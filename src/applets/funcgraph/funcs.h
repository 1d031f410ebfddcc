/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs.h - the functions that are traced at their entry and return, and one schema for both records of a call, as if
 * they were one record.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_FUNCS_H
#define CORETAP_APPLETS_FUNCGRAPH_FUNCS_H

#include "applets/funcgraph/tree.h"
#include "probe/argdump.h"
#include "output/field/record.h"

/* A function whose entry and return are traced. Its number is its index. */
struct graph_func {
	const char *name;
	const struct graph_form *form;
};

/* How calls of functions with the same two programs are printed. */
struct graph_form {
	uint32_t number;	 /* its index */
	uint32_t entry, result;	 /* its two probes */
	size_t joint;		 /* offset of the return's record in the joined one */
	struct schema schema;	 /* of the joined record; the fields are owned */
	const struct field *ret; /* the field of $ret; NULL: nothing is returned */
	bool untyped;		 /* BTF lacks the function: the result is a register */
};

struct graph_funcs {
	struct graph_func *list; /* owned */
	size_t count;
	struct graph_form **forms; /* owned, each */
	size_t form_count;
	const struct schema **schemas; /* owned: the schemas of the forms */
	uint32_t *by_point;	       /* owned: point → function, or GRAPH_NONE */
	size_t point_count;
};

/* Joins the probes that were attached. `extra`: computed fields that are added to each schema. Returns 0 or -ENOMEM. */
int graph_funcs_build(struct graph_funcs *f, const struct argdump *a, const struct field *extra,
		      size_t extra_count);
void graph_funcs_free(struct graph_funcs *f);
/* Returns the number of that function; GRAPH_NONE: it is not traced. */
uint32_t graph_func_find(const struct graph_funcs *f, const char *name);

/* The expression that precedes those of each probe: where the event happened. */
extern const char graph_first[], graph_first_return[];

/* Reads a record to an event, whose func may be GRAPH_NONE. Returns 0 or -EBADMSG. */
int graph_event_read(const struct graph_funcs *f, const struct argdump *a, const void *record,
		     size_t size, struct graph_event *e);
/* Returns the error that a call returned, -ENOENT …; 0: none. `joint` is its joined record. */
int64_t graph_form_error(const struct graph_form *form, const void *joint, size_t size);

#endif
