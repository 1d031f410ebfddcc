/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_call.h - the parts of a line about one call.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_SHOW_CALL_H
#define CORETAP_APPLETS_FUNCGRAPH_SHOW_CALL_H

#include "applets/funcgraph/show.h"

/* The call that is being printed. */
struct graph_shown {
	const struct graph_tree *tree;
	const struct graph_call *call;
	const struct graph_form *form;
	uint64_t number; /* of the tree */
};
extern struct graph_shown graph_shown;

/* Makes a call the current one, with both of its records joined in w->joint; a missing result is all zeros. Returns 0
 * or -ENOMEM. */
int graph_call_load(struct graph_show *w, const struct graph_tree *tree,
		    const struct graph_call *c);
/* Sets the time of w->joint to the call's return, if it has returned: a record that is a span has the time of its
 * end. */
void graph_call_at_end(struct graph_show *w);
/* Returns the error of a call of the current tree, or 0, for graph_error_path. `ctx` is a struct graph_show. */
int64_t graph_call_error(void *ctx, const struct graph_call *c);
/* Writes vfs_read(file="/x", count=3). */
void graph_write_function(struct graph_show *w);
/* Writes " = 3", or that the call has not returned. */
void graph_write_result(struct graph_show *w);

#endif
