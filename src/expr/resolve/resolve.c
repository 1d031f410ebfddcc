/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * resolve.c - the meaning of each node in this kernel: its type, and whether and where it is in
 * memory.
 *
 * resolve_node walks the tree; names.c, builtin.c, operators.c, types.c and others handle one
 * kind of node each. Errors suggest the nearest correct name. Nothing here knows how memory is
 * read.
 */
#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format.h"

/* ---- operators on memory ---- */

/* *child and child[n]: the target of a pointer, or an element of an array. */
static void resolve_target(struct compile *c, struct node *n, const char *what)
{
	struct ctype outer = n->child->type;
	char text[DECLARATION_MAX];

	if (!ctype_is_address(c->in->btf, outer)) {
		compile_fail(c, n->child->span, "%s needs a pointer or an array, but this is %s",
			     what, compile_declared(c, outer, text));
		return;
	}
	n->type = ctype_target(c->in->btf, outer);
	n->category = CATEGORY_LVALUE;
	if (ctype_is_pointer(c->in->btf, outer) && !ctype_size(c->in->btf, n->type) &&
	    !ctype_is_array(c->in->btf, n->type))
		compile_fail(c, n->span, "%s points at nothing of a known size",
			     compile_declared(c, outer, text));
}

/* Checks a constant index. Older kernel code declares an array that continues beyond its struct as
 * [0] or [1]. */
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
		compile_fail(c, n->other->span, "an index must be an integer, but this is %s",
			     compile_declared(c, n->other->type, text));
	if (!c->err)
		resolve_target(c, n, "[ ]");
	/* an array whose length is a variable, in an array */
	if (!c->err && ctype_is_array(c->in->btf, n->type) && !ctype_size(c->in->btf, n->type) &&
	    (n->other->kind != NODE_NUMBER || n->other->number))
		compile_fail(c, n->span, "the size of %s is known only to the program",
			     compile_declared(c, n->type, text));
}

static void resolve_address(struct compile *c, struct node *n)
{
	if (n->child->category != CATEGORY_LVALUE) {
		compile_fail(c, n->child->span, "this has no address: it is a value in a register");
		return;
	}
	if (n->child->bit_size) {
		compile_fail(c, n->child->span, "a bitfield has no address");
		return;
	}
	n->type = ctype_pointer_to(n->child->type);
	n->type.user = node_is_user(c, n->child);
	n->category = CATEGORY_RVALUE;
}

/*
 * ---- @in(EXPR): a value that a call of --in had at its entry ----
 *
 * The programs that mark the calls evaluate EXPR, a slot each, and keep the numbers
 * (emit_marks.c). Here it is a number whose type those programs know.
 */

/* The index of the text among those that the calls keep. */
static int64_t inside_number(struct compile *c, const struct node *n)
{
	const char *text = c->slot->text + n->name.start;
	size_t len = n->name.end - n->name.start;

	for (size_t i = 0; i < c->in->inside.count; i++)
		if (strlen(c->in->inside.texts[i]) == len &&
		    !memcmp(c->in->inside.texts[i], text, len))
			return i;
	compile_fail(c, n->name, "at most %d values of a call are kept", EXPR_INSIDE_MAX);
	return 0;
}

/* Resolves EXPR in one of the functions, and declares its type in C. */
static void inside_type(struct compile *c, struct node *n, const struct expr_input *of,
			char declared[DECLARATION_MAX])
{
	struct outside was = compile_inside(c, of);

	resolve_node(c, n->child);
	if (!c->err)
		resolve_kept_check(c, n->child, "what @in( ) keeps");
	if (!c->err)
		compile_declared(c, n->child->type, declared);
	compile_outside(c, &was);
}

/* Fails if the probe does not know the type: a BTF id of a module is valid only in that module's
 * BTF. */
static void inside_check(struct compile *c, const struct node *n, const char *declared)
{
	char here[DECLARATION_MAX];

	if (c->err || !strcmp(compile_declared(c, n->child->type, here), declared))
		return;
	compile_fail(c, n->name, "the probe does not know the type (%s)", declared);
	compile_hint(c, "a cast names one that it knows: @in((struct sock *)EXPR), @in((u64)EXPR)");
}

static void resolve_inside(struct compile *c, struct node *n)
{
	const struct expr_input *of = c->in->inside.of;
	char first[DECLARATION_MAX] = "", next[DECLARATION_MAX] = "";

	n->number = inside_number(c, n);
	if (c->err)
		return;
	inside_type(c, n, of, first);
	inside_check(c, n, first);
	for (struct node *other = n->other; other && !c->err; other = other->other) {
		of = of->inside.next;
		inside_type(c, other, of, next);
		if (c->err || !strcmp(first, next))
			continue;
		compile_fail(c, n->name, "this is %s in one function of --in, but %s in another",
			     first, next);
		compile_hint(c, "use a cast to make them equal: @in((long)EXPR)");
	}
	if (c->err)
		return;
	n->type = n->child->type;
	n->category = CATEGORY_RVALUE;
}

/* ---- nodes that resolve their children themselves ---- */

static void resolve_loop(struct compile *c, struct node *n)
{
	struct loop_scope scope = { .node = n };

	if (c->loop) {
		compile_fail(c, n->span, "a loop cannot contain a loop");
		return;
	}
	if (n->child)
		resolve_node(c, n->child);
	if (n->child && !c->err)
		loop_check_range(c, n);
	c->loop = &scope;
	if (!c->err)
		resolve_node(c, n->other);
	c->loop = NULL;
	if (!c->err)
		loop_resolve(c, n);
}

static void resolve_list(struct compile *c, struct node *n)
{
	struct loop_scope *loop = c->loop;

	if (!list_is_allowed(c, n))
		return;
	c->loop = NULL; /* the head is not an element */
	resolve_node(c, n->child);
	c->loop = loop;
	if (!c->err)
		list_resolve(c, n);
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
	if (list) /* drop the list of the first alternative */
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
	n->category = CATEGORY_RVALUE;
}

static bool resolve_above(struct compile *c, struct node *n)
{
	if (n->kind == NODE_FALLBACK)
		resolve_fallback(c, n);
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

/* ---- expressions that the user did not write ---- */

/* The expression that a node of kind `was` has been replaced by, not resolved yet; NULL: none. */
static struct node *inner_of(const struct node *n, enum node_kind was)
{
	if (was == NODE_PERCPU)
		return n->kind == NODE_CAST ? n->child->other : NULL;
	if (n->kind == NODE_CAST) /* user_param.c */
		return was == NODE_NAME || was == NODE_MEMBER ? n->child : NULL;
	if (n->kind == NODE_DEREF)
		return was == NODE_NAME ? n->child->child : NULL;
	return was == NODE_NAME || was == NODE_BUILTIN ? n->child : NULL;
}

static const char *inner_error(const struct node *n)
{
	if (n->kind == NODE_CAST)
		return "where this kernel keeps its CPUs' memory is not known";
	if (n->builtin && (n->builtin->id == BUILTIN_CTX || n->builtin->id == BUILTIN_IRQ))
		return "this kernel does not show where it counts preemption";
	return NULL;
}

static void resolve_inner(struct compile *c, struct node *n, struct node *inner)
{
	const char *error = inner_error(n);

	resolve_node(c, inner);
	if (c->err == -EINVAL && error) {
		c->error->start = n->span.start;
		c->error->end = n->span.end;
		snprintf(c->error->message, sizeof(c->error->message), "%s", error);
	} else if (!c->err && !n->builtin) { /* a parameter, or a part of one */
		compile_spans(inner, n->span);
		if (n->kind == NODE_NAME || n->kind == NODE_BUILTIN) /* EXPR_PARAM_INNER */
			n->type = inner->type;
	}
}

/* ---- references of C++ ---- */

/* True for one to a number or a pointer. Those to structs and arrays are used as pointers. */
static bool is_reference(const struct compile *c, struct ctype t)
{
	const struct btf_view *b = c->in->btf;
	uint32_t id = t.stars || t.int_size ? 0 : btf_view_strip(b, t.id);

	return c->in->site.own_types && btf_view_kind(b, id) == BTF_KIND_PTR &&
	       !strcmp(btf_view_name(b, id), BTF_REFERENCE) &&
	       !ctype_is_composite(b, ctype_target(b, t)) && ctype_size(b, ctype_target(b, t));
}

/* As in C++, the name of a reference is what it refers to. */
static void reference_follow(struct compile *c, struct node *n)
{
	struct node *own = compile_alloc(c, sizeof(*own));

	if (!own)
		return;
	*own = *n;
	*n = (struct node){ .kind = NODE_DEREF,
			    .span = own->span,
			    .name = own->name,
			    .child = own,
			    .type = ctype_target(c->in->btf, own->type),
			    .category = CATEGORY_LVALUE };
}

/* But *reference is accepted, too: a * that the user wrote makes the span longer. */
static bool is_followed(const struct compile *c, const struct node *n)
{
	const struct node *of = n->child;

	return of->kind == NODE_DEREF && of->child->span.start == of->span.start &&
	       of->child->span.end == of->span.end && is_reference(c, of->child->type) &&
	       !ctype_is_address(c->in->btf, of->type);
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
		[NODE_SOCK] = resolve_sock,	  [NODE_SIZEOF] = resolve_sizeof,
		[NODE_PACKET] = resolve_packet,
	};
	enum node_kind was = n->kind;
	struct node *inner;

	if (resolve_above(c, n))
		return;
	resolve_children(c, n);
	if (c->err)
		return;
	if (n->kind == NODE_NUMBER)
		resolve_number(n);
	else if (n->kind == NODE_DEREF && is_followed(c, n))
		*n = *n->child;
	else if (n->kind == NODE_DEREF)
		resolve_target(c, n, "*");
	else if (n->kind != NODE_STRING)
		resolvers[n->kind](c, n);
	if (was == NODE_MEMBER && !c->err)
		resolve_param_member(c, n);
	inner = c->err ? NULL : inner_of(n, was);
	if (inner)
		resolve_inner(c, n, inner);
	if (!c->err && (was == NODE_NAME || was == NODE_MEMBER || was == NODE_ARROW) &&
	    is_reference(c, n->type))
		reference_follow(c, n);
}

void expr_resolve(struct compile *c, struct slot *s)
{
	if (s->role != SLOT_KEPT) /* these are resolved already */
		resolve_node(c, s->root);
	if (!c->err && s->format.bytes)
		resolve_node(c, s->format.bytes);
}
