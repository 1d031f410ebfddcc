/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sink.c - turns records into lines: which fields are shown, the text before each, and when lines are written.
 *
 * The forms (table.c, json.c, trace_json.c, ftrace.c) lay out a row; the kinds of fields format a value.
 */
#include "output/field/field_kind.h"
#include "output/field/value.h"
#include "output/field/value_text.h"
#include "output/rows/sink_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "util/escape.h"
#include "event.h"

#define SINK_FLUSH_BYTES (64 * 1024) /* a pipe's default capacity: more would block anyway */

const struct sink_form *sink_forms[SINK_DEFAULTS];

static size_t size_min(const struct schema *s)
{
	size_t header = s->bare ? 0 : sizeof(struct event_header);

	return s->record_min > header ? s->record_min : header;
}

bool schema_accepts(const struct schema *s, size_t size)
{
	return size >= size_min(s);
}

/* True if the name is the field's, with its unit, as in JSON, or without. */
static bool is_called(const struct field *f, const char *name, size_t len)
{
	size_t own = strlen(f->name);
	const char *unit = field_unit_suffix(f);

	if (len < own || strncmp(f->name, name, own) != 0)
		return false;
	return len == own || (strlen(unit) == len - own && !strncmp(name + own, unit, len - own));
}

const struct field *schema_find(const struct schema *s, const char *name, size_t len,
				bool is_header)
{
	const struct field *found = NULL;

	for (size_t i = 0; i < s->count; i++) {
		const struct field *f = &s->fields[i];
		bool is_pair = f->flags & FIELD_PAIR;

		if (is_called(f, name, len) && (!found || is_pair != is_header))
			found = f;
	}
	return found;
}

bool sink_field_is_shown(const struct sink *s, const struct schema *schema, size_t i)
{
	unsigned flags = schema->fields[i].flags;

	if (!schema_has(schema, i))
		return false;
	if (sink_form(s)->all_fields)
		return !(flags & FIELD_TEXT_ONLY);
	return !(flags & FIELD_JSON_ONLY) && (!(flags & FIELD_EXTENDED) || schema->extended);
}

const struct sink_form *sink_form(const struct sink *s)
{
	if (s->form)
		return s->form;
	if (s->json)
		return sink_forms[SINK_JSON];
	return sink_forms[s->out->columns || s->out->is_colored ? SINK_FITTED : SINK_TABLE];
}

bool sink_cell_is_plain(const struct sink_shape *shape, const struct field *f)
{
	return f->type == FIELD_UINT && f->size == sizeof(uint32_t) && !f->bit_size && !f->kind &&
	       !(f->flags & FIELD_SPARSE) && field_load_choose(f, shape->size_min) != field_load;
}

/* ---- cells ---- */

void sink_cell_add(const struct sink *s, struct sink_shape *shape, const struct field *f)
{
	struct sink_cell *c = &shape->cells[shape->cell_count++];

	*c = (struct sink_cell){ .field = f,
				 .lead = (unsigned)shape->leads.len,
				 .load = field_load_choose(f, shape->size_min),
				 .right = field_is_right_aligned(f) };
	sink_form(s)->cell(shape, c);
	c->lead_len = (unsigned)shape->leads.len - c->lead;
}

/* ---- lines of text ---- */

void sink_write_lead(struct sink_shape *shape, const struct field *f)
{
	if (f->flags & FIELD_PAIR) {
		escape_write(&shape->leads, f->name, strlen(f->name));
		buf_char(&shape->leads, '=');
	} else if (f->flags & FIELD_REMARK) {
		buf_char(&shape->leads, '#');
	}
}

enum place { PLACE_COLUMN, PLACE_PAIR, PLACE_REMARK, PLACE_BELOW };

static enum place place_of_field(const struct field *f)
{
	if (field_kind(f)->flags & KIND_BELOW)
		return PLACE_BELOW;
	return f->flags & FIELD_REMARK ? PLACE_REMARK :
	       f->flags & FIELD_PAIR   ? PLACE_PAIR :
					 PLACE_COLUMN;
}

void sink_cells_arrange(const struct sink *s, struct sink_shape *shape)
{
	const struct schema *schema = shape->schema;

	for (enum place place = PLACE_COLUMN; place <= PLACE_BELOW; place++) {
		if (place == PLACE_BELOW)
			shape->below = shape->cell_count;
		for (size_t i = 0; i < schema->count; i++)
			if (place_of_field(&schema->fields[i]) == place &&
			    sink_field_is_shown(s, schema, i))
				sink_cell_add(s, shape, &schema->fields[i]);
		if (place == PLACE_COLUMN)
			shape->columns = shape->cell_count;
	}
}

int sink_write_text(struct sink *s, const struct sink_shape *shape, const void *record, size_t size)
{
	if (size < shape->size_min)
		return -EBADMSG;
	shape->schema->text(s->out, record);
	return 0;
}

/* ---- events ---- */

void sink_roles_find(struct sink_shape *shape)
{
	for (size_t i = 0; i < shape->schema->count; i++)
		if (schema_has(shape->schema, i))
			shape->roles[shape->schema->fields[i].role] = &shape->schema->fields[i];
}

void sink_write_event(const struct sink *s, const struct sink_shape *shape, const void *record,
		      size_t size, enum escape_form form)
{
	const struct field *f = shape->roles[FIELD_ROLE_EVENT];
	const char *name = shape->schema->event ?: s->applet;
	struct value v;

	if (f && !field_load(f, record, size, &v) && v.u < f->name_count)
		name = f->names[v.u].name;
	escape_write_part(s->out, name, strlen(name), form);
}

/* ---- shapes ---- */

static void shape_free(struct sink_shape *shape)
{
	if (!shape->cells)
		return;
	for (size_t i = 0; i < shape->cell_count; i++)
		free(shape->cells[i].kept);
	free(shape->cells);
	buf_free(&shape->leads);
	*shape = (struct sink_shape){ 0 };
}

static int shape_prepare(const struct sink *s, struct sink_shape *shape,
			 const struct schema *schema)
{
	*shape = (struct sink_shape){ .schema = schema, .size_min = size_min(schema) };
	shape->cells = calloc(schema->count + 1, sizeof(*shape->cells));
	if (!shape->cells)
		return -ENOMEM;
	buf_init(&shape->leads, -1);
	sink_form(s)->cells(s, shape);
	buf_reserve(&shape->leads, 16); /* buf_short reads 16 bytes */
	if (!shape->leads.error)
		return 0;
	shape_free(shape);
	return -ENOMEM;
}

static int shapes_build(struct sink *s)
{
	s->form = sink_form(s);
	s->shapes = calloc(s->tag ? s->schema_count : 1, sizeof(*s->shapes));
	return s->shapes ? 0 : -ENOMEM;
}

/* Prepares shape number `i` at its first use. */
static __attribute__((noinline)) struct sink_shape *shape_build(struct sink *s, size_t i, int *err)
{
	*err = s->shapes ? 0 : shapes_build(s);
	if (!*err)
		*err = shape_prepare(s, &s->shapes[i], s->tag ? s->schemas[i] : s->schema);
	return *err ? NULL : &s->shapes[i];
}

struct sink_shape *sink_shape_first(struct sink *s, int *err)
{
	return s->shapes && s->shapes->cells ? s->shapes : shape_build(s, 0, err);
}

struct sink_shape *sink_shape_of(struct sink *s, const void *record, size_t size, int *err)
{
	size_t i = s->tag ? s->tag(record, size) : 0;

	*err = s->tag && i >= s->schema_count ? -EBADMSG : 0;
	if (*err)
		return NULL;
	if (__builtin_expect(s->shapes && s->shapes[i].cells, 1))
		return &s->shapes[i];
	return shape_build(s, i, err);
}

void sink_free(struct sink *s)
{
	for (size_t i = 0; s->shapes && i < (s->tag ? s->schema_count : 1); i++)
		shape_free(&s->shapes[i]);
	free(s->shapes);
	s->shapes = NULL;
	if (s->state)
		s->form->free(s);
	s->state = NULL;
}

/* ---- lines ---- */

static void line_end(struct buf *o)
{
	if (o->per_line || o->len >= SINK_FLUSH_BYTES)
		buf_flush(o);
}

void sink_header(struct sink *s)
{
	const struct sink_form *form = sink_form(s);
	const struct sink_shape *shape;
	int err;

	if (!form->header)
		return;
	shape = sink_shape_first(s, &err);
	if (!shape)
		return;
	form->header(s, shape);
	line_end(s->out);
}

void sink_end(struct sink *s)
{
	const struct sink_form *form = sink_form(s);

	if (form->end)
		form->end(s);
}

void sink_lost(struct sink *s, const struct schema *schema, const void *row, size_t size)
{
	const struct sink_form *form = sink_form(s);

	if (form->lost)
		form->lost(s, schema, row, size);
}

int sink_record(struct sink *s, const void *record, size_t size)
{
	struct sink_shape *shape;
	int err;

	shape = sink_shape_of(s, record, size, &err);
	if (!shape)
		return err;
	err = s->form->record(s, shape, record, size);
	if (err)
		return err;
	s->rows++;
	if (__builtin_expect(s->tee != NULL, 0))
		s->tee(record, size);
	buf_unit_end(s->out);
	line_end(s->out);
	return 0;
}

/* ---- what a record says ---- */

static bool has_pairs(const struct sink *s, const struct schema *schema)
{
	for (size_t i = 0; i < schema->count; i++)
		if (place_of_field(&schema->fields[i]) == PLACE_PAIR &&
		    sink_field_is_shown(s, schema, i))
			return true;
	return false;
}

static bool value_contains(const struct field *f, const void *record, size_t size, const char *text)
{
	struct value v;
	struct buf o;
	bool found;

	if (field_load(f, record, size, &v))
		return false;
	buf_init(&o, -1);
	value_text_write(&o, f, &v, TIMESTAMP_NONE);
	buf_char(&o, '\0');
	found = !o.error && strstr(o.data, text);
	buf_free(&o);
	return found;
}

bool sink_contains(struct sink *s, const void *record, size_t size, const char *text)
{
	int err;
	const struct sink_shape *shape = sink_shape_of(s, record, size, &err);
	const struct schema *schema = shape ? shape->schema : NULL;
	enum place place = schema && has_pairs(s, schema) ? PLACE_PAIR : PLACE_COLUMN;

	for (size_t i = 0; schema && i < schema->count; i++)
		if (place_of_field(&schema->fields[i]) == place &&
		    sink_field_is_shown(s, schema, i) &&
		    value_contains(&schema->fields[i], record, size, text))
			return true;
	return false;
}
