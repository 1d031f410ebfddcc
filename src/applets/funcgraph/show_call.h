/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_call.h - the parts of a line that are one call's.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_SHOW_CALL_H
#define CORETAP_APPLETS_FUNCGRAPH_SHOW_CALL_H

#include "applets/funcgraph/show.h"

/* The call that is being shown. */
struct graph_shown {
	const struct graph_tree *tree;
	const struct graph_call *call;
	const struct graph_form *form;
	uint64_t number; /* of the tree */
};
extern struct graph_shown graph_shown;

/* Makes a call the one that is shown, with both of its records as one, in w->joint; a result that is
 * missing is all zeros. Returns 0 or -ENOMEM. */
int graph_call_load(struct graph_show *w, const struct graph_tree *tree,
		    const struct graph_call *c);
/* Sets the time of w->joint to the call's return, if it has returned: where a record is a span, its time
 * is its end. */
void graph_call_at_end(struct graph_show *w);
/* The error that a call of the tree that is shown returned, or 0, for graph_error_path. `ctx` is a struct
 * graph_show. */
int64_t graph_call_error(void *ctx, const struct graph_call *c);
/* vfs_read(file="/x", count=3) */
void graph_write_function(struct graph_show *w);
/* " = 3", or that it has not returned. */
void graph_write_result(struct graph_show *w);

#endif
