/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_node.c - the nodes of an expression: building, comparing and walking them.
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/notation.h"

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

const struct notation_node *notation_bare(const struct notation_node *node)
{
	while (node && node->kind == NOTATION_PAREN && node->kid && !node->kid->next)
		node = node->kid;
	return node;
}

bool notation_is_word(const struct notation_node *node, const char *word)
{
	node = notation_bare(node);
	return node && node->kind == NOTATION_WORD && !strcmp(node->text, word);
}

const char *notation_number(struct notation *n, const char *text)
{
	char *plain = notation_alloc(n, strlen(text) + 1), *to = plain;
	char *e;
	int zeros;

	if (!plain)
		return "";
	for (; *text; text++)
		if (*text != '_')
			*to++ = *text;
	e = strncmp(plain, "0x", 2) ? strchr(plain, 'e') : NULL;
	if (!e || !isdigit((unsigned char)e[1]) || strlen(e) > 3)
		return plain;
	zeros = e[2] ? (e[1] - '0') * 10 + e[2] - '0' : e[1] - '0';
	if (zeros > 18)
		return plain;
	return notation_print(n, "%.*s%.*s", (int)(e - plain), plain, zeros, "000000000000000000");
}
