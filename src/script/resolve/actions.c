/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * actions.c - lists what user space does when a record arrives, and lays out the records.
 *
 * Each call has one action for all points where its arguments have the same types. Literals are not stored in the
 * record.
 */
#include <string.h>

#include "script/resolve/resolve.h"

static bool same_literal(const struct script_expr *a, const struct script_expr *b)
{
	if (a->type.kind != SCRIPT_STRING && a->type.kind != SCRIPT_ARRAY)
		return a->value == b->value;
	return a->length == b->length && (!a->length || !memcmp(a->bytes, b->bytes, a->length));
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* join(): the record holds the memory at the address. */
static bool is_literal(const struct action_args *args, size_t i)
{
	return !args->all_in_record && args->exprs[i]->is_constant &&
	       args->exprs[i]->type.kind == args->types[i].kind;
}

static bool same_args(const struct script_action *action, const struct action_args *args)
{
	if (action->arg_count != args->count)
		return false;
	for (size_t i = 0; i < args->count; i++) {
		const struct script_arg *arg = &action->args[i];

		if (!script_type_equal(&arg->type, &args->types[i]) ||
		    arg->is_literal != is_literal(args, i) ||
		    (arg->is_literal && !same_literal(arg->expr, args->exprs[i])))
			return false;
	}
	return true;
}

static struct script_action *action_find(const struct script *s, const struct script_expr *call,
					 const char *text, const struct action_args *args)
{
	for (size_t i = 0; i < s->action_count; i++) {
		struct script_action *action = s->actions[i];

		if (action->call == call && same_text(action->text, text) &&
		    same_args(action, args))
			return action;
	}
	return NULL;
}

/* Copies a literal: it must outlive the runs, which change the nodes of the tree. */
static const struct script_expr *literal_copy(struct resolve *r, const struct script_expr *e)
{
	struct script_expr *copy = alloc_lasting(r, sizeof(*copy));

	if (copy)
		*copy = *e;
	return copy;
}

static void arguments_layout(struct resolve *r, struct script_action *action,
			     const struct action_args *args)
{
	uint32_t at = sizeof(struct script_record);

	for (size_t i = 0; i < args->count && !failed(r); i++) {
		struct script_arg *arg = &action->args[i];

		arg->type = args->types[i];
		arg->is_literal = is_literal(args, i);
		arg->expr = args->exprs[i];
		if (arg->is_literal) {
			arg->expr = literal_copy(r, arg->expr);
			continue;
		}
		arg->offset = at;
		at += (arg->type.size + 7) / 8 * 8;
	}
	action->arg_count = args->count;
	action->size = at;
}

static struct script_action *action_new(struct resolve *r, const struct script_expr *call,
					const struct action_args *args)
{
	struct script *s = r->c->s;
	struct script_action *action = alloc_lasting(r, sizeof(*action));
	struct script_arg *all = alloc_lasting(r, (args->count + 1) * sizeof(*all));

	if (!action || !all)
		return NULL;
	action->call = call;
	action->span = call->span;
	action->map = call->map;
	action->args = all;
	action->number = s->action_count;
	arguments_layout(r, action, args);
	if (!failed(r))
		script_append(r, (void ***)&s->actions, &s->action_count, &s->action_room, action);
	return failed(r) ? NULL : action;
}

void action_set(struct resolve *r, struct script_expr *call, enum script_action_kind kind,
		const char *text, const struct action_args *args)
{
	if (!r->c->is_final || failed(r))
		return;
	if (script_is_pinned(r->c->point->attach)) {
		script_fail(r->c, call->span, "a pinned iterator can print only with printf()");
		script_hint(r->c,
			    "without the name after the second colon all functions print here");
		return;
	}
	call->action = action_find(r->c->s, call, text, args);
	if (call->action)
		return;
	call->action = action_new(r, call, args);
	if (!call->action)
		return;
	call->action->kind = kind;
	call->action->text = text;
}

unsigned text_number(struct resolve *r, const char *text)
{
	struct script *s = r->c->s;

	if (!s->text_count)
		script_append(r, (void ***)&s->texts, &s->text_count, &s->text_room, (void *)"");
	for (size_t i = 1; i < s->text_count; i++) {
		if (!strcmp(s->texts[i], text))
			return i;
	}
	return script_append(r, (void ***)&s->texts, &s->text_count, &s->text_room, (void *)text);
}
