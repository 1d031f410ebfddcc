/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * compile.c - the state of one compilation: error, memory, slots. Used by all stages.
 */
#include "expr/compile.h"
#include "expr/ctype.h"
#include "util/suggest.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The index of the user's text that the slot comes from; -1: from none, as for default
 * parameters. */
static size_t error_text(const struct compile *c)
{
	const struct expr_input *in = c->outside ?: c->in; /* the owner of the texts */
	size_t slot = c->slot ? (size_t)(c->slot - c->p->slots) : 0;

	if (c->slot && c->slot->trigger)
		return (size_t)-1 - c->slot->trigger;
	if (c->slot && (c->slot->diff.part || c->slot->role))
		return c->slot->input;
	if (c->slot && c->slot->followed.parent) /* not written by the user */
		return (size_t)-1;
	if (c->slot && slot < c->p->filter_count)
		return in->count + c->slot->input;
	return c->slot && (in->count || in->run.aggregate) ? c->slot->input : (size_t)-1;
}

void compile_fail(struct compile *c, struct span where, const char *fmt, ...)
{
	va_list args;

	if (c->err)
		return;
	c->err = -EINVAL;
	c->error->text = error_text(c);
	c->error->start = where.start;
	c->error->end = where.end;
	va_start(args, fmt);
	vsnprintf(c->error->message, sizeof(c->error->message), fmt, args);
	va_end(args);
}

void compile_refuse(struct compile *c, struct span where, const char *fmt, ...)
{
	va_list args;
	char text[200];

	if (c->err)
		return;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	compile_fail(c, where, "%s", text);
	c->err = -EOPNOTSUPP;
}

/* Only an error of the user has a remedy, and only one. */
static bool wants_hint(const struct compile *c)
{
	return (c->err == -EINVAL || c->err == -EOPNOTSUPP) && !c->error->hint[0];
}

void compile_hint(struct compile *c, const char *fmt, ...)
{
	va_list args;

	if (!wants_hint(c))
		return;
	va_start(args, fmt);
	vsnprintf(c->error->hint, sizeof(c->error->hint), fmt, args);
	va_end(args);
}

void compile_suggest(struct compile *c, const struct suggestion *n,
		     const struct suggest_words *words)
{
	if (wants_hint(c))
		suggest_write(n, words, c->error->hint, sizeof(c->error->hint));
}

void compile_text(struct compile *c, struct span span, char *buf, size_t size)
{
	snprintf(buf, size, "%.*s", SPAN_ARG(c->slot->text, span));
}

void *compile_alloc(struct compile *c, size_t size)
{
	void *bytes = arena_alloc(&c->p->arena, size);

	if (!bytes)
		c->err = -ENOMEM;
	return bytes;
}

void *compile_grown(struct compile *c, void *array, size_t count, size_t *room, size_t size)
{
	size_t larger = *room ? *room * 2 : 16;
	void *copy;

	if (count < *room)
		return array;
	copy = compile_alloc(c, larger * size);
	if (copy && count)
		memcpy(copy, array, count * size);
	*room = copy ? larger : *room;
	return copy;
}

void compile_spans(struct node *n, struct span span)
{
	if (!n)
		return;
	n->span = span;
	compile_spans(n->child, span);
	compile_spans(n->other, span);
	compile_spans(n->third, span);
}

struct node *compile_node(struct compile *c, const struct node *from, enum node_kind kind,
			  struct ctype type, struct node *child, struct node *other)
{
	struct node *n = compile_alloc(c, sizeof(*n));

	if (n)
		*n = (struct node){ .kind = kind,
				    .span = from->span,
				    .op = from->op,
				    .child = child,
				    .other = other,
				    .type = type,
				    .category = CATEGORY_RVALUE };
	return n;
}

void compile_side(struct compile *c, bool at_end)
{
	if (!c->in->pair || c->at_end == at_end)
		return;
	c->at_end = at_end;
	c->in = at_end ? c->in->pair->end : c->in->pair->begin;
	c->p->func = c->sides[at_end].func;
	c->p->proto = c->sides[at_end].proto;
}

struct outside compile_inside(struct compile *c, const struct expr_input *marks)
{
	const struct btf_type *func = btf_view_type(marks->btf, marks->site.func_id);
	struct outside was = { c->in, c->p->func, c->p->proto, c->loop };

	c->outside = c->in;
	c->in = marks;
	c->p->func = marks->site.name ?: func ? btf_view_string(marks->btf, func->name_off) : "";
	c->p->proto = func ? func->type : 0;
	c->loop = NULL;
	return was;
}

void compile_outside(struct compile *c, const struct outside *was)
{
	c->outside = NULL;
	c->in = was->in;
	c->p->func = was->func;
	c->p->proto = was->proto;
	c->loop = was->loop;
}

void slots_visit(struct compile *c, size_t from, size_t count,
		 void (*stage)(struct compile *c, struct slot *s))
{
	for (size_t i = from; i < from + count && !c->err; i++) {
		c->slot = &c->p->slots[i];
		compile_side(c, c->slot->at_end);
		stage(c, c->slot);
	}
	c->slot = NULL;
	compile_side(c, false);
}

void for_each_slot(struct compile *c, void (*stage)(struct compile *c, struct slot *s))
{
	slots_visit(c, 0, c->p->slot_count, stage);
	slots_visit(c, c->p->hidden_first, c->p->hidden_count, stage);
}

void slot_add(struct compile *c, const char *text)
{
	struct slot *s = &c->p->slots[c->p->slot_count];

	s->text = arena_text(&c->p->arena, text, strlen(text));
	if (s->text)
		c->p->slot_count++;
	else
		c->err = -ENOMEM;
}

const char *compile_declared(struct compile *c, struct ctype t, char buf[DECLARATION_MAX])
{
	ctype_declare(c->in->btf, t, "", buf, DECLARATION_MAX);
	return buf;
}

const struct btf_type *compile_prototype(const struct compile *c)
{
	return btf_view_type(c->in->btf, c->p->proto);
}
