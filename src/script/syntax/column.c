/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * column.c - parses the arguments of emit(): [NAME =] E [:FORMAT], …
 *
 * A colon belongs to a preceding ? that has none yet: emit((a ? b : c):x).
 */
#include "script/syntax/parser.h"
#include "util/array.h"

struct columns {
	struct expr_list list;
	struct script_format *formats;
	size_t room;
};

/* Returns the default name of a column: the last word of its value; NULL if it has none. */
static const char *name_of(const struct script_expr *e)
{
	switch (e->kind) {
	case X_WORD:
	case X_VAR:
	case X_FIELD:
	case X_CALL: return e->name;
	case X_MAP: return *e->name ? e->name : NULL;
	default: return NULL;
	}
}

/* hex[6], enum(TASK_DEAD) */
static void format_argument(struct parser *p, struct script_format *f)
{
	if (syn_accept(p, "(")) {
		f->constant = syn_name(p, "a constant of the enum");
		syn_expect(p, ")", "after the constant");
	} else if (syn_accept(p, "[")) {
		f->count = p->in.t.number;
		if (p->in.t.kind != LEX_NUMBER || !p->in.t.number || p->in.t.number > UINT16_MAX)
			syn_expected(p, "a number of bytes");
		syn_advance(p);
		syn_expect(p, "]", "after the number of bytes");
	}
}

/* Parses what follows the colon. No #define replaces the format's name. */
static void format_parse(struct parser *p, struct script_format *f)
{
	f->span.start = p->in.t.span.start;
	f->name = syn_name(p, "a format like path or x");
	if (f->name)
		format_argument(p, f);
	f->span.end = p->in.last.end;
}

static bool column_add(struct parser *p, struct columns *c, struct script_expr *value,
		       const char *name)
{
	struct script_format *more;

	if (!expr_list_add(p, &c->list, value, name))
		return false;
	if (c->list.count <= c->room)
		return true;
	more = script_alloc(p->c, 2 * c->list.count * sizeof(*more));
	if (!more)
		return false;
	if (c->room)
		memcpy(more, c->formats, c->room * sizeof(*more));
	c->formats = more;
	c->room = 2 * c->list.count;
	return true;
}

static bool column_parse(struct parser *p, struct columns *c)
{
	const char *name = NULL;
	struct script_expr *value;

	if (p->in.t.kind == LEX_NAME && syn_then(p, "=")) {
		name = syn_name(p, "the name of a column");
		syn_advance(p);
	}
	value = syn_expression(p);
	if (!value || !column_add(p, c, value, name ?: name_of(value)))
		return false;
	c->formats[c->list.count - 1].has_title = name != NULL;
	if (!syn_is(p, ":"))
		return true;
	syn_advance_plain(p);
	format_parse(p, &c->formats[c->list.count - 1]);
	return !p->c->err;
}

/* time = nsecs(monotonic):time */
static bool time_add(struct parser *p, struct columns *c)
{
	struct script_expr *now = expr_new(p, X_CALL, p->in.t.span.start);
	struct script_expr *clock = expr_new(p, X_WORD, p->in.t.span.start);
	struct expr_list args = {};

	if (!now || !clock || !expr_list_add(p, &args, clock, NULL))
		return false;
	clock->name = "monotonic";
	now->name = "nsecs";
	now->has_call = true;
	now->items = args.items;
	now->count = args.count;
	if (!column_add(p, c, now, "time"))
		return false;
	c->formats[0] = (struct script_format){ .name = "time", .has_title = true };
	return true;
}

/* kernel_stack = kstack(frames) */
static bool stack_add(struct parser *p, struct columns *c, const char *name, const char *function,
		      uint32_t frames)
{
	struct script_expr *stack = expr_new(p, X_CALL, p->in.t.span.start);
	struct script_expr *most = expr_new(p, X_INT, p->in.t.span.start);
	struct expr_list args = {};

	if (!stack || !most || !expr_list_add(p, &args, most, NULL))
		return false;
	most->number = frames;
	stack->name = function;
	stack->has_call = true;
	stack->items = args.items;
	stack->count = args.count;
	return column_add(p, c, stack, name);
}

static bool stacks_add(struct parser *p, struct columns *c)
{
	const struct script_args *args = &p->c->s->args;

	return (!args->kernel_frames ||
		stack_add(p, c, "kernel_stack", "kstack", args->kernel_frames)) &&
	       (!args->user_frames || stack_add(p, c, "user_stack", "ustack", args->user_frames));
}

bool syn_columns(struct parser *p, struct script_expr *e)
{
	struct columns c = {};

	if (p->c->s->args.has_times && !time_add(p, &c))
		return false;
	do {
		if (!column_parse(p, &c))
			return false;
	} while (syn_accept(p, ","));
	if (!stacks_add(p, &c))
		return false;
	if (!syn_accept(p, ")")) {
		syn_expected(p, "',' or ')' after the column");
		return false;
	}
	e->items = c.list.items;
	e->names = c.list.names;
	e->count = c.list.count;
	e->formats = c.formats;
	return true;
}
