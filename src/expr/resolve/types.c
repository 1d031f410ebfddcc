/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * types.c - finds types, enum constants, sizes and members by name, in BTF.
 *
 * A lookup by name is one pass over BTF and takes a few milliseconds. Only names written in an expression cost that.
 */
#include "expr/resolve/resolve.h"

#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "util/suggest.h"

enum { NAME_MAX_TEXT = 128 };

/* A program's own types come first. */
static uint32_t named_find(const struct compile *c, unsigned kind, const char *name)
{
	uint32_t id = c->in->site.own_types ? btf_view_find_own(c->in->btf, kind, name) : 0;

	return id ?: btf_view_find(c->in->btf, kind, name);
}

/* A typedef or, of a program, a type that C++ names without the word struct, union or enum. */
static uint32_t bare_find(const struct compile *c, const char *name)
{
	static const unsigned kinds[] = { BTF_KIND_STRUCT, BTF_KIND_UNION, BTF_KIND_ENUM,
					  BTF_KIND_ENUM64 };
	uint32_t id = named_find(c, BTF_KIND_TYPEDEF, name);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds) && !id && c->in->site.own_types; i++)
		id = btf_view_find_own(c->in->btf, kinds[i], name);
	return id;
}

bool type_is_name(struct compile *c, struct span name)
{
	char text[NAME_MAX_TEXT];

	if (name.end - name.start >= sizeof(text))
		return false;
	compile_text(c, name, text, sizeof(text));
	return bare_find(c, text) != 0;
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

	compile_fail(c, t->span, "%s no %s %s",
		     c->in->site.own_types ? "this part of the program has" : "this kernel has",
		     tags[t->tag].word, name);
	suggest_init(&nearest, name);
	offer_names(c, tags[t->tag].kind, &nearest);
	compile_suggest(c, &nearest, NULL);
}

static uint32_t tagged_find(struct compile *c, const struct type_name *t)
{
	char name[NAME_MAX_TEXT];
	uint32_t id;

	compile_text(c, t->name, name, sizeof(name));
	id = t->tag == TYPE_NAMED ? bare_find(c, name) : named_find(c, tags[t->tag].kind, name);
	if (!id && t->tag == TYPE_ENUM)
		id = named_find(c, BTF_KIND_ENUM64, name);
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

static bool constant_read(struct compile *c, const struct btf_type *t, uint32_t id,
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

/* Finds the enum with the constant, and sets the node's value. Returns the BTF id; 0: none. */
static uint32_t constant_find(struct compile *c, struct span name, struct node *n)
{
	char text[NAME_MAX_TEXT];
	uint32_t id;

	if (name.end - name.start >= sizeof(text))
		return 0;
	compile_text(c, name, text, sizeof(text));
	id = c->in->site.own_types ? btf_view_enum_own(c->in->btf, text) : 0;
	id = id ?: btf_view_enum_with(c->in->btf, text);
	return id && constant_read(c, btf_view_type(c->in->btf, id), id, name, n) ? id : 0;
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
	n->category = CATEGORY_RVALUE;
	return true;
}

/* ---- sizeof, container_of ---- */

void resolve_sizeof(struct compile *c, struct node *n)
{
	char text[DECLARATION_MAX];
	struct ctype type;

	if (n->child) {
		if (n->child->bit_size)
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
		compile_fail(c, n->span, "%s has no size", compile_declared(c, type, text));
	n->kind = NODE_NUMBER;
	n->child = NULL;
	n->type = ctype_int(8, false);
	n->category = CATEGORY_RVALUE;
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
			     compile_declared(c, n->child->type, text));
	} else if (!ctype_is_composite(c->in->btf, outer)) {
		compile_fail(c, n->type_name.span, "%s has no members",
			     compile_declared(c, outer, text));
	} else if (resolve_member_find(c, n, outer, &found)) {
		n->bit_offset = found.bit_offset;
		n->type = ctype_pointer_to(outer);
		n->category = CATEGORY_RVALUE;
	}
}

/*
 * ---- members ----
 *
 * sk->sk_dport is a macro in the kernel's source, and not in its BTF.
 */

/* A struct's missing prefix → the member that has it, and the prefix there. */
static const struct {
	const char *name, *prefix, *via, *inner;
} aliases[] = {
	{ "sock", "sk_", "__sk_common", "skc_" },
	{ "inet_sock", "inet_", "sk", "sk_" },
	{ "inet_timewait_sock", "tw_", "__tw_common", "skc_" },
};
enum { ALIASES = sizeof(aliases) / sizeof(aliases[0]) };

static bool macro_member_find(struct compile *c, uint32_t id, const char *name, size_t len,
			      struct btf_found *found);

static bool found_add(struct compile *c, const struct btf_found *via, const char *name,
		      struct btf_found *found)
{
	if (!btf_view_member(c->in->btf, via->type, name, strlen(name), found) &&
	    !macro_member_find(c, via->type, name, strlen(name), found))
		return false;
	found->bit_offset += via->bit_offset;
	return true;
}

static bool macro_member_find(struct compile *c, uint32_t id, const char *name, size_t len,
			      struct btf_found *found)
{
	const struct btf_view *b = c->in->btf;
	const char *outer = btf_view_name(b, btf_view_strip(b, id));
	struct btf_found via;
	char inner[64];

	for (size_t i = 0; i < ALIASES; i++) {
		size_t prefix = strlen(aliases[i].prefix);

		if (strcmp(aliases[i].name, outer) || len <= prefix ||
		    strncmp(aliases[i].prefix, name, prefix) ||
		    !btf_view_member(b, id, aliases[i].via, strlen(aliases[i].via), &via))
			continue;
		snprintf(inner, sizeof(inner), "%s%.*s", aliases[i].inner, (int)(len - prefix),
			 name + prefix);
		return found_add(c, &via, inner, found);
	}
	return false;
}

/* Suggests the member of an inner struct: for sk->skc_dport, sk->__sk_common.skc_dport. */
static bool hint_inner(struct compile *c, struct ctype outer, const char *name)
{
	const struct btf_view *b = c->in->btf;
	const struct btf_type *t = btf_view_type(b, btf_view_strip(b, outer.id));
	struct btf_found m, found;

	for (unsigned i = 0; ctype_is_composite(b, outer) && i < btf_vlen(t); i++) {
		const char *via = btf_view_string(b, btf_members(t)[i].name_off);

		btf_view_member_at(b, t, i, &m);
		if (!*via || !btf_view_member(b, m.type, name, strlen(name), &found))
			continue;
		compile_hint(c, "its member %s has it: %s.%s", via, via, name);
		return true;
	}
	return false;
}

static void fail_no_member(struct compile *c, struct node *n, struct ctype outer)
{
	char name[64], text[DECLARATION_MAX];
	struct suggestion nearest;

	compile_text(c, n->name, name, sizeof(name));
	compile_fail(c, n->name, "%s has no member %s", compile_declared(c, outer, text), name);
	if (hint_inner(c, outer, name))
		return;
	suggest_init(&nearest, name);
	btf_view_member_names(c->in->btf, outer.id, &nearest);
	compile_suggest(c, &nearest, NULL);
}

/* Damaged BTF may mark anything as a bitfield. */
static bool is_bitfield_sane(struct compile *c, const struct btf_found *found)
{
	uint32_t id = btf_view_strip(c->in->btf, found->type);
	unsigned kind = btf_view_kind(c->in->btf, id);

	if (!found->bit_size)
		return true;
	return (kind == BTF_KIND_INT || kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64) &&
	       found->bit_size <= 64 && found->bit_size <= btf_view_size(c->in->btf, id) * 8;
}

bool resolve_member_find(struct compile *c, struct node *n, struct ctype outer,
			 struct btf_found *found)
{
	const char *name = c->slot->text + n->name.start;

	size_t len = n->name.end - n->name.start;

	if (!btf_view_member(c->in->btf, outer.id, name, len, found) &&
	    !macro_member_find(c, outer.id, name, len, found))
		fail_no_member(c, n, outer);
	else if (!is_bitfield_sane(c, found))
		compile_fail(c, n->name, "damaged BTF: an impossible bitfield");
	return !c->err;
}

static void member_set(struct compile *c, struct node *n, struct ctype outer)
{
	struct btf_found found;

	if (!resolve_member_find(c, n, outer, &found))
		return;
	n->type = ctype_of(found.type);
	n->category = CATEGORY_LVALUE;
	n->bit_offset = found.bit_offset;
	n->bit_size = found.bit_size;
}

static void fail_no_struct(struct compile *c, struct node *n, struct ctype t)
{
	uint32_t id = btf_view_strip(c->in->btf, t.id);
	char text[DECLARATION_MAX];

	compile_declared(c, t, text);
	if (!t.stars && btf_view_kind(c->in->btf, id) == BTF_KIND_FWD)
		compile_fail(c, n->child->span, "the kernel's BTF does not say what %s holds",
			     text);
	else
		compile_fail(c, n->child->span, "%s has no members", text);
	if (n->child->kind == NODE_SYMBOL)
		symbol_hint(c, n->child);
}

/* Suggests the link with the other operator. */
static void hint_operator(struct compile *c, struct node *n, const char *op)
{
	struct span before = { n->span.start, n->op.start };

	compile_hint(c, "use %.*s%s%.*s", SPAN_ARG(c->slot->text, before), op,
		     SPAN_ARG(c->slot->text, n->name));
}

void resolve_arrow(struct compile *c, struct node *n)
{
	struct ctype outer = n->child->type, target;
	char text[DECLARATION_MAX];

	if (!ctype_is_address(c->in->btf, outer)) {
		compile_fail(c, n->child->span, "this is not a pointer (%s)",
			     compile_declared(c, outer, text));
		if (ctype_is_composite(c->in->btf, outer))
			hint_operator(c, n, ".");
		return;
	}
	target = ctype_target(c->in->btf, outer);
	if (ctype_is_composite(c->in->btf, target))
		member_set(c, n, target);
	else
		fail_no_struct(c, n, target);
}

void resolve_member(struct compile *c, struct node *n)
{
	struct ctype outer = n->child->type;
	char text[DECLARATION_MAX];

	if (ctype_is_composite(c->in->btf, outer)) {
		member_set(c, n, outer);
	} else if (ctype_is_pointer(c->in->btf, outer) &&
		   ctype_is_composite(c->in->btf, ctype_target(c->in->btf, outer))) {
		n->kind = NODE_ARROW; /* bpftrace writes . for -> */
		resolve_arrow(c, n);
	} else if (ctype_is_pointer(c->in->btf, outer)) {
		compile_fail(c, n->child->span, "this is a pointer (%s)",
			     compile_declared(c, outer, text));
		if (ctype_is_composite(c->in->btf, ctype_target(c->in->btf, outer)))
			hint_operator(c, n, "->");
	} else {
		fail_no_struct(c, n, outer);
	}
}

bool is_param(const struct node *n)
{
	return n->kind == NODE_NAME || (n->kind == NODE_BUILTIN && !n->builtin);
}
