/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_rows.c - emit(): rows of a table below a header, or of JSON, by the sinks of records.
 *
 * Each emit() has columns of its own, and so a sink. When another one has its turn its header comes first. Values that
 * argdump does not know (tuples, names of addresses) are shown as print() shows them.
 */
#include <errno.h>
#include <stdlib.h>

#include "expr/resolve/format.h"
#include "front/bt/show_parts.h"
#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/rows/columns.h"
#include "output/rows/sink.h"

struct bt_row_shape {
	struct sink sink;
	struct schema schema;
	struct field *fields, *columns; /* owned */
	struct shown {
		struct bt_show *s;
		const struct script_type *type;
	} * shown; /* owned; of each field */
};

/* ---- values as print() shows them ---- */

static struct bt_form form_of(const struct field *f, bool json)
{
	const struct shown *shown = f->context;
	struct bt_form form = bt_form_of(shown->s, json);

	form.raw = false; /* a row is a line */
	return form;
}

static size_t value_text(struct buf *o, const struct field *f, const struct value *v,
			 enum timestamp_form unused)
{
	const struct shown *shown = f->context;
	struct bt_form form = form_of(f, false);
	size_t start = o->len;

	(void)unused;
	bt_show_value(&form, o, shown->type, v->bytes);
	return o->len - start;
}

static void value_json(struct buf *o, const struct field *f, const struct value *v)
{
	const struct shown *shown = f->context;
	struct bt_form form = form_of(f, true);

	bt_show_value(&form, o, shown->type, v->bytes);
}

static const struct field_kind shown_kind = {
	.name = "value", .width = 16, .load = load_raw, .text = value_text, .json = value_json
};

/* ---- fields ---- */

static bool is_plain(const struct script_type *t)
{
	return t->kind == SCRIPT_BOOL || t->kind == SCRIPT_POINTER || t->kind == SCRIPT_STRING ||
	       (t->kind == SCRIPT_INT && !t->c.id);
}

static enum field_type plain_type(const struct script_type *t)
{
	switch (t->kind) {
	case SCRIPT_BOOL: return FIELD_BOOL;
	case SCRIPT_POINTER: return FIELD_PTR;
	case SCRIPT_STRING: return FIELD_CSTR;
	default: return t->is_signed ? FIELD_INT : FIELD_UINT;
	}
}

/* A number, or bytes behind their length. */
static void formatted_set(struct field *f, const struct script_column *c,
			  const struct script_type *t)
{
	if (t->kind == SCRIPT_BUFFER) {
		f->offset += sizeof(uint32_t);
		f->size -= sizeof(uint32_t);
	}
	f->type = c->rule->type;
	/* 200 in a u8 is not -56 */
	if (f->type == FIELD_INT && c->rule->size && !t->is_signed && c->rule->name[0] != 's')
		f->type = FIELD_UINT;
	f->names = c->names;
	f->context = c->sock;
}

static void field_set(struct bt_row_shape *w, const struct script_action *a, size_t i)
{
	const struct script_column *c = &a->columns[i];
	const struct script_type *t = &a->args[i].type;
	struct field *f = &w->fields[i];

	*f = (struct field){ .name = c->name,
			     .offset = a->args[i].offset,
			     .size = t->size ?: 8,
			     .unit = FIELD_UNIT_NONE,
			     .object = "data" };
	if (c->rule && t->kind != SCRIPT_STRING && t->kind != SCRIPT_USYM &&
	    c->rule->wants != WANTS_ENUM) {
		formatted_set(f, c, t);
		return;
	}
	if (is_plain(t)) {
		f->type = plain_type(t);
		return;
	}
	f->kind = &shown_kind;
	f->context = &w->shown[i];
}

/* --columns decides how wide columns are. */
static int widths_set(struct bt_row_shape *w)
{
	struct schema *schemas[] = { &w->schema };
	struct buf list;
	int err;

	buf_init(&list, -1);
	for (size_t i = 0; i < w->schema.count; i++)
		buf_printf(&list, "%s%s", i ? "," : "", w->fields[i].name);
	buf_char(&list, '\0');
	err = list.error ? -ENOMEM : columns_set(list.data, schemas, 1, NULL, &w->columns);
	buf_free(&list);
	return err;
}

/* ---- rows ---- */

void bt_rows_free(struct bt_show *s)
{
	for (size_t i = 0; i < s->row_shape_count; i++) {
		struct bt_row_shape *w = s->row_shapes[i];

		if (!w)
			continue;
		sink_free(&w->sink);
		free(w->fields);
		free(w->columns);
		free(w->shown);
		free(w);
	}
	free(s->row_shapes);
	s->row_shapes = NULL;
	s->row_shape_count = 0;
}

static int shape_fill(struct bt_show *s, struct bt_row_shape *w, const struct script_action *a)
{
	w->fields = calloc(a->arg_count, sizeof(*w->fields));
	w->shown = calloc(a->arg_count, sizeof(*w->shown));
	if (!w->fields || !w->shown)
		return -ENOMEM;
	for (size_t i = 0; i < a->arg_count; i++) {
		w->shown[i] = (struct shown){ s, &a->args[i].type };
		field_set(w, a, i);
	}
	w->schema = (struct schema){
		.fields = w->fields, .count = a->arg_count, .record_min = a->size, .bare = true
	};
	w->sink = (struct sink){
		.schema = &w->schema, .out = s->out, .json = s->json, .applet = "emit"
	};
	return s->json ? 0 : widths_set(w);
}

static int shape_make(struct bt_show *s, const struct script_action *a)
{
	size_t count = s->script->action_count;
	struct bt_row_shape **all = s->row_shapes;

	if (!all)
		all = s->row_shapes = calloc(count + 1, sizeof(struct bt_row_shape *));
	if (!all)
		return -ENOMEM;
	s->row_shape_count = count;
	all[a->number] = calloc(1, sizeof(struct bt_row_shape));
	return all[a->number] ? shape_fill(s, all[a->number], a) : -ENOMEM;
}

int bt_row_show(struct bt_show *s, const struct script_action *a, const void *record, size_t size)
{
	struct bt_row_shape *w;
	int err = s->row_shapes && s->row_shapes[a->number] ? 0 : shape_make(s, a);

	if (err)
		return err;
	w = s->row_shapes[a->number];
	if (s->row_last != w)
		sink_header(&w->sink);
	s->row_last = w;
	return sink_record(&w->sink, record, size);
}
