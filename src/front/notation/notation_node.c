/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_node.c - nodes, and the values of $x.
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/notation.h"

enum { VALUE_NODES_MAX = 500 };

struct notation_node *notation_node(struct notation *n, enum notation_kind kind, const char *text,
				    struct notation_node *kid)
{
	struct notation_node *node = notation_alloc(n, sizeof(*node));

	if (node)
		*node = (struct notation_node){
			kind, text, kid, NULL, kid ? kid->start : n->start, n->last_end
		};
	return node;
}

/* ---- the scratch variables ---- */

static struct notation_node *var_value(struct notation *n, const char *name)
{
	for (size_t i = n->var_count; i--;)
		if (!strcmp(n->vars[i].name, name))
			return n->vars[i].value;
	return NULL;
}

static void count_one(void *ctx, const struct notation_node *node)
{
	(void)node;
	++*(size_t *)ctx;
}

void notation_var_set(struct notation *n, const char *name, struct notation_node *value)
{
	struct notation_const known;
	size_t nodes = 0;

	if (value && notation_const(n, value, &known) && !known.text && known.number >= 0)
		value = notation_node(n, NOTATION_LITERAL, notation_const_print(n, &known, NULL, 0),
				      NULL);
	for (size_t i = 0; i < n->var_count; i++)
		if (!strcmp(n->vars[i].name, name)) {
			n->vars[i].value = value;
			return;
		}
	if (value)
		notation_walk(value, count_one, &nodes);
	if (n->var_count == NOTATION_VARS_MAX || nodes > VALUE_NODES_MAX) {
		notation_fail(n, n->start, n->end, NULL, "the variables are too many, or too long");
		return;
	}
	n->vars[n->var_count].name = name;
	n->vars[n->var_count++].value = value;
}

/* $1: what the command line has behind the program; 0 without. */
static const char *param_text(struct notation *n, const char *name)
{
	size_t number = 0;

	for (name++; isdigit((unsigned char)*name) && number < 100; name++)
		number = number * 10 + *name - '0';
	if (!number || number > n->param_count)
		return "0";
	name = n->params[number - 1];
	return isdigit((unsigned char)*name) ? name : notation_print(n, "\"%s\"", name);
}

struct notation_node *notation_var(struct notation *n, const char *name)
{
	struct notation_node *value, *node;

	if (n->params && name[1] == '#')
		return notation_node(n, NOTATION_LITERAL, notation_print(n, "%zu", n->param_count),
				     NULL);
	if (n->params && isdigit((unsigned char)name[1]))
		return notation_node(n, NOTATION_LITERAL, param_text(n, name), NULL);
	value = var_value(n, name);
	node = notation_node(n, value ? NOTATION_PAREN : NOTATION_SCRATCH, name, NULL);
	if (node && value) {
		node->kid = notation_alloc(n, sizeof(*value));
		if (!node->kid)
			return NULL;
		*node->kid = *value;
		node->kid->next = NULL;
	}
	return node;
}

bool notation_same_list(const struct notation_node *a, const struct notation_node *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (!notation_same(a, b))
			return false;
	return a == b;
}

bool notation_same(const struct notation_node *a, const struct notation_node *b)
{
	if (!a || !b)
		return a == b;
	return a->kind == b->kind && !strcmp(a->text, b->text) &&
	       notation_same_list(a->kid, b->kid);
}

void notation_walk(const struct notation_node *node,
		   void (*each)(void *ctx, const struct notation_node *node), void *ctx)
{
	each(ctx, node);
	for (const struct notation_node *kid = node->kid; kid; kid = kid->next)
		notation_walk(kid, each, ctx);
}
