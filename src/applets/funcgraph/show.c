/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.c - a tree of calls as text or as JSON.
 *
 * The text is the kernel's: a duration with a mark for a long one, a brace where calls are inside, a
 * semicolon where none are.
 */
#include "applets/funcgraph/show.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "output/value_text.h"
#include "util/errname.h"
#include "util/escape.h"
#include "event.h"

enum { INDENT = 2, FLUSH_BYTES = 64 * 1024 };

/* ---- fields of a call ---- */

/* What `value` functions look at: the call that is being shown. */
static struct {
	const struct graph_tree *tree;
	const struct graph_call *call;
	const struct graph_form *form;
	uint64_t number;
} shown;

static void value_tree(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = shown.number;
}

static void value_call(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = shown.call - shown.tree->calls;
}

static void value_parent(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = shown.call->parent;
	v->status = shown.call->parent == GRAPH_NONE ? EVENT_NONE : EVENT_OK;
}

static void value_depth(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = shown.call->depth;
}

static void value_duration(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = shown.call->end - shown.call->begin;
	v->status = shown.call->end ? EVENT_OK : EVENT_NONE;
}

static void value_torn(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = shown.tree->torn;
}

/* clang-format off */
const struct field graph_fields[GRAPH_FIELDS] = {
	{ .name = "tree", .type = FIELD_UINT, .size = 8, .value = value_tree,
	  .help = "number of the tree, from 1" },
	{ .name = "call", .type = FIELD_UINT, .size = 8, .value = value_call,
	  .help = "number of the call in its tree, in the order of the entries; 0 is FUNC's" },
	{ .name = "parent", .type = FIELD_UINT, .size = 8, .value = value_parent,
	  .help = "the call that it is inside of; null for FUNC's" },
	{ .name = "depth", .type = FIELD_UINT, .size = 8, .value = value_depth,
	  .help = "how many calls it is inside of" },
	{ .name = "duration", .type = FIELD_NS, .size = 8, .value = value_duration,
	  .help = "from entry to return; null if it has not returned" },
	{ .name = "torn", .type = FIELD_BOOL, .size = 1, .value = value_torn,
	  .help = "were events lost? Then only FUNC's own call is shown" },
};
/* clang-format on */

uint32_t graph_show_tag(const void *record, size_t size)
{
	(void)record, (void)size;
	return shown.form->number;
}

/* ---- a call ---- */

/* Both records as one, in w->joint; a result that is missing is all zeros. */
static int call_load(struct graph_show *w, const struct graph_tree *tree,
		     const struct graph_call *c)
{
	const struct graph_form *form = w->funcs->list[c->func].form;
	size_t size = form->schema.record_min;

	shown.tree = tree;
	shown.call = c;
	shown.form = form;
	w->joint.len = 0;
	buf_bytes(&w->joint, tree->bytes.data + c->entry,
		  c->entry_size < form->joint ? c->entry_size : form->joint);
	buf_repeat(&w->joint, 0, form->joint - w->joint.len);
	if (c->result_size)
		buf_bytes(&w->joint, tree->bytes.data + c->result,
			  c->result_size < size - form->joint ? c->result_size :
								size - form->joint);
	buf_repeat(&w->joint, 0, size - w->joint.len);
	return w->joint.error;
}

static int64_t call_error(void *ctx, const struct graph_call *c)
{
	struct graph_show *w = ctx;

	if (!c->result_size || call_load(w, shown.tree, c))
		return 0;
	return graph_form_error(shown.form, w->joint.data, w->joint.len);
}

static void put_value(struct graph_show *w, const struct field *f)
{
	struct value v;

	if (!field_load(f, w->joint.data, w->joint.len, &v))
		value_text_put(&w->s->out, f, &v, w->form);
}

/* vfs_read(file="/x", count=3) */
static void put_function(struct graph_show *w)
{
	const struct schema *schema = &shown.form->schema;
	const char *name = w->funcs->list[shown.call->func].name, *between = "";
	struct buf *o = &w->s->out;

	buf_str(o, name);
	buf_char(o, '(');
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *f = &schema->fields[i];

		if (!(f->flags & FIELD_PAIR) || f == shown.form->ret)
			continue;
		buf_str(o, between);
		between = ", ";
		escape_put(o, f->name, strlen(f->name));
		buf_char(o, '=');
		put_value(w, f);
	}
	buf_char(o, ')');
}

/* Of an unknown type: the name of an error, or else a number. */
static void put_untyped(struct buf *o, uint64_t value, int64_t error)
{
	if (error) {
		buf_char(o, '-');
		buf_str(o, errname(-error));
	} else if (value >> 32) {
		buf_str(o, "0x");
		buf_hex(o, value);
	} else {
		buf_uint(o, value);
	}
}

static void put_result(struct graph_show *w)
{
	struct buf *o = &w->s->out;
	struct value v;
	int64_t error;

	if (!shown.call->result_size) {
		buf_str(o, " /* has not returned */");
		return;
	}
	if (!shown.form->ret)
		return;
	buf_str(o, " = ");
	error = graph_form_error(shown.form, w->joint.data, w->joint.len);
	if (shown.form->untyped && !field_load(shown.form->ret, w->joint.data, w->joint.len, &v))
		put_untyped(o, v.u, error);
	else
		put_value(w, shown.form->ret);
	if (error)
		buf_str(o, " /* error */");
}

/* ---- lines ---- */

/* As the kernel marks what took longer than so much. */
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

static void put_duration(struct buf *o, const struct graph_call *c)
{
	uint64_t ns = c ? c->end - c->begin : 0;

	if (!c || !c->end) {
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

static void put_indent(struct buf *o, const struct graph_call *c)
{
	buf_repeat(o, ' ', (size_t)INDENT * c->depth);
}

static int put_leaf(struct graph_show *w, const struct graph_tree *tree, const struct graph_call *c,
		    bool indent)
{
	struct buf *o = &w->s->out;
	int err = call_load(w, tree, c);

	put_duration(o, c);
	if (indent)
		put_indent(o, c);
	put_function(w);
	put_result(w);
	buf_str(o, ";\n");
	return err;
}

static int put_begin(struct graph_show *w, const struct graph_tree *tree,
		     const struct graph_call *c)
{
	struct buf *o = &w->s->out;
	int err = call_load(w, tree, c);

	put_duration(o, NULL);
	put_indent(o, c);
	put_function(w);
	buf_str(o, " {\n");
	return err;
}

static int put_end(struct graph_show *w, const struct graph_tree *tree, const struct graph_call *c)
{
	struct buf *o = &w->s->out;
	int err = call_load(w, tree, c);

	put_duration(o, c);
	put_indent(o, c);
	buf_char(o, '}');
	put_result(w);
	buf_char(o, '\n');
	return err;
}

/* Ends the calls that call `next` is not inside of, from the innermost on. */
static int ends_put(struct graph_show *w, const struct graph_tree *tree, uint32_t last,
		    uint32_t next)
{
	int err = 0;

	for (uint32_t i = last; i != GRAPH_NONE && tree->calls[i].next <= next && !err;
	     i = tree->calls[i].parent)
		if (tree->calls[i].next != i + 1) /* else it was a leaf */
			err = put_end(w, tree, &tree->calls[i]);
	return err;
}

static int tree_put_text(struct graph_show *w, const struct graph_tree *tree)
{
	int err = 0;

	for (uint32_t i = 0; i < tree->count && !err; i++) {
		const struct graph_call *c = &tree->calls[i];

		err = c->next == i + 1 ? put_leaf(w, tree, c, true) : put_begin(w, tree, c);
		if (!err)
			err = ends_put(w, tree, i, i + 1);
	}
	if (tree->left_out)
		buf_printf(&w->s->out, "# %" PRIu64 " calls of this tree had no room\n",
			   tree->left_out);
	return err;
}

/* Whose tree it is. */
static void put_caption(struct graph_show *w, const struct graph_tree *tree)
{
	const struct event_header *head = (const void *)(tree->bytes.data + tree->calls[0].entry);
	struct buf *o = &w->s->out;

	buf_str(o, "# ");
	if (w->form != TIMESTAMP_NONE) {
		timestamp_put(o, head->ts, w->form);
		buf_char(o, ' ');
	}
	escape_put(o, head->comm, strnlen(head->comm, sizeof(head->comm)));
	buf_char(o, '-');
	buf_uint(o, head->tid);
	if (tree->torn)
		buf_printf(o, ", torn: %s, what was called is not shown", tree->why);
	buf_char(o, '\n');
}

/* ---- trees ---- */

static int call_put_json(struct graph_show *w, const struct graph_tree *tree, uint32_t i)
{
	int err = call_load(w, tree, &tree->calls[i]);

	return err ?: sink_record(&w->s->sink, w->joint.data, w->joint.len);
}

/* The innermost first. */
static int path_put(struct graph_show *w, const struct graph_tree *tree, const uint32_t *path,
		    size_t count)
{
	int err = 0;

	while (count-- > 0 && !err)
		err = w->s->options.json ? call_put_json(w, tree, path[count]) :
					   put_leaf(w, tree, &tree->calls[path[count]], false);
	return err;
}

static int tree_put(struct graph_show *w, const struct graph_tree *tree)
{
	int err = 0;

	if (!w->s->options.json && tree->torn)
		return put_leaf(w, tree, &tree->calls[0], true);
	if (!w->s->options.json)
		return tree_put_text(w, tree);
	for (uint32_t i = 0; i < (tree->torn ? 1 : tree->count) && !err; i++)
		err = call_put_json(w, tree, i);
	return err;
}

static bool is_wanted(const struct graph_show *w, const struct graph_tree *tree)
{
	const struct graph_call *root = &tree->calls[0];
	uint64_t end = root->end ?: w->s->ended_at;

	return end - root->begin >= w->longer;
}

static int put_wanted(struct graph_show *w, const struct graph_tree *tree, const uint32_t *path,
		      size_t count)
{
	struct buf *o = &w->s->out;
	uint64_t rows = w->s->sink.rows;
	int err;

	shown.number = ++w->trees;
	if (!w->s->options.json)
		put_caption(w, tree);
	err = w->errors ? path_put(w, tree, path, count) : tree_put(w, tree);
	w->s->sink.rows = rows + 1;
	if (!w->s->options.json)
		buf_unit_end(o);
	if (o->per_line || o->len >= FLUSH_BYTES)
		buf_flush(o);
	return err;
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
		shown.tree = tree;
		count = graph_error_path(tree, call_error, w, path);
	}
	if (!w->errors || count)
		err = put_wanted(w, tree, path, count);
	free(path);
	return err;
}

void graph_show_header(struct graph_show *w)
{
	if (!w->s->options.json)
		buf_str(&w->s->out, "  DURATION       |  FUNCTION CALLS\n");
	buf_flush(&w->s->out);
}
