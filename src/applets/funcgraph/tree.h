/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tree.h - entries and returns of functions, as they come → a tree for each call of one function, the
 * root.
 *
 * A thread's events come in the order in which they happened, so a call is inside the one that was
 * entered last and has not returned. If events are missing, that may be wrong: such a tree is torn, and
 * only its root is certain. Nothing here knows where events come from or how trees are shown.
 */
#ifndef CORETAP_APPLETS_FUNCGRAPH_TREE_H
#define CORETAP_APPLETS_FUNCGRAPH_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "util/buf.h"

struct graph_event {
	uint64_t thread; /* what has a stack of calls of its own … */
	uint32_t func;	 /* … and what was called: any numbers */
	bool is_return;
	uint32_t cpu;
	uint64_t at;	    /* ns */
	uint64_t frame;	    /* on the thread's stack, which grows downwards */
	const void *record; /* kept with the call */
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
	uint64_t left_out; /* calls that had no room */
	bool torn;	   /* events are missing: only the root is certain */
	const char *why;   /* torn: what is missing */
	/* private */
	uint64_t thread;
	uint64_t frame; /* the root's */
	bool is_gone;	/* its thread, the last time that we looked */
	struct graph_tree *other;
	size_t room;
	struct graph_open *open; /* owned: the calls that have not returned */
	size_t depth, open_room;
};

struct graph {
	uint32_t root;	    /* the function */
	unsigned depth_max; /* levels to keep: 1: the root alone; 0: all */
	size_t bytes_max;   /* of a tree; 0: no limit */
	/* Gets each tree when its root has returned, and those that are open at the end. What it
	 * returns is returned by what called it. */
	int (*done)(void *ctx, const struct graph_tree *tree);
	void *ctx;
	/* private */
	struct graph_tree *threads[256]; /* trees that are open, by thread */
	struct graph_tree *spare;	 /* one that is done, to be used again */
	/* when events were lost, the latest last */
	struct graph_gap {
		uint64_t from, to;
	} gaps[GRAPH_GAPS];
	size_t gap_count;
};

/* Takes an event. Returns 0, -ENOMEM, or what `done` returned. */
int graph_read(struct graph *g, const struct graph_event *e);
/* Events were lost between these times, which are later than those of earlier calls: trees of calls at
 * that time are torn. To be called before the return of the root is taken. */
void graph_lost(struct graph *g, uint64_t from, uint64_t to);
/* Passes all open trees to `done`, the oldest first. */
int graph_finish(struct graph *g);
/* Passes trees of threads that no longer exist to `done`: their roots will not return. To be called now and
 * then, each time after all events that there were: events of a thread may come until the second time that
 * it does not exist. */
int graph_sweep(struct graph *g, bool (*is_gone)(const struct graph_tree *tree));
void graph_free(struct graph *g);

/* The path of an error from the root down to the call that returned it first: fills the calls' indexes,
 * the root first. `is_error` returns the error of a call, or 0. Returns how many they are: 0 if the root
 * returned none. `path` has room for all levels (graph_levels). */
size_t graph_error_path(const struct graph_tree *tree,
			int64_t (*is_error)(void *ctx, const struct graph_call *call), void *ctx,
			uint32_t *path);
/* The number of levels. */
size_t graph_levels(const struct graph_tree *tree);

#endif
