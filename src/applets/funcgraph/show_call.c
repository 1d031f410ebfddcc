/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_call.c - prints one call: its fields in JSON, its arguments and its result as text.
 */
#include "applets/funcgraph/show_call.h"

#include <string.h>

#include "output/field/value.h"
#include "output/field/value_text.h"
#include "util/errname.h"
#include "util/escape.h"
#include "event.h"

/* ---- fields of a call ---- */

/* Also read by `value` functions. */
struct graph_shown graph_shown;

static void value_tree(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = graph_shown.number;
}

static void value_call(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = graph_shown.call - graph_shown.tree->calls;
}

static void value_parent(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = graph_shown.call->parent;
	v->status = graph_shown.call->parent == GRAPH_NONE ? EVENT_NONE : EVENT_OK;
}

static void value_depth(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = graph_shown.call->depth;
}

static void value_duration(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = graph_shown.call->end - graph_shown.call->begin;
	v->status = graph_shown.call->end ? EVENT_OK : EVENT_NONE;
}

static void value_cpu(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = graph_shown.call->begin_cpu;
}

static void value_torn(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->u = graph_shown.tree->torn;
}

/* clang-format off */
const struct field graph_fields[GRAPH_FIELDS] = {
	{ .name = "tree", .type = FIELD_UINT, .size = 8, .value = value_tree,
	  .help = "number of the tree, from 1" },
	{ .name = "call", .type = FIELD_UINT, .size = 8, .value = value_call,
	  .help = "number of the call in its tree, in the order of entry; 0 is FUNC itself" },
	{ .name = "parent", .type = FIELD_UINT, .size = 8, .value = value_parent,
	  .help = "number of the enclosing call in its tree; null for FUNC" },
	{ .name = "depth", .type = FIELD_UINT, .size = 8, .value = value_depth,
	  .help = "nesting depth" },
	{ .name = "duration", .type = FIELD_NS, .size = 8, .value = value_duration,
	  .role = FIELD_ROLE_LASTED,
	  .help = "from entry to return; null if it has not returned" },
	{ .name = "cpu", .type = FIELD_UINT, .size = 8, .value = value_cpu,
	  .help = "the processor, at the entry" },
	{ .name = "torn", .type = FIELD_BOOL, .size = 1, .value = value_torn,
	  .help = "true if events were lost: then only FUNC's own call is shown" },
};
/* clang-format on */

uint32_t graph_show_tag(const void *record, size_t size)
{
	(void)record, (void)size;
	return graph_shown.form->number;
}

/* ---- a call ---- */

int graph_call_load(struct graph_show *w, const struct graph_tree *tree, const struct graph_call *c)
{
	const struct graph_form *form = w->funcs->list[c->func].form;
	size_t size = form->schema.record_min;

	graph_shown.tree = tree;
	graph_shown.call = c;
	graph_shown.form = form;
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

void graph_call_at_end(struct graph_show *w)
{
	struct event_header *head = (void *)w->joint.data;

	if (graph_shown.call->end)
		head->ts = graph_shown.call->end;
}

int64_t graph_call_error(void *ctx, const struct graph_call *c)
{
	struct graph_show *w = ctx;

	if (!c->result_size || graph_call_load(w, graph_shown.tree, c))
		return 0;
	return graph_form_error(graph_shown.form, w->joint.data, w->joint.len);
}

static void write_value(struct graph_show *w, const struct field *f)
{
	struct value v;

	if (!field_load(f, w->joint.data, w->joint.len, &v))
		value_text_write(&w->s->out, f, &v, w->form);
}

void graph_write_function(struct graph_show *w)
{
	const struct schema *schema = &graph_shown.form->schema;
	const char *name = w->funcs->list[graph_shown.call->func].name, *between = "";
	struct buf *o = &w->s->out;

	buf_str(o, name);
	buf_char(o, '(');
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *f = &schema->fields[i];

		if (!(f->flags & FIELD_PAIR) || f == graph_shown.form->ret)
			continue;
		buf_str(o, between);
		between = ", ";
		escape_write(o, f->name, strlen(f->name));
		buf_char(o, '=');
		write_value(w, f);
	}
	buf_char(o, ')');
}

/* Writes a result of unknown type: the name of an error, or a number. */
static void write_untyped(struct buf *o, uint64_t value, int64_t error)
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

void graph_write_result(struct graph_show *w)
{
	struct buf *o = &w->s->out;
	struct value v;
	int64_t error;

	if (!graph_shown.call->result_size) {
		buf_str(o, " /* has not returned */");
		return;
	}
	if (!graph_shown.form->ret)
		return;
	buf_str(o, " = ");
	error = graph_form_error(graph_shown.form, w->joint.data, w->joint.len);
	if (graph_shown.form->untyped &&
	    !field_load(graph_shown.form->ret, w->joint.data, w->joint.len, &v))
		write_untyped(o, v.u, error);
	else
		write_value(w, graph_shown.form->ret);
	if (error)
		buf_str(o, " /* error */");
}
