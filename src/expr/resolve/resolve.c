/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve.c - the meaning of each node in this kernel: its type, and whether and where it is in
 * memory.
 *
 * Mistakes are reported here, in names.c, operators.c and types.c, with the nearest correct name.
 * Nothing here knows how memory is read.
 */
#include "expr/resolve/resolve.h"

#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format.h"
#include "util/suggest.h"

/* ---- helpers for messages ---- */

const char *resolve_declared(struct compile *c, struct ctype t, char buf[DECLARATION_MAX])
{
	ctype_declare(c->in->btf, t, "", buf, DECLARATION_MAX);
	return buf;
}

/* ---- members ---- */

/* A member of that name in a struct inside: sk->skc_dport is sk->__sk_common.skc_dport. */
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
	compile_fail(c, n->name, "%s has no member %s", resolve_declared(c, outer, text), name);
	if (hint_inner(c, outer, name))
		return;
	suggest_init(&nearest, name);
	btf_view_member_names(c->in->btf, outer.id, &nearest);
	if (suggest_get(&nearest))
		compile_hint(c, "did you mean %s?", suggest_get(&nearest));
}

/* In damaged BTF anything may be marked as a bitfield. */
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
		compile_fail(c, n->name, "the BTF is damaged: a bitfield that cannot be");
	return !c->err;
}

static void member_take(struct compile *c, struct node *n, struct ctype outer)
{
	struct btf_found found;

	if (!resolve_member_find(c, n, outer, &found))
		return;
	n->type = ctype_of(found.type);
	n->place = CATEGORY_LVALUE;
	n->bit_offset = found.bit_offset;
	n->bit_size = found.bit_size;
}

static void fail_no_struct(struct compile *c, struct node *n, struct ctype t)
{
	uint32_t id = btf_view_strip(c->in->btf, t.id);
	char text[DECLARATION_MAX];

	resolve_declared(c, t, text);
	if (!t.stars && btf_view_kind(c->in->btf, id) == BTF_KIND_FWD)
		compile_fail(c, n->child->span, "the kernel's BTF does not say what %s holds",
			     text);
	else
		compile_fail(c, n->child->span, "%s has no members", text);
	if (n->child->kind == NODE_SYMBOL)
		symbol_hint(c, n->child);
}

/* Shows how the whole link should have been written. */
static void hint_operator(struct compile *c, struct node *n, const char *op)
{
	struct span before = { n->span.start, n->op.start };

	compile_hint(c, "use %.*s%s%.*s", SPAN_ARG(c->slot->text, before), op,
		     SPAN_ARG(c->slot->text, n->name));
}

static void resolve_arrow(struct compile *c, struct node *n)
{
	struct ctype outer = n->child->type, target;
	char text[DECLARATION_MAX];

	if (!ctype_is_pointer(c->in->btf, outer) && !ctype_is_array(c->in->btf, outer)) {
		compile_fail(c, n->child->span, "this is not a pointer (%s)",
			     resolve_declared(c, outer, text));
		if (ctype_is_composite(c->in->btf, outer))
			hint_operator(c, n, ".");
		return;
	}
	target = ctype_target(c->in->btf, outer);
	if (ctype_is_composite(c->in->btf, target))
		member_take(c, n, target);
	else
		fail_no_struct(c, n, target);
}

static void resolve_member(struct compile *c, struct node *n)
{
	struct ctype outer = n->child->type;
	char text[DECLARATION_MAX];

	if (ctype_is_composite(c->in->btf, outer)) {
		member_take(c, n, outer);
	} else if (ctype_is_pointer(c->in->btf, outer) &&
		   ctype_is_composite(c->in->btf, ctype_target(c->in->btf, outer))) {
		n->kind = NODE_ARROW; /* as bpftrace's notation has it */
		resolve_arrow(c, n);
	} else if (ctype_is_pointer(c->in->btf, outer)) {
		compile_fail(c, n->child->span, "this is a pointer (%s)",
			     resolve_declared(c, outer, text));
		if (ctype_is_composite(c->in->btf, ctype_target(c->in->btf, outer)))
			hint_operator(c, n, "->");
	} else {
		fail_no_struct(c, n, outer);
	}
}

/* ---- the other operators ---- */

/* *child and child[n]: what a pointer points to, or an array's element. */
static void target_take(struct compile *c, struct node *n, const char *what)
{
	struct ctype outer = n->child->type;
	char text[DECLARATION_MAX];

	if (!ctype_is_pointer(c->in->btf, outer) && !ctype_is_array(c->in->btf, outer)) {
		compile_fail(c, n->child->span, "%s needs a pointer or an array, this is %s", what,
			     resolve_declared(c, outer, text));
		return;
	}
	n->type = ctype_target(c->in->btf, outer);
	n->place = CATEGORY_LVALUE;
	if (ctype_is_pointer(c->in->btf, outer) && !ctype_size(c->in->btf, n->type) &&
	    !ctype_is_array(c->in->btf, n->type))
		compile_fail(c, n->span, "%s points at nothing of a known size",
			     resolve_declared(c, outer, text));
}

/* Checks a constant index. [0] and [1] are how older kernel code declares an array that continues
 * beyond its struct. */
static void check_index(struct compile *c, struct node *n)
{
	uint64_t count = ctype_elements(c->in->btf, n->child->type);

	if (n->other->number > INT32_MAX || n->other->number < INT32_MIN) {
		compile_fail(c, n->other->span, "the index is too large");
	} else if (count > 1 && (n->other->number < 0 || (uint64_t)n->other->number >= count)) {
		compile_fail(c, n->other->span, "the array has %llu elements",
			     (unsigned long long)count);
		compile_hint(c, "use 0 to %llu", (unsigned long long)count - 1);
	}
}

static void resolve_index(struct compile *c, struct node *n)
{
	char text[DECLARATION_MAX];

	if (symbol_is_untyped(c, n->child))
		n->child = symbol_words(c, n->child);
	if (n->other->kind == NODE_NUMBER)
		check_index(c, n);
	else if (!ctype_is_integer(c->in->btf, n->other->type))
		compile_fail(c, n->other->span, "an index is an integer, this is %s",
			     resolve_declared(c, n->other->type, text));
	if (!c->err)
		target_take(c, n, "[ ]");
}

static void resolve_address(struct compile *c, struct node *n)
{
	if (n->child->place != CATEGORY_LVALUE) {
		compile_fail(c, n->child->span, "this has no address: it is a value in a register");
		return;
	}
	if (n->child->bit_size) {
		compile_fail(c, n->child->span, "a bitfield has no address");
		return;
	}
	n->type = ctype_pointer_to(n->child->type);
	n->place = CATEGORY_RVALUE;
}

/* The first alternative whose names this kernel has replaces the node. */
static void resolve_fallback(struct compile *c, struct node *n)
{
	struct node **list = c->loop ? &c->loop->node->list : NULL, *known = list ? *list : NULL;
	struct expr_error first;
	int err;

	resolve_node(c, n->child);
	err = c->err;
	if (!err)
		*n = *n->child;
	if (err != -EINVAL && !(err && c->is_elsewhere))
		return;
	first = *c->error;
	c->err = 0;
	if (list) /* the list of what this kernel lacks */
		*list = known;
	*c->error = (struct expr_error){ .text = (size_t)-1 };
	resolve_node(c, n->other);
	if (!c->err) {
		*n = *n->other;
		return;
	}
	*c->error = first;
	if (c->is_elsewhere)
		c->err = -EOPNOTSUPP;
}

static void resolve_number(struct node *n)
{
	n->type = ctype_int(n->number_long ? 8 : 4, !n->number_unsigned);
	n->place = CATEGORY_RVALUE;
}

/* Nodes that resolve their children themselves. */
static bool resolve_above(struct compile *c, struct node *n)
{
	if (n->kind == NODE_FALLBACK)
		resolve_fallback(c, n);
	else if (n->kind == NODE_SIZEOF)
		resolve_sizeof(c, n);
	else if (n->kind == NODE_LOOP)
		resolve_loop(c, n);
	else if (n->kind == NODE_LIST)
		resolve_list(c, n);
	else if (n->kind == NODE_INSIDE)
		resolve_inside(c, n);
	else
		return n->kind == NODE_KEPT;
	return true;
}

static void resolve_children(struct compile *c, struct node *n)
{
	struct node *children[] = { n->child, n->other, n->third };

	for (int i = 0; i < 3 && !c->err; i++) {
		if (children[i])
			resolve_node(c, children[i]);
	}
}

void resolve_node(struct compile *c, struct node *n)
{
	static void (*const resolvers[])(struct compile * c, struct node * n) = {
		[NODE_NAME] = resolve_name,	  [NODE_BUILTIN] = resolve_builtin,
		[NODE_SYMBOL] = resolve_symbol,	  [NODE_MEMBER] = resolve_member,
		[NODE_ARROW] = resolve_arrow,	  [NODE_INDEX] = resolve_index,
		[NODE_ADDRESS] = resolve_address, [NODE_UNARY] = resolve_unary,
		[NODE_BINARY] = resolve_binary,	  [NODE_AND] = resolve_logical,
		[NODE_OR] = resolve_logical,	  [NODE_CHOICE] = resolve_choice,
		[NODE_CAST] = resolve_cast,	  [NODE_CONTAINER] = resolve_container,
		[NODE_PERCPU] = resolve_percpu,	  [NODE_PATH] = resolve_path,
		[NODE_SOCK] = resolve_sock,
	};

	if (resolve_above(c, n))
		return;
	resolve_children(c, n);
	if (c->err)
		return;
	if (n->kind == NODE_NUMBER)
		resolve_number(n);
	else if (n->kind == NODE_DEREF)
		target_take(c, n, "*");
	else if (n->kind != NODE_STRING)
		resolvers[n->kind](c, n);
}

void expr_resolve(struct compile *c, struct slot *s)
{
	if (s->role != SLOT_KEPT) /* those are resolved already */
		resolve_node(c, s->root);
	if (!c->err && s->format.bytes)
		resolve_node(c, s->format.bytes);
}
