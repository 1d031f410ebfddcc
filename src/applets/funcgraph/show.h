/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.h - prints a tree of calls as text, in the format of the kernel's function_graph tracer, or as JSON, a line
 * for each call.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_SHOW_H
#define CORETAP_APPLETS_FUNCGRAPH_SHOW_H

#include "applets/funcgraph/funcs.h"
#include "applets/funcgraph/tree.h"
#include "output/field/timestamp.h"
#include "run/session.h"

enum { GRAPH_FIELDS = 7 };
/* The JSON members of a call besides its values. */
extern const struct field graph_fields[GRAPH_FIELDS];

struct graph_show {
	struct session *s;
	const struct graph_funcs *funcs;
	/* print only trees whose root failed, and of these only the error's path … */
	bool errors;
	const bool *wanted; /* … only of these errors, by number up to ERRNO_MOST; NULL: all */
	uint64_t longer;    /* ns: print only trees that took longer; 0: all */
	enum timestamp_form form; /* time of a tree; TIMESTAMP_NONE: not printed */
	uint64_t trees;		  /* number of printed trees */
	struct buf joint;	  /* both records of a call */
};

void graph_show_header(struct graph_show *w);
/* Returns 0 or -errno. */
int graph_show(struct graph_show *w, const struct graph_tree *tree);
/* For session.rows.tag: returns the schema of the record that is being printed. */
uint32_t graph_show_tag(const void *record, size_t size);

#endif
