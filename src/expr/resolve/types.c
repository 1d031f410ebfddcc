/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.c - types, enum constants and sizes by name, from BTF.
 *
 * Part of resolve. A look-up by name is one pass over BTF and takes a few milliseconds; only names
 * written in an expression cost that.
 */
#include "expr/resolve/resolve.h"

#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "util/suggest.h"

enum { NAME_MAX_TEXT = 128 };

bool type_is_name(struct compile *c, struct span name)
{
	char text[NAME_MAX_TEXT];

	if (name.end - name.start >= sizeof(text))
		return false;
	compile_text(c, name, text, sizeof(text));
	return btf_view_find(c->in->btf, BTF_KIND_TYPEDEF, text) != 0;
}

static const struct {
	unsigned kind;
	const char *word;
} tags[] = {
	[TYPE_NAMED] = { BTF_KIND_TYPEDEF, "type" },
	[TYPE_STRUCT] = { BTF_KIND_STRUCT, "struct" },
	[TYPE_UNION] = { BTF_KIND_UNION, "union" },
	[TYPE_ENUM] = { BTF_KIND_ENUM, "enum" },
};

static void offer_names(struct compile *c, unsigned kind, struct suggestion *nearest)
{
	for (uint32_t id = 1; id < btf_view_count(c->in->btf); id++) {
		const struct btf_type *t = btf_view_type(c->in->btf, id);

		if (t && btf_kind(t) == kind && t->name_off)
			suggest_offer(nearest, btf_view_string(c->in->btf, t->name_off));
	}
}

static void fail_no_type(struct compile *c, const struct type_name *t, const char *name)
{
	struct suggestion nearest;

	compile_fail(c, t->span, "this kernel has no %s %s", tags[t->tag].word, name);
	suggest_init(&nearest, name);
	offer_names(c, tags[t->tag].kind, &nearest);
	if (suggest_get(&nearest))
		compile_hint(c, "did you mean %s?", suggest_get(&nearest));
}

static uint32_t tagged_find(struct compile *c, const struct type_name *t)
{
	char name[NAME_MAX_TEXT];
	uint32_t id;

	compile_text(c, t->name, name, sizeof(name));
	id = btf_view_find(c->in->btf, tags[t->tag].kind, name);
	if (!id && t->tag == TYPE_ENUM)
		id = btf_view_find(c->in->btf, BTF_KIND_ENUM64, name);
	if (!id)
		fail_no_type(c, t, name);
	return id;
}

struct ctype resolve_type_name(struct compile *c, const struct type_name *t)
{
	struct ctype type = {};

	if (t->tag == TYPE_INT)
		type = ctype_int(t->int_size, t->int_signed);
	else if (t->tag == TYPE_CHAR) /* by its BTF id, so that it is shown as a character */
		type = ctype_of(btf_view_find(c->in->btf, BTF_KIND_INT, "char"));
	else if (t->tag != TYPE_VOID)
		type = ctype_of(tagged_find(c, t));
	if (t->tag == TYPE_CHAR && !type.id)
		type = ctype_int(1, true);
	type.stars = t->stars;
	type.user = t->user && t->stars;
	return type;
}

/* ---- enum constants ---- */

static bool constant_take(struct compile *c, const struct btf_type *t, uint32_t id,
			  struct span name, struct node *n)
{
	const char *text = c->slot->text + name.start;
	size_t len = name.end - name.start;

	for (unsigned i = 0; i < btf_vlen(t); i++) {
		bool wide = btf_kind(t) == BTF_KIND_ENUM64;
		const char *other;

		n->number = btf_view_enum_value(c->in->btf, t, i, &other);
		if (strncmp(other, text, len) || other[len])
			continue;
		if (!wide && !ctype_is_signed(c->in->btf, ctype_of(id)))
			n->number = (uint32_t)n->number;
		n->number_unsigned = n->number > INT32_MAX;
		n->number_long = wide;
		return true;
	}
	return false;
}

/* The enum that has the constant, and its value in the node; 0: there is none. */
static uint32_t constant_find(struct compile *c, struct span name, struct node *n)
{
	char text[NAME_MAX_TEXT];
	uint32_t id;

	if (name.end - name.start >= sizeof(text))
		return 0;
	compile_text(c, name, text, sizeof(text));
	id = btf_view_enum_with(c->in->btf, text);
	return id && constant_take(c, btf_view_type(c->in->btf, id), id, name, n) ? id : 0;
}

uint32_t enum_with_constant(struct compile *c, struct span name)
{
	struct node none = { 0 };

	return constant_find(c, name, &none);
}

/* Turns the node into a NUMBER if some enum has a constant of that name. */
bool enum_constant_find(struct compile *c, struct span name, struct node *n)
{
	if (!constant_find(c, name, n))
		return false;
	n->kind = NODE_NUMBER;
	n->type = ctype_int(n->number_long ? 8 : 4, !n->number_unsigned);
	n->place = CATEGORY_RVALUE;
	return true;
}

/* ---- sizeof, container_of ---- */

void resolve_sizeof(struct compile *c, struct node *n)
{
	char text[DECLARATION_MAX];
	struct ctype type;

	if (n->child) {
		resolve_node(c, n->child);
		if (!c->err && n->child->bit_size)
			compile_fail(c, n->child->span, "a bitfield has no size in bytes");
		type = n->child->type;
	} else {
		type = resolve_type_name(c, &n->type_name);
	}
	if (c->err)
		return;
	n->number = ctype_size(c->in->btf, type);
	if (n->child && n->child->kind == NODE_STRING)
		n->number = n->child->number + 1;
	if (!n->number)
		compile_fail(c, n->span, "%s has no size", resolve_declared(c, type, text));
	n->kind = NODE_NUMBER;
	n->child = NULL;
	n->type = ctype_int(8, false);
	n->place = CATEGORY_RVALUE;
}

void resolve_container(struct compile *c, struct node *n)
{
	struct ctype outer = resolve_type_name(c, &n->type_name);
	struct btf_found found;
	char text[DECLARATION_MAX];

	if (c->err)
		return;
	if (!ctype_is_pointer(c->in->btf, n->child->type)) {
		compile_fail(c, n->child->span, "this is not a pointer (%s)",
			     resolve_declared(c, n->child->type, text));
	} else if (!ctype_is_composite(c->in->btf, outer)) {
		compile_fail(c, n->type_name.span, "%s has no members",
			     resolve_declared(c, outer, text));
	} else if (resolve_member_find(c, n, outer, &found)) {
		n->bit_offset = found.bit_offset;
		n->type = ctype_pointer_to(outer);
		n->place = CATEGORY_RVALUE;
	}
}
