/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_rows.c - emit(): prints rows of a table below a header, or of JSON, through the sinks of records.
 *
 * Each emit() has its own columns, and so its own sink. A row of another emit() than the last one prints its header
 * first. Values of types that argdump lacks (tuples, names of addresses) are printed as print() does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expr/resolve/format.h"
#include "front/bt/show_parts.h"
#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/rows/columns.h"
#include "output/rows/sink.h"
#include "output/rows/stack_id.h"

struct bt_row_shape {
	struct sink sink;
	struct schema schema;
	struct field *fields, *columns; /* owned */
	struct shown {
		struct bt_show *s;
		const struct script_type *type;
	} * shown; /* owned; of the printed fields */
	/* --trace-json: the values that identify the task of an event; NULL: not in the row */
	const struct script_arg *pid, *tid, *comm;
	struct buf row; /* owned: a row with a time, in the layout that the sink expects */
};

/* The head of a record with a time, and the time. */
enum { ROW_BEGIN = sizeof(struct script_record) + sizeof(uint64_t) };
enum { MOST_NAMES = 16 }; /* bytes of a name, whose column is as wide */

/* ---- values as print() shows them ---- */

static struct bt_form form_of(const struct field *f, bool json)
{
	const struct shown *shown = f->context;
	struct bt_form form = bt_form_of(shown->s, json);

	form.raw = false; /* a row must stay on one line */
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
	bool is_enum = shown->s->tool &&
		       shown->type->kind == SCRIPT_INT; /* a name, as in all tools */
	struct bt_form form = form_of(f, !is_enum);
	size_t start = o->len;

	buf_str(o, is_enum ? "\"" : "");
	bt_show_value(&form, o, shown->type, v->bytes);
	if (!is_enum || o->error)
		return;
	if (o->data[start + 1] == '-') { /* nothing */
		o->len = start;
		buf_str(o, "null");
	} else {
		buf_char(o, '"');
	}
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

/* A number, or bytes after their length. */
static void formatted_set(struct field *f, const struct script_column *c,
			  const struct script_type *t)
{
	if (t->kind == SCRIPT_BUFFER) {
		f->offset += sizeof(uint32_t);
		f->size -= sizeof(uint32_t);
	}
	f->type = c->rule->type;
	f->count = c->count;
	if (c->count && f->type == FIELD_INT && !c->is_signed)
		f->type = FIELD_UINT;
	/* 200 in a u8 must not become -56 */
	if (f->type == FIELD_INT && c->rule->size && !t->is_signed && c->rule->name[0] != 's')
		f->type = FIELD_UINT;
	f->names = c->names;
	f->context = c->sock;
}

static bool is_of_task(const char *name)
{
	return !strcmp(name, "pid") || !strcmp(name, "tid") || !strcmp(name, "comm");
}

/* True for columns that JSON has outside of the object, as for all tools. */
static bool is_outside(const char *name)
{
	return is_of_task(name) || !strcmp(name, "kernel_stack") || !strcmp(name, "user_stack");
}

/* Returns the shift of a row with a time, which begins with a whole event_header instead of the record's header and
 * the time (timed_show). */
static int row_shift(const struct bt_show *s)
{
	return s->script->args.has_times ? (int)sizeof(struct event_header) - ROW_BEGIN : 0;
}

/* `nothing`: the value may be missing */
static bool may_be_missing(const struct field *f)
{
	return f->size == 8 && (f->type == FIELD_INT || f->type == FIELD_SPAN_NS ||
				f->type == FIELD_SPAN_US || f->type == FIELD_SPAN_MS);
}

/* Prints the frames below the row; in JSON as an array. */
static void stack_set(struct field *f, const struct script_type *t)
{
	bool is_user = t->kind == SCRIPT_USTACK;

	f->type = is_user ? FIELD_USER_STACK : FIELD_KERNEL_STACK;
	f->kind = &stack_id_kinds[is_user];
	f->width = (int)t->depth;
}

/* In an event the task is not repeated among the values. */
static bool head_field_set(struct bt_show *s, struct bt_row_shape *w, struct field *f,
			   const struct script_arg *arg)
{
	const int kind = arg->type.kind;

	if (!s->form || !is_of_task(f->name) ||
	    kind != (*f->name == 'c' ? SCRIPT_STRING : SCRIPT_INT))
		return false;
	*(*f->name == 'c' ? &w->comm : *f->name == 'p' ? &w->pid : &w->tid) = arg;
	f->offset = offsetof(struct event_header, pid);
	f->size = sizeof(uint32_t);
	f->type = FIELD_UINT;
	return true;
}

/* The longest name of a function or probe, up to a limit. */
static int points_width(const struct bt_show *s, const struct script_type *t)
{
	enum { MOST = 28 };
	int width = shown_kind.width;

	for (size_t i = 0; t->kind == SCRIPT_POINT && s->points && i < s->points->count; i++) {
		int len = (int)strlen(t->is_func ? s->points->all[i].func :
						   s->points->all[i].probe);

		width = len > width ? len : width;
	}
	return width < MOST ? width : MOST;
}

static void field_set(struct bt_show *s, struct bt_row_shape *w, const struct script_action *a,
		      size_t i)
{
	const struct script_column *c = &a->columns[i];
	const struct script_type *t = &a->args[i].type;
	struct field *f = &w->fields[i];

	w->shown[i] = (struct shown){ s, t };
	*f = (struct field){ .name = c->name,
			     .offset = a->args[i].offset + row_shift(s),
			     .size = t->size ?: 8,
			     .unit = FIELD_UNIT_NONE,
			     .object = !s->tool		   ? "data" :
				       is_outside(c->name) ? NULL :
							     "args" };
	if (head_field_set(s, w, f, &a->args[i]))
		return;
	if (s->form && t->kind != SCRIPT_KSTACK && t->kind != SCRIPT_USTACK)
		f->flags |= FIELD_PAIR;
	if (s->tool && !c->rule && t->kind == SCRIPT_INT && !strcmp(c->name, "ret")) {
		f->type = FIELD_RET;
	} else if (c->rule && t->kind != SCRIPT_STRING && t->kind != SCRIPT_USYM) {
		formatted_set(f, c, t);
	} else if (is_plain(t)) {
		f->type = plain_type(t);
		if (f->type == FIELD_CSTR && f->size <= MOST_NAMES)
			f->width = f->size - 1;
	} else if (t->kind == SCRIPT_KSTACK || t->kind == SCRIPT_USTACK) {
		stack_set(f, t);
	} else {
		f->kind = &shown_kind;
		f->width = points_width(s, t);
		f->context = &w->shown[i];
	}
	if (c->has_nothing && f->type == FIELD_UINT && f->size == 8)
		f->type = FIELD_INT;
	if (may_be_missing(f))
		f->flags |= FIELD_MAYBE;
}

/* Adds the name of the error in a tool's `ret`, for JSON. Returns the number of added fields. */
static size_t error_add(struct bt_row_shape *w, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (w->fields[i].type != FIELD_RET)
			continue;
		w->fields[count] = (struct field){ .name = "errno",
						   .type = FIELD_ERRNO,
						   .offset = w->fields[i].offset,
						   .size = w->fields[i].size,
						   .unit = FIELD_UNIT_NONE,
						   .flags = FIELD_JSON_ONLY };
		return 1;
	}
	return 0;
}

/* True for a field printed below the row. */
static bool is_stack(const struct field *f)
{
	return f->type == FIELD_KERNEL_STACK || f->type == FIELD_USER_STACK;
}

/* --columns sets the widths of columns. Without it all columns are printed. */
static int widths_set(struct bt_row_shape *w)
{
	struct schema *schemas[] = { &w->schema };
	struct buf list;
	int err = 0;

	buf_init(&list, -1);
	for (size_t i = 0; i < w->schema.count; i++)
		if (!is_stack(&w->schema.fields[i]) &&
		    !(w->schema.fields[i].flags & FIELD_JSON_ONLY))
			buf_printf(&list, "%s%s", list.len ? "," : "", w->schema.fields[i].name);
	buf_char(&list, '\0');
	if (list.error)
		err = -ENOMEM;
	else if (list.len > 1)
		err = columns_set(list.data, schemas, 1, NULL, &w->columns);
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
		buf_free(&w->row);
		free(w);
	}
	free(s->row_shapes);
	free(s->row_columns);
	s->row_shapes = NULL;
	s->row_columns = NULL;
	s->row_shape_count = 0;
}

/* Sorts a report by its first number that is not a task; the columns before it are the row's key. */
static void report_set(struct bt_row_shape *w)
{
	bool is_key = true;

	for (size_t i = 0; i < w->schema.count; i++) {
		struct field *f = &w->fields[i];

		if (is_key && field_is_number(f) && !is_of_task(f->name)) {
			f->flags |= FIELD_SORT;
			is_key = false;
		}
		f->object = is_key ? "by" : NULL;
		if (!is_key)
			f->flags |= strcmp(f->name, "count") ? FIELD_GAUGE : FIELD_TOTAL;
		f->title = f->name;
	}
}

static int shape_fill(struct bt_show *s, struct bt_row_shape *w, const struct script_action *a)
{
	bool has_time = s->script->args.has_times;

	buf_init(&w->row, -1);
	w->fields = calloc(a->arg_count + 1, sizeof(*w->fields));
	w->shown = calloc(a->arg_count, sizeof(*w->shown));
	if (!w->fields || !w->shown)
		return -ENOMEM;
	for (size_t i = 0; i < a->arg_count; i++)
		field_set(s, w, a, i);
	w->schema = (struct schema){ .fields = w->fields + has_time,
				     .count = a->arg_count + error_add(w, a->arg_count) - has_time,
				     .record_min = a->size + row_shift(s),
				     .bare = !has_time,
				     .timestamp = s->timestamp };
	w->sink = (struct sink){ .schema = &w->schema,
				 .out = s->out,
				 .json = s->json,
				 .form = s->csv ? &sink_form_csv : s->form,
				 .minor = s->minor,
				 .applet = s->tool ?: "emit" };
	if (s->reports)
		report_set(w);
	return s->json || s->form || s->chooses || s->reports ? 0 : widths_set(w);
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
	return all[a->number] ? shape_fill(s, all[a->number], a) : -ENOMEM;
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
		strncpy(head.comm, record + w->comm->offset,
			w->comm->type.size < sizeof(head.comm) ? w->comm->type.size :
								 sizeof(head.comm));
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
