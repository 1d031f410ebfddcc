/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * casts.c - resolves (type)a, sizeof and offsetof.
 */
#include <string.h>

#include "script/resolve/resolve.h"

/* ---- casts ---- */

static void fail_cast(struct resolve *r, const struct script_expr *e, const struct script_type *to)
{
	script_fail(r->c, e->span, "%s cannot be converted to %s", type_text(r, &e->a->type),
		    type_text(r, to));
}

/* (uint8[])n has as many elements as n has bytes. */
static void cast_to_array(struct resolve *r, struct script_expr *e, struct script_type to)
{
	const struct script_type *from = &e->a->type;
	uint32_t element = script_type_target(&to).size;

	if (from->kind != SCRIPT_INT && from->kind != SCRIPT_BOOL && from->kind != SCRIPT_STRING &&
	    from->kind != SCRIPT_ARRAY) {
		fail_cast(r, e, &to);
		return;
	}
	if (!to.count) {
		to.count = element ? from->size / element : 0;
		to.size = to.count * element;
	}
	if (!to.size || (to.size != from->size &&
			 !(from->kind == SCRIPT_INT && to.size <= 8 && to.size > from->size))) {
		script_fail(r->c, e->span,
			    "%s cannot be converted to %s: they have %u and %u bytes",
			    type_text(r, from), type_text(r, &to), from->size, to.size);
		return;
	}
	e->type = to;
}

static void fold_cast(struct script_expr *e)
{
	unsigned unused = 64 - e->type.size * 8;

	if (!e->a->is_constant)
		return;
	e->is_constant = true;
	e->value = e->a->value;
	if (e->a->type.kind == SCRIPT_STRING)
		e->value = e->a->length && *e->a->bytes;
	else if (e->a->type.kind == SCRIPT_ARRAY)
		memcpy(&e->value, e->a->bytes, e->a->type.size);
	if (e->type.kind == SCRIPT_BOOL)
		e->value = e->value != 0;
	else if (e->type.is_signed)
		e->value = (int64_t)((uint64_t)e->value << unused) >> unused;
	else
		e->value = (int64_t)((uint64_t)e->value << unused >> unused);
}

static void cast_to_number(struct resolve *r, struct script_expr *e, const struct script_type *to)
{
	const struct script_type *from = &e->a->type;
	bool is_bytes = from->kind == SCRIPT_ARRAY && from->size == to->size;

	if (!script_is_scalar(from) && !(to->kind == SCRIPT_INT && is_bytes) &&
	    !(to->kind == SCRIPT_BOOL && from->kind == SCRIPT_STRING) &&
	    !(to->kind == SCRIPT_INT && from->kind == SCRIPT_STRING &&
	      script_c_bytes(from) == to->size)) {
		fail_cast(r, e, to);
		return;
	}
	e->type = *to;
	e->type.is_user = from->is_user;
	fold_cast(e);
}

/* An array of C stands for its address: (struct tcp_skb_cb *)skb.cb. A copy in a variable or map has none. */
static bool is_array_in_memory(const struct script_expr *e)
{
	return (e->type.kind == SCRIPT_ARRAY || e->type.kind == SCRIPT_STRING) &&
	       (e->kind == X_FIELD || e->kind == X_INDEX || e->kind == X_DEREF) &&
	       !e->a->type.by_arg;
}

static void cast_to_pointer(struct resolve *r, struct script_expr *e, const struct script_type *to)
{
	const struct script_type *from = &e->a->type;

	if (from->kind != SCRIPT_INT && from->kind != SCRIPT_POINTER && !from->by_arg &&
	    !is_array_in_memory(e->a)) {
		fail_cast(r, e, to);
		return;
	}
	e->type = *to;
	if (from->is_user)
		e->type.is_user = true;
	else if (from->kind == SCRIPT_INT)
		e->type = address_space(r, e->type);
	if (e->a->is_constant) {
		e->is_constant = true;
		e->value = e->a->value;
	}
}

static void cast_to_string(struct resolve *r, struct script_expr *e, const struct script_type *to)
{
	if (e->a->type.kind != SCRIPT_STRING) {
		fail_cast(r, e, to);
		script_hint(r->c, "use str(…) for a string");
		return;
	}
	e->type = to->size ? *to : e->a->type;
	if (e->a->type.size > e->type.size)
		script_fail(r->c, e->span, "%s is longer than %s", type_text(r, &e->a->type),
			    type_text(r, to));
}

static void cast_to(struct resolve *r, struct script_expr *e, const struct script_type *to)
{
	switch (to->kind) {
	case SCRIPT_INT:
	case SCRIPT_BOOL: cast_to_number(r, e, to); break;
	case SCRIPT_POINTER: cast_to_pointer(r, e, to); break;
	case SCRIPT_ARRAY: cast_to_array(r, e, *to); break;
	case SCRIPT_STRING: cast_to_string(r, e, to); break;
	case SCRIPT_RECORD:
		fail_cast(r, e, to);
		script_hint(r->c, "cast a pointer instead: (%s *)p, and then *p", type_text(r, to));
		break;
	default: fail_cast(r, e, to); break;
	}
}

void infer_cast(struct resolve *r, struct script_expr *e)
{
	struct script_type to = type_named(r, e->type_name);

	if (!failed(r))
		infer_place(r, e->a);
	if (failed(r))
		return;
	if (e->a->type.kind == SCRIPT_NONE) {
		type_is_known(r, e->a);
		if (to.kind == SCRIPT_INT || to.kind == SCRIPT_POINTER)
			e->type = to; /* for a value of any type */
		return;
	}
	if (to.kind != SCRIPT_NONE)
		cast_to(r, e, &to);
}

/* ---- sizeof, offsetof ---- */

/* sizeof(NAME): NAME is a type, or else a constant. */
static bool is_bare(const struct script_type_name *name)
{
	return name->name && !strchr(name->name, ' ') && !name->stars && !name->is_array;
}

/* Returns the type named, or the type of the expression. A word is an expression only if it has a meaning. */
static struct script_type type_meant(struct resolve *r, struct script_expr *e)
{
	struct script_type_name name = {};
	struct script_expr word = { .kind = X_WORD };

	if (e->type_name) {
		word.name = e->type_name->name;
		if (is_bare(e->type_name) && word_is_constant(r, &word))
			return word.type;
		return type_named(r, e->type_name);
	}
	if (e->a->kind == X_WORD && func_find(e->a->name, &e->a->param) == FUNC_NONE &&
	    !word_is_constant(r, e->a)) {
		name.span = e->a->span;
		name.name = e->a->name;
		return type_named(r, &name);
	}
	infer_expr(r, e->a);
	if (!failed(r))
		type_is_known(r, e->a);
	return e->a->kind == X_BOOL ? script_int(8, false) : e->a->type; /* as in bpftrace */
}

static uint32_t round_up(uint32_t size, uint32_t align)
{
	return (size + align - 1) / align * align;
}

/* Returns the size as bpftrace defines it: there, texts in tuples start at any byte, here at words. */
static uint32_t size_of(const struct script_type *t, uint32_t *align)
{
	uint32_t size = 0;

	*align = t->kind == SCRIPT_STRING || t->kind == SCRIPT_TUPLE ? 1 : script_type_align(t);
	if (t->kind != SCRIPT_TUPLE)
		return t->size;
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t own, part = size_of(&t->parts[i].type, &own);

		size = round_up(size, own) + part;
		*align = own > *align ? own : *align;
	}
	return round_up(size, *align);
}

uint32_t string_capacity(const struct resolve *r, const struct script_type *t)
{
	uint32_t most = r->c->s->config.max_strlen;

	return t->kind != SCRIPT_STRING ? t->size :
	       t->size == most + 1	? most :
					  script_text_bytes(t);
}

void infer_sizeof(struct resolve *r, struct script_expr *e)
{
	struct script_type t = type_meant(r, e);
	uint32_t align;

	t.size = string_capacity(r, &t);

	if (failed(r) || t.kind == SCRIPT_NONE)
		return;
	if (t.size || t.kind == SCRIPT_TUPLE)
		expr_set_number(e, size_of(&t, &align), false);
	else
		script_fail(r->c, e->span, "%s has no size", type_text(r, &t));
}

/* Adds one member of a.b.c, whose `name` has `length` characters. */
static bool offset_add(struct resolve *r, struct script_expr *e, struct script_type *t,
		       const char *name, size_t length)
{
	struct btf_found found;

	if (t->kind != SCRIPT_RECORD) {
		script_fail(r->c, e->span, "%s has no members", type_text(r, t));
		return false;
	}
	if (!btf_view_member(t->btf, btf_view_strip(t->btf, t->c.id), name, length, &found)) {
		script_fail(r->c, e->name_span.end ? e->name_span : e->span,
			    "%s has no member %.*s", type_text(r, t), (int)length, name);
		return false;
	}
	e->value += found.bit_offset / 8;
	*t = script_type_of(t->btf, ctype_of(found.type));
	return true;
}

void infer_offsetof(struct resolve *r, struct script_expr *e)
{
	struct script_type t = type_meant(r, e);

	if (failed(r) || t.kind == SCRIPT_NONE)
		return;
	if (t.kind == SCRIPT_POINTER)
		t = script_type_target(&t);
	for (const char *name = e->name; *name;) {
		size_t length = strcspn(name, ".");

		if (!offset_add(r, e, &t, name, length))
			return;
		name += length + (name[length] == '.');
	}
	expr_set_number(e, e->value, false);
}

/* ---- typeinfo ---- */

static const char *kind_name(struct resolve *r, const struct script_type *t)
{
	switch (t->kind) {
	case SCRIPT_INT: return "int";
	case SCRIPT_POINTER: return "pointer";
	case SCRIPT_ARRAY: return "array";
	case SCRIPT_STRING:
	case SCRIPT_POINT:
	case SCRIPT_ERROR:
	case SCRIPT_SYSCALL:
	case SCRIPT_SIGNAL:
	case SCRIPT_USER: return "string";
	case SCRIPT_RECORD: return "c_type";
	case SCRIPT_BUFFER: return "buffer";
	case SCRIPT_KSTACK: return "kstack";
	case SCRIPT_USTACK: return "ustack";
	case SCRIPT_TUPLE: return t->count && t->parts[0].name ? "record" : "tuple";
	default: return type_text(r, t);
	}
}

void infer_typeinfo(struct resolve *r, struct script_expr *e)
{
	struct script_type t;
	const char *text;
	char *copy;

	if (script_is_forbidden(&r->c->s->config, SCRIPT_UNSTABLE_TYPEINFO))
		script_fail(r->c, e->span, "the program's unstable_typeinfo forbids typeinfo()");
	t = type_meant(r, e);
	if (failed(r) || t.kind == SCRIPT_NONE)
		return;
	if (e->a && e->a->kind == X_MAP && e->a->map)
		t = e->a->map->value; /* the type of count() itself */
	t = type_stored(&t);
	text = e->number == 1 ? kind_name(r, &t) : type_text(r, &t);
	copy = alloc_lasting(r, strlen(text) + 1);
	if (copy && e->number)
		expr_set_text(e, strcpy(copy, text), strlen(text));
	else if (copy)
		expr_set_number(e, t.kind == SCRIPT_RECORD ? t.c.id : 0, false);
}
