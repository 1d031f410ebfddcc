/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_columns.c - the columns of a row of emit(): a field for each of its values.
 *
 * Values of types that argdump lacks (tuples, names of addresses) are printed as print() does.
 */
#include "front/bt/show_columns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expr/resolve/format.h"
#include "front/bt/show_parts.h"
#include "output/field/field_kind.h"
#include "output/field/field_load.h"
#include "output/rows/columns.h"
#include "output/rows/stack_id.h"

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

/* Sorts a report by its first number that is no task and no part of a map's key; the columns before it are the row's key. */
static void report_set(struct bt_row_shape *w, const struct script_column *columns)
{
	bool is_key = true;

	for (size_t i = 0; i < w->schema.count; i++) {
		struct field *f = &w->fields[i];

		if (is_key && field_is_number(f) && !is_of_task(f->name) && !columns[i].is_key) {
			f->flags |= FIELD_SORT;
			is_key = false;
		}
		f->object = is_key ? "by" : NULL;
		if (!is_key)
			f->flags |= strcmp(f->name, "count") ? FIELD_GAUGE : FIELD_TOTAL;
		f->title = f->name;
	}
}

int bt_shape_fill(struct bt_show *s, struct bt_row_shape *w, const struct script_action *a)
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
		report_set(w, a->columns);
	return s->json || s->form || s->chooses || s->reports ? 0 : widths_set(w);
}
