/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tree.h - builds a tree for each call of one function, the root, from entries and returns in order of arrival.
 *
 * A thread's events arrive in the order in which they happened, so a call is inside the last one that was entered and
 * has not returned. Missing events may make that wrong: such a tree is torn, and only its root is certain. Nothing
 * here knows where events come from or how trees are printed.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_TREE_H
#define CORETAP_APPLETS_FUNCGRAPH_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

struct graph_event {
	uint64_t thread; /* identifies a separate stack of calls … */
	uint32_t func;	 /* … and the called function: any numbers */
	bool is_return;
	uint32_t cpu;
	uint64_t at;	    /* ns */
	uint64_t frame;	    /* on the thread's stack, which grows downwards */
	const void *record; /* stored with the call */
	size_t size;
};

#define GRAPH_NONE UINT32_MAX
enum { GRAPH_GAPS = 256 };

/* A call. Those of a tree are in the order of their entries. */
struct graph_call {
	uint32_t func;
	uint32_t depth;	     /* 0: the root */
	uint32_t parent;     /* its index; GRAPH_NONE: the root */
	uint32_t next;	     /* the index after all calls inside */
	uint64_t begin, end; /* ns; end 0: it has not returned */
	uint32_t begin_cpu, end_cpu;
	size_t entry, result; /* offsets of the records in tree.bytes, multiples of 8 … */
	size_t entry_size, result_size; /* … and bytes; 0: none */
};

struct graph_tree {
	struct graph_call *calls; /* [0] is the root */
	size_t count;
	struct buf bytes;
	uint64_t left_out; /* number of calls without room */
	bool torn;	   /* events are missing: only the root is certain */
	const char *why;   /* torn: what is missing */
	/* private */
	uint64_t thread;
	uint64_t frame; /* the root's */
	bool is_gone;	/* its thread, when checked last */
	struct graph_tree *other;
	size_t room;
	struct graph_open *open; /* owned: open calls */
	size_t depth, open_room;
};

struct graph {
	uint32_t root;	    /* the function */
	unsigned depth_max; /* levels to store: 1: only the root; 0: all */
	size_t bytes_max;   /* of a tree; 0: no limit */
	/* Receives each tree when its root has returned, and open ones at the end. Its result is returned by the
	 * function that called it. */
	int (*done)(void *ctx, const struct graph_tree *tree);
	void *ctx;
	/* private */
	struct graph_tree *threads[256]; /* open trees, by thread */
	struct graph_tree *spare;	 /* a finished one, to be reused */
	/* times at which events were lost, the latest last */
	struct graph_gap {
		uint64_t from, to;
	} gaps[GRAPH_GAPS];
	size_t gap_count;
};

/* Consumes an event. Returns 0, -ENOMEM, or the result of `done`. */
int graph_read(struct graph *g, const struct graph_event *e);
/* Reports that events were lost between these times, which must be later than those of earlier calls: trees of calls
 * at that time are torn. Call it before the return of the root is consumed. */
void graph_lost(struct graph *g, uint64_t from, uint64_t to);
/* Passes all open trees to `done`, the oldest first. */
int graph_finish(struct graph *g);
/* Passes trees of threads that no longer exist to `done`: their roots will not return. Call it periodically, each
 * time after all pending events: events of a thread may arrive until it is missing for the second time. */
int graph_sweep(struct graph *g, bool (*is_gone)(const struct graph_tree *tree));
void graph_free(struct graph *g);

/* Finds the path of an error from the root down to the call that returned it first: fills in the calls' indexes, the
 * root first. `is_error` returns the error of a call, or 0. Returns the length: 0 if the root returned none. `path`
 * has room for all levels (graph_levels). */
size_t graph_error_path(const struct graph_tree *tree,
			int64_t (*is_error)(void *ctx, const struct graph_call *call), void *ctx,
			uint32_t *path);
/* Returns the number of levels. */
size_t graph_levels(const struct graph_tree *tree);

#endif
