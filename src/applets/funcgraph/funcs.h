/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * funcs.h - which functions are traced at their entry and at their return, and what a call's two records
 * say together: one schema for both, as if they were one record.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_FUNCS_H
#define CORETAP_APPLETS_FUNCGRAPH_FUNCS_H

#include "applets/funcgraph/tree.h"
#include "probe/argdump.h"
#include "output/field/record.h"

/* A function, both of whose sides are traced. Its number is its index. */
struct graph_func {
	const char *name;
	const struct graph_form *form;
};

/* How calls of functions with the same two programs are shown. */
struct graph_form {
	uint32_t number;	 /* its index */
	uint32_t entry, result;	 /* probes */
	size_t joint;		 /* where the return's record begins in the joint one */
	struct schema schema;	 /* of the joint record; the fields are owned */
	const struct field *ret; /* of them: $ret; NULL: nothing is returned */
	bool untyped;		 /* BTF does not know the function: the result is a register */
};

struct graph_funcs {
	struct graph_func *list; /* owned */
	size_t count;
	struct graph_form **forms; /* owned, each */
	size_t form_count;
	const struct schema **schemas; /* owned: theirs */
	uint32_t *by_point;	       /* owned: point → function, or GRAPH_NONE */
	size_t point_count;
};

/* Joins what was attached. `extra`: fields that are added to each schema, whose values are computed.
 * Returns 0 or -ENOMEM. */
int graph_funcs_build(struct graph_funcs *f, const struct argdump *a, const struct field *extra,
		      size_t extra_count);
void graph_funcs_free(struct graph_funcs *f);
/* The number of that function; GRAPH_NONE: it is not traced. */
uint32_t graph_func_find(const struct graph_funcs *f, const char *name);

/* The expression before those of each probe: where the event happened. */
extern const char graph_first[], graph_first_return[];

/* Reads a record: an event whose func may be GRAPH_NONE. Returns 0 or -EBADMSG. */
int graph_event_read(const struct graph_funcs *f, const struct argdump *a, const void *record,
		     size_t size, struct graph_event *e);
/* The error that a call returned, -ENOENT …; 0: none. `joint` is its joint record. */
int64_t graph_form_error(const struct graph_form *form, const void *joint, size_t size);

#endif
