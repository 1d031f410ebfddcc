/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sink.c - turns records into lines: which fields are shown, the text before each, and when lines
 * are written.
 *
 * The forms (table.c, json.c, folded.c) lay out a row; the kinds of fields format a value.
 */
#include "output/sink_priv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/folded.h"
#include "util/escape.h"
#include "event.h"

#define SINK_FLUSH_BYTES (64 * 1024) /* a pipe's default capacity: more would block anyway */

static size_t size_min(const struct schema *s)
{
	size_t header = s->bare ? 0 : sizeof(struct event_header);

	return s->record_min > header ? s->record_min : header;
}

bool schema_accepts(const struct schema *s, size_t size)
{
	return size >= size_min(s);
}

static bool is_shown(const struct schema *schema, size_t i, bool json)
{
	unsigned flags = schema->fields[i].flags;

	if (!schema_has(schema, i))
		return false;
	if (json)
		return !(flags & FIELD_TEXT_ONLY);
	return !(flags & FIELD_JSON_ONLY) && (!(flags & FIELD_EXTENDED) || schema->extended);
}

bool sink_cell_is_plain(const struct sink_shape *shape, const struct field *f)
{
	return f->type == FIELD_UINT && f->size == sizeof(uint32_t) && !f->bit_size && !f->kind &&
	       !(f->flags & FIELD_SPARSE) && field_load_choose(f, shape->size_min) != field_load;
}

/* ---- the text before the values ---- */

static const char *object_of(const struct field *f)
{
	return f->object ?: f->flags & FIELD_PAIR ? "args" : NULL;
}

static bool same_object(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Pairs are in an object of their own, because their names, which the user chose, could clash. */
static void lead_put_json(struct sink_shape *shape, const struct field *f)
{
	const char *object = object_of(f);
	bool same = same_object(object, shape->object);
	struct buf *leads = &shape->leads;

	if (!same && shape->object)
		buf_char(leads, '}');
	if (!same && object) {
		escape_put_json_key(leads, object);
		buf_char(leads, '{');
	} else {
		buf_char(leads, ',');
	}
	json_put_key(leads, f);
	shape->object = object;
}

static void lead_put_text(struct sink_shape *shape, const struct field *f)
{
	if (f->flags & FIELD_PAIR) {
		escape_put(&shape->leads, f->name, strlen(f->name));
		buf_char(&shape->leads, '=');
	} else if (f->flags & FIELD_REMARK) {
		buf_char(&shape->leads, '#');
	}
}

/* ---- cells ---- */

static void cell_add(const struct sink *s, struct sink_shape *shape, const struct field *f)
{
	struct sink_cell *c = &shape->cells[shape->cell_count++];

	*c = (struct sink_cell){ .field = f,
				 .lead = (unsigned)shape->leads.len,
				 .load = field_load_choose(f, shape->size_min),
				 .right = field_is_right_aligned(f) };
	(s->json ? lead_put_json : lead_put_text)(shape, f);
	c->lead_len = (unsigned)shape->leads.len - c->lead;
	(s->json ? json_cell_prepare : table_cell_prepare)(shape, c);
}

enum place { PLACE_COLUMN, PLACE_PAIR, PLACE_REMARK, PLACE_BELOW };

static enum place place_of(const struct field *f)
{
	if (field_kind(f)->flags & KIND_BELOW)
		return PLACE_BELOW;
	return f->flags & FIELD_REMARK ? PLACE_REMARK :
	       f->flags & FIELD_PAIR   ? PLACE_PAIR :
					 PLACE_COLUMN;
}

/* In a table, pairs follow the columns, remarks follow both, and stacks are below the row. */
static void cells_add_table(const struct sink *s, struct sink_shape *shape)
{
	const struct schema *schema = shape->schema;

	for (enum place place = PLACE_COLUMN; place <= PLACE_BELOW; place++) {
		if (place == PLACE_BELOW)
			shape->below = shape->cell_count;
		for (size_t i = 0; i < schema->count; i++)
			if (place_of(&schema->fields[i]) == place && is_shown(schema, i, false))
				cell_add(s, shape, &schema->fields[i]);
		if (place == PLACE_COLUMN)
			shape->columns = shape->cell_count;
	}
	table_shape_prepare(shape);
}

/* In JSON, the fields are in the schema's order. */
static void cells_add_json(const struct sink *s, struct sink_shape *shape)
{
	buf_str(&shape->leads, "{\"type\":");
	escape_put_json(&shape->leads, s->applet, strlen(s->applet));
	shape->head_len = shape->leads.len;
	for (size_t i = 0; i < shape->schema->count; i++)
		if (is_shown(shape->schema, i, true))
			cell_add(s, shape, &shape->schema->fields[i]);
}

static void shape_free(struct sink_shape *shape)
{
	if (!shape->cells)
		return;
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
	(s->json ? cells_add_json : cells_add_table)(s, shape);
	buf_reserve(&shape->leads, 16); /* for buf_short */
	if (!shape->leads.error)
		return 0;
	shape_free(shape);
	return -ENOMEM;
}

static int shapes_make(struct sink *s)
{
	s->shapes = calloc(s->tag ? s->schema_count : 1, sizeof(*s->shapes));
	return s->shapes ? 0 : -ENOMEM;
}

/* Prepares shape number `i` at its first use. */
static __attribute__((noinline)) struct sink_shape *shape_make(struct sink *s, size_t i, int *err)
{
	*err = s->shapes ? 0 : shapes_make(s);
	if (!*err)
		*err = shape_prepare(s, &s->shapes[i], s->tag ? s->schemas[i] : s->schema);
	return *err ? NULL : &s->shapes[i];
}

struct sink_shape *sink_shape_first(struct sink *s, int *err)
{
	return s->shapes && s->shapes->cells ? s->shapes : shape_make(s, 0, err);
}

struct sink_shape *sink_shape_of(struct sink *s, const void *record, size_t size, int *err)
{
	size_t i = s->tag ? s->tag(record, size) : 0;

	*err = s->tag && i >= s->schema_count ? -EBADMSG : 0;
	if (*err)
		return NULL;
	if (__builtin_expect(s->shapes && s->shapes[i].cells, 1))
		return &s->shapes[i];
	return shape_make(s, i, err);
}

void sink_free(struct sink *s)
{
	for (size_t i = 0; s->shapes && i < (s->tag ? s->schema_count : 1); i++)
		shape_free(&s->shapes[i]);
	free(s->shapes);
	s->shapes = NULL;
}

/* ---- lines ---- */

static void line_end(struct buf *o)
{
	if (o->per_line || o->len >= SINK_FLUSH_BYTES)
		buf_flush(o);
}

void sink_header(struct sink *s)
{
	const struct sink_shape *shape;
	int err;

	if (s->json || s->folded)
		return;
	shape = sink_shape_first(s, &err);
	if (!shape || shape->schema->text)
		return;
	table_put_header(s, shape);
	line_end(s->out);
}

static int text_put_record(struct sink *s, const struct sink_shape *shape, const void *record,
			   size_t size)
{
	if (size < shape->size_min)
		return -EBADMSG;
	shape->schema->text(s->out, record);
	return 0;
}

int sink_record(struct sink *s, const void *record, size_t size)
{
	struct sink_shape *shape;
	int err;

	shape = sink_shape_of(s, record, size, &err);
	if (!shape)
		return err;
	if (s->folded) {
		err = folded_add(s->folded, shape->schema, record, size);
		s->rows += !err;
		return err;
	}
	if (s->json)
		err = json_put_record(s, shape, record, size);
	else if (__builtin_expect(shape->schema->text != NULL, 0))
		err = text_put_record(s, shape, record, size);
	else
		err = table_put_record(s, shape, record, size);
	if (err)
		return err;
	s->rows++;
	buf_unit_end(s->out);
	line_end(s->out);
	return 0;
}
