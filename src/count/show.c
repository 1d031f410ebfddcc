/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show.c - compiles texts of columns to expressions, with the parser of expr/, and builds the schema of the columns.
 */
#include "count/show.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "count/gauge.h"
#include "expr/syntax/syntax.h"
#include "output/field/field_kind.h"
#include "util/log.h"

/* ---- texts → expressions ---- */

static bool is_param(struct compile *c, struct span name)
{
	(void)c, (void)name;
	return true; /* names are fields: there are no types */
}

static int error_report(const struct slot *s, const struct expr_error *e)
{
	log_error("--show: %s", e->message);
	log_caret(s->text, e->start, e->end);
	if (e->hint[0])
		log_hint("%s", e->hint);
	return -EINVAL;
}

static bool is_gauge(const struct slot *s, const struct node *n)
{
	static const char word[] = "$meminfo";
	const size_t len = sizeof(word) - 1;

	return n->argument.end && n->name.end - n->name.start == len &&
	       !memcmp(s->text + n->name.start, word, len);
}

static bool is_supported(const struct slot *s, const struct node *n)
{
	switch (n->kind) {
	case NODE_NAME:
	case NODE_NUMBER: return true;
	case NODE_BUILTIN: return n->argument.end == 0 || is_gauge(s, n);
	case NODE_UNARY: return true;
	case NODE_BINARY: return n->oper != OPER_MATCH;
	case NODE_AND:
	case NODE_OR:
	case NODE_CHOICE: return true;
	default: return false;
	}
}

static void nodes_check(struct compile *c, const struct node *n)
{
	if (!n || c->err)
		return;
	if (!is_supported(c->slot, n)) {
		compile_fail(
			c, n->span,
			"expected names of columns, $meminfo(NAME), numbers and C's operators");
		return;
	}
	nodes_check(c, n->child);
	nodes_check(c, n->other);
	nodes_check(c, n->third);
}

static bool is_name(const struct node *n)
{
	return n->kind == NODE_NAME || (n->kind == NODE_BUILTIN && !n->argument.end);
}

/* Names a column: by the user's name, or else after its field. */
static void slot_check(struct compile *c, struct slot *s)
{
	struct span name = s->name;

	nodes_check(c, s->root);
	if (!c->err && !name.end && !is_name(s->root)) {
		compile_fail(c, s->root->span, "a computed column needs a name");
		compile_hint(c, "NAME=EXPR: ratio=100*a/b");
	}
	if (c->err)
		return;
	if (!name.end) {
		name = s->root->name;
		name.start += s->text[name.start] == '$';
	}
	s->place.key = arena_text(&c->p->arena, s->text + name.start, name.end - name.start);
	if (!s->place.key)
		c->err = -ENOMEM;
}

static int slot_parse(struct compile *c, struct slot *s)
{
	c->slot = s;
	expr_lex(c, s);
	if (!c->err)
		expr_parse(c, s);
	if (!c->err)
		slot_check(c, s);
	return c->err == -EINVAL ? error_report(s, c->error) : c->err;
}

int show_parse(struct show *s, const char *const *texts, size_t count)
{
	static const struct expr_input input;
	struct expr_error error = { .text = 0 };
	struct expr_program *p = &s->program;
	struct compile c = {
		.in = &input, .p = p, .error = &error, .is_param = is_param, .is_typedef = is_param
	};
	int err = 0;

	p->slots = arena_alloc(&p->arena, (count + 1) * sizeof(*p->slots));
	if (!p->slots)
		return -ENOMEM;
	for (; p->slot_count < count && !err; p->slot_count++) {
		p->slots[p->slot_count].text = texts[p->slot_count];
		err = slot_parse(&c, &p->slots[p->slot_count]);
	}
	return err;
}

/* ---- formats ---- */

static const struct {
	const char *name;
	enum field_type type;
} formats[] = {
	{ "", FIELD_INT },     { "d", FIELD_INT }, { "u", FIELD_UINT },
	{ "x", FIELD_HEX },    { "ns", FIELD_NS }, { "hundredths", FIELD_HUNDREDTHS },
	{ "sort", FIELD_INT }, /* not shown: rows are sorted by it */
};
enum { FORMATS = sizeof(formats) / sizeof(formats[0]), FORMAT_SORT = FORMATS - 1 };
enum { HIDDEN = FIELD_JSON_ONLY | FIELD_TEXT_ONLY };

/* Returns FORMATS if the format is unknown. */
static size_t format_find(const struct slot *s)
{
	size_t len = s->format.span.end - s->format.span.start, i = 0;

	while (i < FORMATS && (strlen(formats[i].name) != len ||
			       memcmp(formats[i].name, s->text + s->format.span.start, len)))
		i++;
	return i;
}

/* ---- fields ---- */

static void names_list(const struct schema *row, struct expr_error *e)
{
	size_t len = 0, size = sizeof(e->hint);

	for (size_t i = 0; i < row->count && len < size; i++)
		if (show_find(row, row->fields[i].name, strlen(row->fields[i].name)) ==
		    &row->fields[i])
			len += snprintf(e->hint + len, size - len, "%s%s",
					len ? ", " : "there are ", row->fields[i].name);
}

static int gauge_check(const struct slot *s, const struct node *n)
{
	struct expr_error e = { .start = n->argument.start,
				.end = n->argument.end,
				.hint = "a name as in /proc/meminfo: $meminfo(Cached)" };
	uint64_t value;

	if (gauge_meminfo(s->text + e.start, e.end - e.start, &value))
		return 0;
	snprintf(e.message, sizeof(e.message), "/proc/meminfo has no %.*s",
		 SPAN_ARG(s->text, n->argument));
	return error_report(s, &e);
}

/* Reports a name that no field has, or a field that is no number. */
static int names_check(const struct slot *s, const struct node *n, const struct schema *row)
{
	struct expr_error e = { .start = n->span.start, .end = n->span.end };
	const struct field *f;
	int err = 0;

	if (n->kind == NODE_BUILTIN && n->argument.end)
		return gauge_check(s, n);
	if (is_name(n)) {
		f = show_find(row, s->text + n->name.start, n->name.end - n->name.start);
		if (f && (show_is_number(f) || (n == s->root && !s->format.span.end)))
			return 0;
		snprintf(e.message, sizeof(e.message),
			 f ? "%.*s is not a number" : "unknown result or key %.*s",
			 SPAN_ARG(s->text, n->name));
		if (!f)
			names_list(row, &e);
		return error_report(s, &e);
	}
	if (n->child)
		err = names_check(s, n->child, row);
	if (!err && n->other)
		err = names_check(s, n->other, row);
	return err || !n->third ? err : names_check(s, n->third, row);
}

/* Sets a field of the row as a column, under its own name or another one. */
static void field_choose(const struct slot *s, const struct field *from, struct field *f)
{
	*f = *from;
	f->flags &= ~(FIELD_JSON_ONLY | FIELD_TEXT_ONLY | FIELD_SPARSE | FIELD_SORT);
	f->object = NULL;
	f->title = s->name.end ? s->place.key : f->title ?: f->name;
	if (s->name.end)
		f->name = s->place.key;
}

static int field_compute(struct show *s, const struct slot *slot, const struct schema *row,
			 struct field *f)
{
	struct show_column *column = arena_alloc(&s->program.arena, sizeof(*column));
	size_t format = format_find(slot);
	struct expr_error e = {
		.start = slot->format.span.start,
		.end = slot->format.span.end,
		.message = "the formats of a column are d, u, x, ns, hundredths and sort"
	};

	if (!column)
		return -ENOMEM;
	if (format == FORMATS)
		return error_report(slot, &e);
	*column = (struct show_column){ slot, row };
	*f = (struct field){ .name = slot->place.key,
			     .title = slot->place.key,
			     .type = formats[format].type,
			     .flags = format == FORMAT_SORT ? FIELD_SORT | HIDDEN : FIELD_GAUGE,
			     .size = sizeof(uint64_t),
			     .value = show_value,
			     .context = column };
	return 0;
}

/* Returns the field that the column is, if it has no format of its own; NULL: it is computed. */
static const struct field *field_of(const struct slot *s, const struct schema *row)
{
	const struct node *n = s->root;

	return is_name(n) && !s->format.span.end ?
		       show_find(row, s->text + n->name.start, n->name.end - n->name.start) :
		       NULL;
}

static int column_build(struct show *s, const struct slot *slot, const struct schema *row,
			struct field *f)
{
	const struct field *from;
	int err = names_check(slot, slot->root, row);

	if (err)
		return err;
	from = field_of(slot, row);
	if (!from)
		return field_compute(s, slot, row, f);
	field_choose(slot, from, f);
	return 0;
}

/* True if a field of the row is one of the columns. */
static bool is_chosen(const struct show *s, const struct schema *row, const struct field *f)
{
	for (size_t i = 0; i < s->program.slot_count; i++)
		if (field_of(&s->program.slots[i], row) == f)
			return true;
	return false;
}

/* True if the field is shown although no option chose it: totals and sparse fields are; counters are for metrics
 * only. */
static bool is_left_over(struct field *f)
{
	if (f->flags & (FIELD_TOTAL | FIELD_SPARSE))
		return true;
	if (f->flags & HIDDEN ||
	    (f->type != FIELD_HIST && !(f->flags & (FIELD_COUNTER | FIELD_GAUGE))))
		return false;
	f->flags = (f->flags & ~FIELD_SORT) | HIDDEN;
	return true;
}

/* ---- the schema ---- */

int show_schema(struct show *s, const struct schema *row, size_t keys, struct schema *shown)
{
	const struct expr_program *p = &s->program;
	size_t room = row->count + p->slot_count;
	struct field *fields = arena_alloc(&s->program.arena, room * sizeof(*fields)), *f = fields;
	bool sorted = false;
	int err = 0;

	if (!fields)
		return -ENOMEM;
	for (size_t i = 0; i < p->slot_count; i++)
		sorted |= format_find(&p->slots[i]) == FORMAT_SORT;
	for (size_t i = 0; i < keys; i++, f++) {
		*f = row->fields[i];
		if (is_chosen(s, row, &row->fields[i])) /* JSON always has it at its usual place */
			f->flags |= FIELD_JSON_ONLY;
	}
	for (size_t i = 0; i < p->slot_count && !err; i++, f++) {
		const struct field *from = field_of(&p->slots[i], row);
		bool is_key = from && from < row->fields + keys;

		err = column_build(s, &p->slots[i], row, f);
		if (is_key) {
			f->flags |= FIELD_TEXT_ONLY;
		} else if (!err && !sorted && (field_kind(f)->weight || show_is_number(f))) {
			f->flags |= FIELD_SORT;
			sorted = true;
		}
	}
	for (size_t i = keys; i < row->count && !err; i++) {
		*f = row->fields[i];
		if (!is_chosen(s, row, &row->fields[i]) && is_left_over(f))
			f++;
	}
	*shown = *row;
	shown->fields = fields;
	shown->count = f - fields;
	return err;
}

void show_free(struct show *s)
{
	arena_free(&s->program.arena);
	s->program = (struct expr_program){ .slots = NULL };
}
