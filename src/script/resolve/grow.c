/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grow.c - widens types to hold another value: of a variable that is assigned again, of a map's key, of the two sides
 * of a choice. Integers are widened, strings get longer, tuples grow part by part.
 */
#include <string.h>

#include "script/resolve/resolve.h"

struct script_type type_stored(const struct script_type *t)
{
	struct script_type stored = *t;

	stored.is_typed = false;
	return stored;
}

static struct script_part *parts_copy(struct resolve *r, const struct script_part *parts,
				      uint32_t count)
{
	struct script_part *copy = alloc_lasting(r, (count + 1) * sizeof(*copy));

	if (copy && count)
		memcpy(copy, parts, count * sizeof(*copy));
	return copy;
}

static bool is_big(const struct script_expr *e)
{
	return e->value < 0 && !e->type.is_signed;
}

static void ints_grow(struct script_type *t, const struct script_type *with,
		      const struct script_expr *e)
{
	struct script_type joined;

	if (t->is_signed != with->is_signed && e && expr_is_literal(e) &&
	    script_int_has(t, e->value, is_big(e)))
		return;
	if (!script_int_join(t, with, &joined)) /* 64 bits, signed or unsigned */
		joined = script_int(8, true);
	*t = joined;
}

/* Widens `part` to hold the same part of `with`. Sets *any if the part changes. */
static bool part_grow(struct resolve *r, struct script_part *part, uint32_t number,
		      const struct script_type *with, bool *any)
{
	const struct script_part *other = script_part_of(with, number, part->name);
	enum grown grown;

	if (!other || !part->name != !other->name)
		return false;
	grown = type_grow(r, &part->type, &other->type, NULL);
	*any |= grown == GROWN;
	return grown != GROWN_NEVER;
}

/* Copies the parts before a change: all values of the type share them. */
static bool tuples_grow(struct resolve *r, struct script_type *t, const struct script_type *with)
{
	struct script_part *parts = NULL;

	if (t->count != with->count)
		return false;
	for (uint32_t i = 0; i < t->count; i++) {
		struct script_part part = parts ? parts[i] : t->parts[i];
		bool any = false;

		if (!part_grow(r, &part, i, with, &any))
			return false;
		if (any && !parts)
			parts = parts_copy(r, t->parts, t->count);
		if (any && parts)
			parts[i] = part;
	}
	if (parts)
		script_tuple_layout(t, parts, t->count);
	return true;
}

/* Pointers to different types join to void *; a number joins with any pointer. */
static bool pointers_grow(struct resolve *r, struct script_type *t, const struct script_type *with)
{
	struct script_type was = *t, a = script_type_target(t), b = script_type_target(with);

	if (t->count && with->count) {
		if (!tuples_grow(r, t, with))
			return false;
		t->kind = was.kind;
		t->size = was.size;
		return true;
	}
	if (a.kind == SCRIPT_VOID && b.kind != SCRIPT_VOID && !t->btf)
		*t = type_stored(with);
	return a.kind == SCRIPT_VOID || b.kind == SCRIPT_VOID || script_type_equal(&a, &b) ||
	       (a.kind == SCRIPT_INT && b.kind == SCRIPT_INT && a.size == b.size);
}

static bool records_agree(const struct script_type *t, const struct script_type *with)
{
	return script_type_equal(t, with);
}

/* Aggregates join only if their buckets are the same. */
static bool aggregates_grow(struct script_type *t, const struct script_type *with)
{
	if (t->low != with->low || t->high != with->high || t->step != with->step ||
	    t->bits != with->bits || t->count != with->count || t->mode != with->mode)
		return false;
	t->is_signed = script_sign_join(t, with);
	t->is_literal &= with->is_literal;
	return true;
}

/* func joined with ksym() becomes an address. */
static bool func_grows(struct script_type *t, const struct script_type *with)
{
	const struct script_type *ksym = t->kind == SCRIPT_KSYM ? t : with;
	const struct script_type *func = ksym == t ? with : t;

	if (ksym->kind != SCRIPT_KSYM || func->kind != SCRIPT_POINT || !func->is_func)
		return false;
	*t = type_stored(ksym);
	return true;
}

/* Returns the room for the text of a value that is printed as one; 0: it is none. */
static uint32_t name_room(const struct resolve *r, const struct script_type *t)
{
	const struct script_names *names = r->c->point->names;
	size_t most = SCRIPT_NAME_ROOM - 1;

	if (script_is_named(t->kind))
		return SCRIPT_NAME_ROOM;
	if (t->kind != SCRIPT_POINT)
		return t->kind == SCRIPT_STRING ? t->size : 0;
	for (size_t i = 0; names && i < names->count; i++)
		if (names->all[i].probe && strlen(names->all[i].probe) > most)
			most = strlen(names->all[i].probe);
	return most + 1;
}

/* strerror() or `probe` joined with a string becomes its text. */
static bool names_grow(struct resolve *r, struct script_type *t, const struct script_type *with)
{
	uint32_t a = name_room(r, t), b = name_room(r, with);

	if (!a || !b || (t->kind != SCRIPT_STRING && with->kind != SCRIPT_STRING))
		return false;
	*t = script_string(a > b ? a : b);
	return true;
}

static bool kinds_grow(struct resolve *r, struct script_type *t, const struct script_type *with,
		       const struct script_expr *e)
{
	if (t->kind == SCRIPT_POINTER && with->kind == SCRIPT_INT)
		return true;
	if (t->kind != with->kind)
		return func_grows(t, with) || names_grow(r, t, with);
	switch (t->kind) {
	case SCRIPT_INT: ints_grow(t, with, e); return true;
	case SCRIPT_POINTER: return pointers_grow(r, t, with);
	case SCRIPT_STRING:
	case SCRIPT_BUFFER: t->size = t->size > with->size ? t->size : with->size; return true;
	case SCRIPT_TUPLE: return tuples_grow(r, t, with);
	case SCRIPT_RECORD:
	case SCRIPT_ARRAY: return records_agree(t, with);
	case SCRIPT_KSTACK:
	case SCRIPT_USTACK: return t->mode == with->mode && t->depth == with->depth;
	default: return !script_is_aggregate(t) || aggregates_grow(t, with);
	}
}

enum grown type_grow(struct resolve *r, struct script_type *t, const struct script_type *with,
		     const struct script_expr *e)
{
	struct script_type was = *t;

	if (with->kind == SCRIPT_NONE)
		return GROWN_NOT;
	if (t->kind == SCRIPT_NONE) {
		*t = type_stored(with);
		if (t->kind == SCRIPT_TUPLE)
			t->parts = parts_copy(r, t->parts, t->count);
		return GROWN;
	}
	if (!kinds_grow(r, t, with, e))
		return GROWN_NEVER;
	t->is_user |= with->is_user || was.is_user;
	if (t->parts == was.parts && t->is_user == was.is_user && t->is_literal == was.is_literal &&
	    script_type_equal(&was, t))
		return GROWN_NOT;
	return GROWN;
}

/* ---- the two operands of an operation ---- */

/* Gives `e` the type of `other`, to which its number is converted. */
static void constant_adapt(struct script_expr *e, const struct script_type *other)
{
	if (e->type.is_signed != other->is_signed && script_int_has(other, e->value, is_big(e)))
		e->type = script_int(other->size, other->is_signed);
}

void constants_adapt(struct script_expr *a, struct script_expr *b)
{
	if (a->type.kind != SCRIPT_INT || b->type.kind != SCRIPT_INT)
		return;
	if (expr_is_literal(b))
		constant_adapt(b, &a->type);
	else if (expr_is_literal(a))
		constant_adapt(a, &b->type);
}

bool type_join(struct resolve *r, struct script_expr *a, struct script_expr *b,
	       struct script_type *joined)
{
	constants_adapt(a, b);
	*joined = type_stored(&a->type);
	if (a->type.kind == SCRIPT_INT && b->type.kind == SCRIPT_POINTER)
		*joined = type_stored(&b->type);
	return type_grow(r, joined, &b->type, b) != GROWN_NEVER;
}
