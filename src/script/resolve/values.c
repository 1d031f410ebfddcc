/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * values.c - shared by all files of resolve/: memory that outlives a run, types in messages, constants.
 */
#include "script/resolve/resolve.h"

#include <stdlib.h>

bool type_is_number(const struct script_type *t)
{
	return t->kind == SCRIPT_INT || t->kind == SCRIPT_BOOL;
}

const char *type_text(struct resolve *r, const struct script_type *t)
{
	struct buf o;
	const char *text;

	buf_init(&o, -1);
	script_type_write(r->c->btf, t, &o);
	text = script_print(r->c, "%.*s", (int)o.len, o.len ? o.data : "");
	buf_free(&o);
	return text ? text : "";
}

bool type_is_known(struct resolve *r, const struct script_expr *e)
{
	if (e->type.kind != SCRIPT_NONE)
		return true;
	if (r->c->is_final)
		script_fail(r->c, e->span, "the type of this is unknown");
	return false;
}

size_t script_append(struct resolve *r, void ***all, size_t *count, size_t *room, void *item)
{
	if (*count == *room) {
		size_t more = *room ? 2 * *room : 16;
		void **grown = realloc(*all, more * sizeof(*grown));

		if (!grown) {
			r->c->err = -ENOMEM;
			return 0;
		}
		*all = grown;
		*room = more;
	}
	(*all)[*count] = item;
	return (*count)++;
}

void *alloc_lasting(struct resolve *r, size_t size)
{
	void *p = arena_alloc(&r->c->s->arena, size);

	if (!p)
		r->c->err = -ENOMEM;
	return p;
}

/* ---- constants ---- */

bool expr_is_text(const struct script_expr *e)
{
	return e->is_constant && e->type.kind == SCRIPT_STRING;
}

bool expr_is_number(const struct script_expr *e)
{
	return e->is_constant && e->type.kind == SCRIPT_INT;
}

bool expr_is_literal(const struct script_expr *e)
{
	struct script_type least;

	if (!expr_is_number(e) || e->type.is_literal)
		return expr_is_number(e);
	least = script_int_of(e->value, !e->type.is_signed && e->value < 0);
	return !least.is_literal && script_type_equal(&least, &e->type);
}

void expr_set_number(struct script_expr *e, int64_t value, bool is_big)
{
	e->type = script_int_of(value, is_big);
	e->is_constant = true;
	e->value = value;
}

void expr_set_text(struct script_expr *e, const char *bytes, uint32_t length)
{
	e->type = script_string(length + 1);
	e->is_constant = true;
	e->bytes = bytes;
	e->length = length;
}

void expr_set_bool(struct script_expr *e, bool value)
{
	e->type = (struct script_type){ .kind = SCRIPT_BOOL, .size = 1 };
	e->is_constant = true;
	e->value = value;
}

void value_copy(struct script_expr *e, const struct script_expr *from)
{
	e->type = from->type;
	e->is_constant = from->is_constant;
	e->value = from->value;
	if (expr_is_text(from)) {
		e->bytes = from->bytes;
		e->length = from->length;
	}
}
