/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.c - prints a tree of calls as text or as JSON (show_call.c prints one call).
 *
 * The text has the kernel's format: a processor, a duration with a mark for a long one, a brace if there are inner
 * calls, else a semicolon.
 */
#include "applets/funcgraph/show.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "applets/funcgraph/show_call.h"
#include "output/field/timestamp.h"
#include "util/errname.h"
#include "util/escape.h"
#include "event.h"

enum { INDENT = 2, FLUSH_BYTES = 64 * 1024 };

/* True for a tree as text; else each call is a record, which the sink writes in its form. */
static bool is_text(const struct graph_show *w)
{
	return !options_want_all(&w->s->options);
}

/* ---- lines ---- */

/* Returns the kernel's mark for a duration. */
static char duration_mark(uint64_t ns)
{
	static const struct {
		uint64_t ns;
		char mark;
	} marks[] = { { 1000000000, '$' }, { 100000000, '@' }, { 10000000, '*' },
		      { 1000000, '#' },	   { 100000, '!' },    { 10000, '+' } };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (ns > marks[i].ns)
			return marks[i].mark;
	return ' ';
}

/* Writes the indentation of a line: a call's entry or end. */
static void write_offset(struct buf *o, const struct graph_call *c, bool entry)
{
	uint64_t ns = c->end - c->begin;

	buf_uint_right(o, entry || !c->end ? c->begin_cpu : c->end_cpu, 3);
	buf_str(o, ") ");
	if (entry || !c->end) {
		buf_blanks(o, 16);
	} else {
		buf_char(o, duration_mark(ns));
		buf_uint_right(o, ns / 1000, 8);
		buf_char(o, '.');
		buf_uint_pad(o, ns % 1000, 3);
		buf_str(o, " us");
	}
	buf_str(o, " |  ");
}

static void write_indent(struct buf *o, const struct graph_call *c)
{
	buf_repeat(o, ' ', (size_t)INDENT * c->depth);
}

static int write_leaf(struct graph_show *w, const struct graph_tree *tree,
		      const struct graph_call *c, bool indent)
{
	struct buf *o = &w->s->out;
	int err = graph_call_load(w, tree, c);

	write_offset(o, c, false);
	if (indent)
		write_indent(o, c);
	graph_write_function(w);
	graph_write_result(w);
	buf_str(o, ";\n");
	return err;
}

static int write_begin(struct graph_show *w, const struct graph_tree *tree,
		       const struct graph_call *c)
{
	struct buf *o = &w->s->out;
	int err = graph_call_load(w, tree, c);

	write_offset(o, c, true);
	write_indent(o, c);
	graph_write_function(w);
	buf_str(o, " {\n");
	return err;
}

static int write_end(struct graph_show *w, const struct graph_tree *tree,
		     const struct graph_call *c)
{
	struct buf *o = &w->s->out;
	int err = graph_call_load(w, tree, c);

	write_offset(o, c, false);
	write_indent(o, c);
	buf_char(o, '}');
	graph_write_result(w);
	buf_char(o, '\n');
	return err;
}

/* Ends the calls that do not enclose call `next`, from the innermost on. */
static int ends_write(struct graph_show *w, const struct graph_tree *tree, uint32_t last,
		      uint32_t next)
{
	int err = 0;

	for (uint32_t i = last; i != GRAPH_NONE && tree->calls[i].next <= next && !err;
	     i = tree->calls[i].parent)
		if (tree->calls[i].next != i + 1) /* otherwise it was a leaf */
			err = write_end(w, tree, &tree->calls[i]);
	return err;
}

static int tree_write_text(struct graph_show *w, const struct graph_tree *tree)
{
	int err = 0;

	for (uint32_t i = 0; i < tree->count && !err; i++) {
		const struct graph_call *c = &tree->calls[i];

		err = c->next == i + 1 ? write_leaf(w, tree, c, true) : write_begin(w, tree, c);
		if (!err)
			err = ends_write(w, tree, i, i + 1);
	}
	if (tree->left_out)
		buf_printf(&w->s->out, "# %" PRIu64 " calls of this tree had no room\n",
			   tree->left_out);
	return err;
}

/* Writes the task of the tree. */
static void write_caption(struct graph_show *w, const struct graph_tree *tree)
{
	const struct event_header *head = (const void *)(tree->bytes.data + tree->calls[0].entry);
	struct buf *o = &w->s->out;

	buf_str(o, "# ");
	if (w->form != TIMESTAMP_NONE) {
		timestamp_write(o, head->ts, w->form);
		buf_char(o, ' ');
	}
	escape_write(o, head->comm, strnlen(head->comm, sizeof(head->comm)));
	buf_char(o, '-');
	buf_uint(o, head->tid);
	if (tree->torn)
		buf_printf(o, ", torn: %s, what was called is not shown", tree->why);
	buf_char(o, '\n');
}

/* ---- trees ---- */

typedef int call_fn(struct graph_show *w, const struct graph_tree *tree, uint32_t i);

static int call_write_record(struct graph_show *w, const struct graph_tree *tree, uint32_t i)
{
	int err = graph_call_load(w, tree, &tree->calls[i]);

	if (!err && w->s->options.files.trace_json)
		graph_call_at_end(w);
	return err ?: sink_record(&w->s->sink, w->joint.data, w->joint.len);
}

/* Gives a call that is written as text to whoever reads records. */
static int call_tee(struct graph_show *w, const struct graph_tree *tree, uint32_t i)
{
	int err = graph_call_load(w, tree, &tree->calls[i]);

	if (!err)
		w->s->sink.tee(w->joint.data, w->joint.len);
	return err;
}

static int call_write_leaf(struct graph_show *w, const struct graph_tree *tree, uint32_t i)
{
	return write_leaf(w, tree, &tree->calls[i], false);
}

/* The path of an error, innermost call first; or all calls. */
static int calls_each(struct graph_show *w, const struct graph_tree *tree, const uint32_t *path,
		      size_t count, call_fn *call)
{
	int err = 0;

	while (w->errors && count-- > 0 && !err)
		err = call(w, tree, path[count]);
	for (uint32_t i = 0; !w->errors && i < (tree->torn ? 1 : tree->count) && !err; i++)
		err = call(w, tree, i);
	return err;
}

static int tree_write(struct graph_show *w, const struct graph_tree *tree, const uint32_t *path,
		      size_t count)
{
	int err;

	if (!is_text(w))
		return calls_each(w, tree, path, count, call_write_record);
	if (w->errors)
		err = calls_each(w, tree, path, count, call_write_leaf);
	else if (tree->torn)
		err = write_leaf(w, tree, &tree->calls[0], true);
	else
		err = tree_write_text(w, tree);
	if (!err && w->s->sink.tee)
		err = calls_each(w, tree, path, count, call_tee);
	return err;
}

static bool is_wanted(const struct graph_show *w, const struct graph_tree *tree)
{
	const struct graph_call *root = &tree->calls[0];
	uint64_t end = root->end ?: w->s->end.at;

	return end - root->begin >= w->longer;
}

static int write_wanted(struct graph_show *w, const struct graph_tree *tree, const uint32_t *path,
			size_t count)
{
	struct buf *o = &w->s->out;
	uint64_t rows = w->s->sink.rows;
	int err;

	graph_shown.number = ++w->trees;
	if (is_text(w))
		write_caption(w, tree);
	err = tree_write(w, tree, path, count);
	w->s->sink.rows = rows + 1;
	if (is_text(w))
		buf_unit_end(o);
	if (o->per_line || o->len >= FLUSH_BYTES)
		buf_flush(o);
	return err;
}

static bool error_is_wanted(struct graph_show *w, const struct graph_call *root)
{
	int64_t error = -graph_call_error(w, root);

	return error > 0 && error <= ERRNO_MOST && w->wanted[error];
}

int graph_show(struct graph_show *w, const struct graph_tree *tree)
{
	uint32_t *path = NULL;
	size_t count = 0;
	int err = 0;

	if (!is_wanted(w, tree))
		return 0;
	if (w->errors) {
		path = calloc(graph_levels(tree) + 1, sizeof(*path));
		if (!path)
			return -ENOMEM;
		graph_shown.tree = tree;
		count = graph_error_path(tree, graph_call_error, w, path);
		if (count && w->wanted && !error_is_wanted(w, &tree->calls[0]))
			count = 0;
	}
	if (!w->errors || count)
		err = write_wanted(w, tree, path, count);
	free(path);
	return err;
}

void graph_show_header(struct graph_show *w)
{
	if (is_text(w))
		buf_str(&w->s->out, " CPU   DURATION       |  FUNCTION CALLS\n");
	buf_flush(&w->s->out);
}
