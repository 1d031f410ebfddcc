/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tree.c - builds trees from entries and returns of functions.
 *
 * Missing events are detected by a return of another function than the one entered last (one of its events is
 * missing), by an entry of the root that is not below the open one on the stack, or by a count of lost records and
 * its time (graph_lost). A torn tree waits for the return of its root, or for the root's next entry.
 */
#include "applets/funcgraph/tree.h"

#include <errno.h>
#include <stdlib.h>

enum { THREADS = sizeof(((struct graph *)0)->threads) / sizeof(struct graph_tree *) };

static const char MISSED[] = "an entry or a return was missed";

struct graph_open {
	uint32_t func;
	uint32_t call; /* GRAPH_NONE: it is not stored */
};

/* ---- trees ---- */

static struct graph_tree **tree_slot(struct graph *g, uint64_t thread)
{
	struct graph_tree **slot = &g->threads[thread % THREADS];

	while (*slot && (*slot)->thread != thread)
		slot = &(*slot)->other;
	return slot;
}

static void tree_free(struct graph_tree *t)
{
	if (!t)
		return;
	free(t->calls);
	free(t->open);
	buf_free(&t->bytes);
	free(t);
}

/* Keeps the tree's memory for the next one. */
static void tree_retire(struct graph *g, struct graph_tree *t)
{
	tree_free(g->spare);
	g->spare = t;
}

static struct graph_tree *tree_new(struct graph *g, const struct graph_event *e)
{
	struct graph_tree *t = g->spare;

	g->spare = NULL;
	if (!t)
		t = calloc(1, sizeof(*t));
	if (!t)
		return NULL;
	if (!t->bytes.data)
		buf_init(&t->bytes, -1);
	t->bytes.len = t->count = t->depth = 0;
	t->left_out = 0;
	t->torn = t->is_gone = false;
	t->why = NULL;
	t->thread = e->thread;
	t->frame = e->frame;
	t->other = NULL;
	return t;
}

static int tree_pass(struct graph *g, struct graph_tree **slot)
{
	struct graph_tree *t = *slot;
	int err;

	*slot = t->other;
	err = g->done(g->ctx, t);
	tree_retire(g, t);
	return err;
}

static void tree_tear(struct graph_tree *t, const char *why)
{
	t->why = t->torn ? t->why : why;
	t->torn = true;
}

/* True if records were lost since the call began. */
static void gaps_check(const struct graph *g, struct graph_tree *t, uint64_t now)
{
	for (size_t i = g->gap_count; i-- > 0 && g->gaps[i].to >= t->calls[0].begin;)
		if (g->gaps[i].from <= now)
			tree_tear(t, "records were lost");
}

/* ---- calls ---- */

static size_t record_store(struct graph_tree *t, const struct graph_event *e)
{
	size_t at = t->bytes.len;

	buf_bytes(&t->bytes, e->record, e->size);
	buf_repeat(&t->bytes, 0, -t->bytes.len & 7);
	return at;
}

static int call_store(struct graph_tree *t, const struct graph_event *e, uint32_t parent)
{
	struct graph_call *calls = t->calls;

	if (t->count == t->room) {
		size_t room = t->room ? 2 * t->room : 16;

		calls = realloc(calls, room * sizeof(*calls));
		if (!calls)
			return -ENOMEM;
		t->calls = calls;
		t->room = room;
	}
	calls[t->count] = (struct graph_call){ .func = e->func,
					       .depth = t->depth,
					       .parent = parent,
					       .next = t->count + 1,
					       .begin = e->at,
					       .begin_cpu = e->cpu,
					       .entry = record_store(t, e),
					       .entry_size = e->size };
	t->count++;
	return t->bytes.error;
}

static int open_push(struct graph_tree *t, uint32_t func, uint32_t call)
{
	if (t->depth == t->open_room) {
		size_t room = t->open_room ? 2 * t->open_room : 16;
		struct graph_open *open = realloc(t->open, room * sizeof(*open));

		if (!open)
			return -ENOMEM;
		t->open = open;
		t->open_room = room;
	}
	t->open[t->depth++] = (struct graph_open){ func, call };
	return 0;
}

static bool has_room(const struct graph *g, const struct graph_tree *t, const struct graph_event *e)
{
	return !t->count || !g->bytes_max ||
	       t->bytes.len + t->count * sizeof(*t->calls) + e->size <= g->bytes_max;
}

/* ---- events ---- */

static int call_enter(struct graph *g, struct graph_tree *t, const struct graph_event *e)
{
	uint32_t parent = t->depth ? t->open[t->depth - 1].call : GRAPH_NONE, call = GRAPH_NONE;
	bool above = !t->depth || parent != GRAPH_NONE; /* otherwise its caller was also left out */
	int err = 0;

	if (above && (!g->depth_max || t->depth < g->depth_max)) {
		if (has_room(g, t, e)) {
			call = t->count;
			err = call_store(t, e, parent);
		} else {
			t->left_out++;
		}
	}
	return err ?: open_push(t, e->func, call);
}

static int root_enter(struct graph *g, struct graph_tree **slot, const struct graph_event *e)
{
	*slot = tree_new(g, e);
	if (!*slot)
		return -ENOMEM;
	return call_enter(g, *slot, e);
}

static int parse_entry(struct graph *g, struct graph_tree **slot, const struct graph_event *e)
{
	int err = 0;

	if (*slot && e->func == g->root) {
		gaps_check(g, *slot, e->at);
		if (e->frame >= (*slot)->frame) /* not inside of that call, which must have ended */
			tree_tear(*slot, MISSED);
	}
	if (*slot && !(*slot)->torn)
		return call_enter(g, *slot, e);
	if (e->func != g->root)
		return 0;
	if (*slot)
		err = tree_pass(g, slot);
	return err ?: root_enter(g, slot, e);
}

static int call_leave(struct graph_tree *t, const struct graph_event *e)
{
	struct graph_open *o = &t->open[--t->depth];
	struct graph_call *c;

	if (o->call == GRAPH_NONE)
		return 0;
	c = &t->calls[o->call];
	c->end = e->at;
	c->end_cpu = e->cpu;
	c->next = t->count;
	c->result = record_store(t, e);
	c->result_size = e->size;
	return t->bytes.error;
}

static int return_parse(struct graph *g, struct graph_tree **slot, const struct graph_event *e)
{
	struct graph_tree *t = *slot;
	int err;

	if (!t->torn && t->open[t->depth - 1].func != e->func)
		tree_tear(t, MISSED);
	if (e->func == g->root)
		gaps_check(g, t, e->at);
	else if (t->torn)
		return 0;
	if (t->torn)
		t->depth = 1;
	err = call_leave(t, e);
	return err || t->depth ? err : tree_pass(g, slot);
}

int graph_read(struct graph *g, const struct graph_event *e)
{
	struct graph_tree **slot = tree_slot(g, e->thread);

	if (!e->is_return)
		return parse_entry(g, slot, e);
	return *slot ? return_parse(g, slot, e) : 0; /* not inside of a call of the root */
}

/* If there is no room, joins the two oldest gaps. */
void graph_lost(struct graph *g, uint64_t from, uint64_t to)
{
	if (g->gap_count && from <= g->gaps[g->gap_count - 1].to) {
		g->gaps[g->gap_count - 1].to = to;
		return;
	}
	if (g->gap_count == GRAPH_GAPS) {
		g->gaps[1].from = g->gaps[0].from;
		g->gap_count--;
		memmove(g->gaps, g->gaps + 1, g->gap_count * sizeof(*g->gaps));
	}
	g->gaps[g->gap_count++] = (struct graph_gap){ from, to };
}

/* ---- the end ---- */

static struct graph_tree **oldest(struct graph *g)
{
	struct graph_tree **first = NULL;

	for (size_t i = 0; i < THREADS; i++)
		for (struct graph_tree **t = &g->threads[i]; *t; t = &(*t)->other)
			if (!first || (*t)->calls[0].begin < (*first)->calls[0].begin)
				first = t;
	return first;
}

/* Extends calls that have not returned to the last one. */
static void open_end(struct graph_tree *t)
{
	for (; t->depth; t->depth--)
		if (t->open[t->depth - 1].call != GRAPH_NONE)
			t->calls[t->open[t->depth - 1].call].next = t->count;
}

static int tree_finish(struct graph *g, struct graph_tree **slot)
{
	gaps_check(g, *slot, UINT64_MAX);
	open_end(*slot);
	return tree_pass(g, slot);
}

int graph_finish(struct graph *g)
{
	struct graph_tree **t;
	int err = 0;

	while (!err && (t = oldest(g)))
		err = tree_finish(g, t);
	return err;
}

int graph_sweep(struct graph *g, bool (*is_gone)(const struct graph_tree *tree))
{
	int err = 0;

	for (size_t i = 0; i < THREADS; i++)
		for (struct graph_tree **slot = &g->threads[i]; *slot && !err;) {
			struct graph_tree *t = *slot;
			bool was_gone = t->is_gone;

			t->is_gone = is_gone(t);
			if (t->is_gone && was_gone)
				err = tree_finish(g, slot);
			else
				slot = &t->other;
		}
	return err;
}

void graph_free(struct graph *g)
{
	for (size_t i = 0; i < THREADS; i++)
		while (g->threads[i]) {
			struct graph_tree *t = g->threads[i];

			g->threads[i] = t->other;
			tree_free(t);
		}
	tree_free(g->spare);
	g->spare = NULL;
}

/* ---- errors ---- */

size_t graph_levels(const struct graph_tree *tree)
{
	size_t levels = 0;

	for (size_t i = 0; i < tree->count; i++)
		if (tree->calls[i].depth >= levels)
			levels = tree->calls[i].depth + 1;
	return levels;
}

/* Returns the inner call that the error came from: the last one that returned the same error, else (it was replaced
 * by another) the last one that returned any. */
static uint32_t error_child(const struct graph_tree *tree, uint32_t call, int64_t error,
			    int64_t (*is_error)(void *ctx, const struct graph_call *call),
			    void *ctx)
{
	uint32_t same = GRAPH_NONE, any = GRAPH_NONE;

	for (uint32_t i = call + 1; i < tree->calls[call].next; i = tree->calls[i].next) {
		int64_t child = is_error(ctx, &tree->calls[i]);

		any = child ? i : any;
		same = child == error ? i : same;
	}
	return same != GRAPH_NONE ? same : any;
}

size_t graph_error_path(const struct graph_tree *tree,
			int64_t (*is_error)(void *ctx, const struct graph_call *call), void *ctx,
			uint32_t *path)
{
	size_t count = 0;
	int64_t error;

	if (!tree->count || tree->torn)
		return 0;
	for (uint32_t at = 0; at != GRAPH_NONE; at = error_child(tree, at, error, is_error, ctx)) {
		error = is_error(ctx, &tree->calls[at]);
		if (!error)
			break;
		path[count++] = at;
	}
	return count;
}
