/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fields.c - resolves parts of values: members of structs and records, parts of tuples, elements, targets of
 * pointers.
 */
#include <string.h>

#include "script/resolve/resolve.h"
#include "util/suggest.h"

/* ---- a.name ---- */

static bool is_args(const struct script_expr *e)
{
	return e->type.kind == SCRIPT_RECORD && e->type.by_arg;
}

static void fail_no_member(struct resolve *r, const struct script_expr *e,
			   const struct script_type *record)
{
	struct suggestion nearest;

	r->c->is_missing |= !failed(r);
	script_fail(r->c, e->name_span, "%s has no member %s", type_text(r, record), e->name);
	suggest_init(&nearest, e->name);
	btf_view_member_names(record->btf, record->c.id, &nearest);
	script_suggest(r->c, &nearest, NULL);
}

static void resolve_member(struct resolve *r, struct script_expr *e,
			   const struct script_type *outer)
{
	uint32_t id = btf_view_strip(outer->btf, outer->c.id);
	struct btf_found found;

	if (!outer->size && !btf_view_size(outer->btf, id)) {
		script_fail(r->c, e->a->span, "this kernel's types have no members of %s",
			    type_text(r, outer));
		return;
	}
	if (!btf_view_member(outer->btf, id, e->name, strlen(e->name), &found)) {
		fail_no_member(r, e, outer);
		return;
	}
	e->bit_offset = found.bit_offset;
	e->bit_size = found.bit_size;
	e->type = script_type_of(outer->btf, ctype_of(found.type));
	if (e->type.kind == SCRIPT_NONE || e->type.kind == SCRIPT_VOID)
		script_unsupported(r->c, e->name_span,
				   "a member that is not a number, pointer or struct");
	e->type.is_user |= outer->is_user;
	e->type.is_typed = outer->is_typed && !e->type.is_user;
}

/* (1, "a").1: a part of constants is a constant. */
static void part_fold(struct script_expr *e, uint64_t part)
{
	const struct script_expr *tuple = e->a;

	for (size_t i = 0; i < tuple->count; i++)
		if (tuple->kind != X_TUPLE || !tuple->items[i]->is_constant)
			return;
	if (tuple->kind == X_TUPLE)
		value_copy(e, tuple->items[part]);
}

static void resolve_part_named(struct resolve *r, struct script_expr *e)
{
	const struct script_type *t = &e->a->type;
	struct suggestion nearest;

	suggest_init(&nearest, e->name);
	for (uint32_t i = 0; i < t->count; i++) {
		if (!t->parts[i].name)
			continue;
		suggest_offer(&nearest, t->parts[i].name);
		if (strcmp(t->parts[i].name, e->name))
			continue;
		e->bit_offset = t->parts[i].offset * 8;
		e->type = t->parts[i].type;
		part_fold(e, i);
		return;
	}
	script_fail(r->c, e->name_span, "%s has no part %s", type_text(r, t), e->name);
	script_suggest(r->c, &nearest, NULL);
}

void infer_field(struct resolve *r, struct script_expr *e)
{
	struct script_type outer;

	infer_place(r, e->a);
	if (failed(r) || !type_is_known(r, e->a))
		return;
	if (e->a->func == FUNC_CONFIG) {
		config_field(r, e);
		return;
	}
	outer = e->a->type;
	if (outer.kind == SCRIPT_TUPLE) {
		resolve_part_named(r, e);
		return;
	}
	if (is_args(e->a)) {
		infer_args_field(r, e);
		return;
	}
	if (outer.kind == SCRIPT_POINTER)
		outer = script_type_target(&outer);
	if (outer.kind == SCRIPT_RECORD) {
		resolve_member(r, e, &outer);
		return;
	}
	script_fail(r->c, e->a->span, "%s has no members", type_text(r, &e->a->type));
	if (outer.kind == SCRIPT_POINTER)
		script_hint(r->c, "it is a pointer to a pointer: (*%s).%s", "p", e->name);
	else if (type_is_number(&outer) || outer.kind == SCRIPT_VOID)
		script_hint(r->c, "cast it to a pointer with a type: ((struct name *)p).%s",
			    e->name);
}

/* ---- a.0 ---- */

static void part_at(struct resolve *r, struct script_expr *e, uint64_t i)
{
	const struct script_type *t = &e->a->type;

	if (i >= t->count) {
		script_fail(r->c, e->span, "%s has no part %llu", type_text(r, t),
			    (unsigned long long)i);
		script_hint(r->c, "parts are numbered from 0: the last is %d", (int)t->count - 1);
		return;
	}
	e->bit_offset = t->parts[i].offset * 8;
	e->type = t->parts[i].type;
	part_fold(e, i);
}

void infer_part(struct resolve *r, struct script_expr *e)
{
	infer_expr(r, e->a);
	if (failed(r) || !type_is_known(r, e->a))
		return;
	if (e->a->type.kind == SCRIPT_TUPLE)
		part_at(r, e, e->number);
	else
		script_fail(r->c, e->span, "%s is not a tuple", type_text(r, &e->a->type));
}

/* ---- a[b] ---- */

static bool is_index(struct resolve *r, const struct script_expr *e, uint64_t count)
{
	if (!type_is_known(r, e))
		return false;
	if (e->type.kind != SCRIPT_INT) {
		script_fail(r->c, e->span, "an index must be a number, but this is %s",
			    type_text(r, &e->type));
		return false;
	}
	if (e->is_constant && count && (uint64_t)e->value >= count) {
		script_fail(r->c, e->span, "the array has %llu elements: the last index is %llu",
			    (unsigned long long)count, (unsigned long long)count - 1);
		return false;
	}
	return true;
}

static void resolve_element(struct resolve *r, struct script_expr *e)
{
	const struct script_type *t = &e->a->type;
	uint64_t count = t->kind == SCRIPT_ARRAY ? t->count : 0;

	if (!is_index(r, e->b, t->kind == SCRIPT_STRING ? t->size : count))
		return;
	e->type = script_type_target(t);
	if (e->type.kind == SCRIPT_VOID || (e->type.kind == SCRIPT_RECORD && !e->type.size)) {
		script_fail(r->c, e->a->span, "%s has no elements of a known size",
			    type_text(r, t));
		script_hint(r->c, "cast it to a pointer with a type: ((uint64 *)p)[0]");
	}
}

void walk_index(struct resolve *r, struct script_expr *e)
{
	enum script_kind kind;

	infer_expr(r, e->a);
	if (!failed(r))
		infer_expr(r, e->b);
	if (failed(r) || !type_is_known(r, e->a))
		return;
	kind = e->a->type.kind;
	if (kind == SCRIPT_TUPLE && expr_is_number(e->b))
		part_at(r, e, (uint64_t)e->b->value);
	else if (kind == SCRIPT_TUPLE)
		script_fail(r->c, e->b->span, "the index of a tuple must be a literal number");
	else if (kind == SCRIPT_ARRAY || kind == SCRIPT_POINTER || kind == SCRIPT_STRING)
		resolve_element(r, e);
	else
		script_fail(r->c, e->span, "[] is for arrays, pointers and tuples, but this is %s",
			    type_text(r, &e->a->type));
}

/* ---- *a, &a ---- */

/* An address without a type points to 8 bytes. */
static struct script_type target_of_number(const struct script_type *t)
{
	struct script_type target = script_int(8, false);

	target.is_user = t->is_user;
	return target;
}

void infer_deref(struct resolve *r, struct script_expr *e)
{
	infer_place(r, e->a);
	if (failed(r) || !type_is_known(r, e->a))
		return;
	if (is_args(e->a)) { /* (*args).name, as in old programs */
		e->type = e->a->type;
	} else if (e->a->type.kind == SCRIPT_POINTER) {
		e->type = script_type_target(&e->a->type);
	} else if (e->a->type.kind == SCRIPT_INT) {
		e->type = target_of_number(&e->a->type);
	} else {
		script_fail(r->c, e->span, "* is for pointers, but this is %s",
			    type_text(r, &e->a->type));
		return;
	}
	if (e->type.kind != SCRIPT_VOID && e->type.kind != SCRIPT_NONE)
		return;
	script_fail(r->c, e->span, "the target of %s has no known type", type_text(r, &e->a->type));
	script_hint(r->c, "cast it to a pointer with a type: *(uint64 *)p");
}

/* Finds the type of C that a pointer to a value has; returns false if C has no such type. */
static bool pointee_of(const struct script_type *t, struct ctype *c)
{
	*c = t->c;
	switch (t->kind) {
	case SCRIPT_INT: *c = ctype_int(t->size, t->is_signed); return true;
	case SCRIPT_POINTER: return !t->count;
	case SCRIPT_RECORD: return true;
	case SCRIPT_ARRAY: *c = c->id ? *c : ctype_int(c->int_size, c->int_signed); return true;
	default: return false;
	}
}

static struct script_type pointer_to(struct resolve *r, const struct script_type *target)
{
	struct script_part *part = alloc_lasting(r, sizeof(*part));
	struct script_type t = script_pointer_to(r->c->btf, ctype_of(0));

	if (!part)
		return t;
	*part = (struct script_part){ .type = type_stored(target) };
	t.parts = part;
	t.count = 1;
	return t;
}

/* &$x: the address of the variable in the program, valid while it runs. */
void infer_address(struct resolve *r, struct script_expr *e)
{
	struct ctype c;

	if (e->a->kind == X_MAP && e->a->count) {
		script_fail(r->c, e->span, "a value of a map has no fixed address");
		script_hint(r->c, "take the address of a copy: $x = @%s[…]; then &$x", e->a->name);
		return;
	}
	if (e->a->kind == X_MAP) {
		map_itself(r, e->a, "&");
		e->type = script_pointer_to(r->c->btf, ctype_of(0));
		return;
	}
	infer_expr(r, e->a);
	if (failed(r) || !type_is_known(r, e->a))
		return;
	if (pointee_of(&e->a->type, &c))
		e->type = script_pointer_to(r->c->btf, c);
	else if (e->a->type.size)
		e->type = pointer_to(r, &e->a->type);
	else
		script_unsupported(r->c, e->span, "the address of %s", type_text(r, &e->a->type));
}
