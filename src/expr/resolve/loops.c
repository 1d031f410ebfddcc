/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * loops.c - checks the range or list of a loop, and its body.
 *
 * A loop has one range or one list, and no loop inside: a verifier follows every round of it.
 */
#include "expr/resolve/resolve.h"

#include <string.h>

#include "expr/ctype.h"

/* ---- ranges ---- */

void loop_check_range(struct compile *c, const struct node *n)
{
	char text[DECLARATION_MAX];

	if (!ctype_is_integer(c->in->btf, n->child->type))
		compile_fail(c, n->child->span,
			     "the number of rounds must be a number, but this is %s",
			     compile_declared(c, n->child->type, text));
	else if (n->child->kind == NODE_NUMBER &&
		 (n->child->number < 0 || n->child->number > LOOP_ROUNDS))
		compile_fail(c, n->child->span, "a loop has at most %d rounds", LOOP_ROUNDS);
}

/* ---- lists ---- */

/* The struct with the pointer to the first or next element: list_head, hlist_… */
static uint32_t link_struct(struct compile *c, struct ctype t, bool *is_hlist)
{
	const struct btf_view *b = c->in->btf;
	const char *name;

	if (!ctype_is_composite(b, t))
		return 0;
	name = btf_view_name(b, btf_view_strip(b, t.id));
	*is_hlist = !strncmp(name, "hlist_", 6);
	if (strcmp(name, "list_head") && strcmp(name, "hlist_head") && strcmp(name, "hlist_node"))
		return 0;
	return btf_view_strip(b, t.id);
}

static void resolve_head(struct compile *c, struct node *n)
{
	const struct node *head = n->child;
	struct ctype t = head->type;
	char text[DECLARATION_MAX];
	uint32_t id;

	if (ctype_is_pointer(c->in->btf, t))
		t = ctype_target(c->in->btf, t);
	id = link_struct(c, t, &n->is_hlist);
	if (id && ctype_member_offset(c->in->btf, id, n->is_hlist ? "first" : "next", &n->first_at))
		return;
	compile_fail(c, head->span, "this is not the head of a list (%s)",
		     compile_declared(c, head->type, text));
	compile_hint(c, "a head is a struct list_head or hlist_head, or a pointer to one");
}

static void resolve_element(struct compile *c, struct node *n)
{
	struct ctype outer = resolve_type_name(c, &n->type_name);
	struct btf_found found;
	bool is_hlist = false;
	char text[DECLARATION_MAX];
	uint32_t id;

	if (c->err)
		return;
	if (!ctype_is_composite(c->in->btf, outer)) {
		compile_fail(c, n->type_name.span, "%s has no members",
			     compile_declared(c, outer, text));
		return;
	}
	if (!resolve_member_find(c, n, outer, &found))
		return;
	id = link_struct(c, ctype_of(found.type), &is_hlist);
	if (!id || is_hlist != n->is_hlist ||
	    !ctype_member_offset(c->in->btf, id, "next", &n->next_at)) {
		compile_fail(c, n->name, "the elements are linked by a struct %s, but this is %s",
			     n->is_hlist ? "hlist_node" : "list_head",
			     compile_declared(c, ctype_of(found.type), text));
		return;
	}
	n->bit_offset = found.bit_offset;
	n->type = ctype_pointer_to(outer);
	n->category = CATEGORY_RVALUE;
}

bool list_is_allowed(struct compile *c, const struct node *n)
{
	const struct loop_scope *loop = c->loop;

	if (!loop) {
		compile_fail(c, n->span, "a list needs @sum( ), @count( ) or @any( ) around it");
		compile_hint(c, "@count(%.*s) is the number of its elements",
			     SPAN_ARG(c->slot->text, n->span));
	} else if (loop->node->child || loop->node->list) {
		compile_fail(c, n->span, "a loop goes over one range or one list");
	}
	return !c->err;
}

void list_resolve(struct compile *c, struct node *n)
{
	resolve_head(c, n);
	if (!c->err)
		resolve_element(c, n);
	if (!c->err)
		c->loop->node->list = n;
}

/* ---- loops ---- */

/* A loop needs a range, or a list in its body. */
static bool has_rounds(struct compile *c, const struct node *n)
{
	struct span word = n->name;

	if (n->child || n->list)
		return true;
	compile_fail(c, n->span, "@%.*s needs a range or a list", SPAN_ARG(c->slot->text, word));
	compile_hint(c, "@%.*s(i < N, EXPR), @%.*s(@list(HEAD, struct T, MEMBER)->MEMBER)",
		     SPAN_ARG(c->slot->text, word), SPAN_ARG(c->slot->text, word));
	return false;
}

void loop_resolve(struct compile *c, struct node *n)
{
	const struct btf_view *b = c->in->btf;
	struct ctype t = n->other->type;
	bool number = ctype_is_integer(b, t);
	bool truth = number || ctype_is_address(b, t);
	char text[DECLARATION_MAX];

	if (!has_rounds(c, n))
		return;
	if (n->other->kind == NODE_STRING || !(n->loop == LOOP_SUM ? number : truth))
		compile_fail(c, n->other->span, "@%.*s is for numbers, but this is %s",
			     SPAN_ARG(c->slot->text, n->name),
			     n->other->kind == NODE_STRING ? "a text" :
							     compile_declared(c, t, text));
	n->type = n->loop == LOOP_SUM ? ctype_int(8, ctype_is_signed(b, t)) : ctype_int(4, true);
	n->category = CATEGORY_RVALUE;
}
