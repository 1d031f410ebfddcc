/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_rows.c - emit(): prints rows of a table below a header, or of JSON, through the sinks of records.
 *
 * Each emit() has its own columns, and so its own sink. A row of another emit() than the last one prints its header
 * first. show_columns.c has the columns.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front/bt/show_columns.h"
#include "output/rows/columns.h"
#include "output/rows/sink.h"

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
		buf_free(&w->row);
		free(w);
	}
	free(s->row_shapes);
	free(s->row_columns);
	s->row_shapes = NULL;
	s->row_columns = NULL;
	s->row_shape_count = 0;
}

static int shape_build(struct bt_show *s, const struct script_action *a)
{
	size_t count = s->script->action_count;
	struct bt_row_shape **all = s->row_shapes;

	if (!all)
		all = s->row_shapes = calloc(count + 1, sizeof(struct bt_row_shape *));
	if (!all)
		return -ENOMEM;
	s->row_shape_count = count;
	all[a->number] = calloc(1, sizeof(struct bt_row_shape));
	return all[a->number] ? bt_shape_fill(s, all[a->number], a) : -ENOMEM;
}

static uint32_t number_of(const struct script_arg *arg, const char *record)
{
	uint64_t number = 0;

	if (arg)
		memcpy(&number, record + arg->offset,
		       arg->type.size < sizeof(number) ? arg->type.size : sizeof(number));
	return number;
}

/* A row without a tid is about the first thread. */
static int timed_show(struct bt_row_shape *w, const char *record, size_t size)
{
	struct event_header head = { .pid = number_of(w->pid, record) };

	head.tid = w->tid ? number_of(w->tid, record) : head.pid;
	memcpy(&head.ts, record + sizeof(struct script_record), sizeof(head.ts));
	if (w->comm)
		memcpy(head.comm, record + w->comm->offset,
		       strnlen(record + w->comm->offset, w->comm->type.size < sizeof(head.comm) ?
								 w->comm->type.size :
								 sizeof(head.comm)));
	buf_rewind(&w->row, 0);
	buf_bytes(&w->row, (const char *)&head, sizeof(head));
	buf_bytes(&w->row, record + ROW_BEGIN, size - ROW_BEGIN);
	return w->row.error ? -ENOMEM : sink_record(&w->sink, w->row.data, w->row.len);
}

static bool have_same_columns(const struct schema *a, const struct schema *b)
{
	bool is_same = a->count == b->count;

	for (size_t i = 0; i < a->count && is_same; i++)
		is_same = !strcmp(a->fields[i].name, b->fields[i].name);
	return is_same;
}

/* Sets each column to the larger of two widths, in both. */
static void widths_join(struct bt_row_shape *a, struct bt_row_shape *b)
{
	for (size_t i = 0; i < a->schema.count; i++) {
		struct field *one = (struct field *)&a->schema.fields[i],
			     *other = (struct field *)&b->schema.fields[i];

		one->width = one->width > other->width ? one->width : other->width;
		other->width = one->width;
	}
}

/* Gives rows with the same columns, of whichever emit(), the same widths, so that one header serves them all. */
static int widths_share(struct bt_show *s)
{
	const struct script *script = s->script;

	for (size_t i = 0; i < script->action_count; i++) {
		const struct script_action *a = script->actions[i];

		if (a->kind != ACTION_EMIT)
			continue;
		if (shape_build(s, a))
			return -ENOMEM;
		for (size_t j = 0; j < i; j++) {
			struct bt_row_shape *other = s->row_shapes[script->actions[j]->number];

			if (other &&
			    have_same_columns(&other->schema, &s->row_shapes[a->number]->schema))
				widths_join(other, s->row_shapes[a->number]);
		}
	}
	return 0;
}

/* Returns the sink of the action's rows, after printing a header if needed. Returns 0 or -ENOMEM. */
static int shape_choose(struct bt_show *s, const struct script_action *a)
{
	bool is_table = !s->json && !s->form && !s->chooses && !s->reports;
	int err = s->row_shapes && s->row_shapes[a->number] ? 0 :
		  is_table				    ? widths_share(s) :
							      shape_build(s, a);
	struct bt_row_shape *w = err ? NULL : s->row_shapes[a->number];

	if (err || w == s->row_last)
		return err;
	if (!s->form && (!s->row_last || !have_same_columns(&w->schema, &s->row_last->schema)))
		sink_header(&w->sink);
	s->row_last = w;
	return 0;
}

const struct schema *bt_rows_schema(struct bt_show *s, const struct script_action *a)
{
	s->reports = true;
	return shape_build(s, a) ? NULL : &s->row_shapes[a->number]->schema;
}

void bt_rows_header(struct bt_show *s)
{
	const struct script_action *a = NULL;

	for (size_t i = 0; i < s->script->action_count && !a; i++)
		if (s->script->actions[i]->kind == ACTION_EMIT)
			a = s->script->actions[i];
	if (s->row_last && !s->form)
		sink_header(&s->row_last->sink);
	else if (a && !s->row_last)
		shape_choose(s, a);
}

int bt_rows_choose(struct bt_show *s, const char *columns)
{
	struct schema *schemas[s->script->action_count + 1];
	size_t count = 0;
	int err = 0;

	s->chooses = columns != NULL;
	for (size_t i = 0; i < s->script->action_count && columns && !err; i++) {
		const struct script_action *a = s->script->actions[i];

		if (a->kind != ACTION_EMIT)
			continue;
		err = shape_build(s, a);
		if (!err)
			schemas[count++] = &s->row_shapes[a->number]->schema;
	}
	return count && !err ? columns_set(columns, schemas, count, NULL, &s->row_columns) : err;
}

int bt_row_show(struct bt_show *s, const struct script_action *a, const void *record, size_t size)
{
	struct bt_row_shape *w;
	int err = shape_choose(s, a);

	if (err)
		return err;
	w = s->row_last;
	return w->schema.bare ? sink_record(&w->sink, record, size) : timed_show(w, record, size);
}
