/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_call.c - functions in expressions: what is one in C's notation is an operator, or a cast, in
 * argdump's.
 */
#include <string.h>

#include "front/notation/notation.h"
#include "util/suggest.h"

/* A string to compare with. */
static const char *string_text(struct notation_view *v, const struct notation_node *node)
{
	const char *text = notation_text(v, node);

	node = notation_bare(node);
	if (node->kind == NOTATION_LITERAL || !v->is_untyped || text[0] != '$' ||
	    (strncmp(text, "$arg", 4) && strcmp(text, "$ret")))
		return text;
	return notation_print(v->n, "(char __user *)%s", text);
}

static const char *same_text(struct notation_view *v, const struct notation_node *node)
{
	const struct notation_node *a = node->kid, *b = a->next, *swap = a;

	if (notation_bare(a)->kind == NOTATION_LITERAL) {
		a = b;
		b = swap;
	}
	return notation_print(v->n, "(%s == %s)", string_text(v, a), string_text(v, b));
}

/* A number in network order is compared as the number that it means. */
static const char *swap16_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, "(__be16)(%s)", notation_text(v, node->kid));
}

static const char *swap32_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, "(__be32)(%s)", notation_text(v, node->kid));
}

static const struct {
	const char *name;
	size_t least; /* arguments */
	const char *(*text)(struct notation_view *v, const struct notation_node *node);
} functions[] = {
	{ "STRCMP", 2, same_text },	 { "ntohs", 1, swap16_text },
	{ "ntohl", 1, swap32_text },	 { "bpf_ntohs", 1, swap16_text },
	{ "bpf_ntohl", 1, swap32_text },
};

static const char *unknown(struct notation_view *v, const struct notation_node *node)
{
	struct suggestion nearest;

	suggest_init(&nearest, node->text);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		suggest_offer(&nearest, functions[i].name);
	notation_fail_node(v->n, node,
			   suggest_get(&nearest) ? notation_print(v->n, "did you mean %s()?",
								  suggest_get(&nearest)) :
						   "STRCMP(\"text\", x), ntohs(x), ntohl(x)",
			   "there is no function %s()", node->text);
	return "";
}

const char *notation_call(struct notation_view *v, const struct notation_node *node)
{
	size_t count = 0;

	for (const struct notation_node *kid = node->kid; kid; kid = kid->next)
		count++;
	if (node->text[0] == '$' && count) /* $entry(x) */
		return v->name(v, node);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		if (strcmp(functions[i].name, node->text))
			continue;
		if (count >= functions[i].least)
			return functions[i].text(v, node);
		notation_fail_node(v->n, node, NULL, "%s() needs more arguments", node->text);
		return "";
	}
	return unknown(v, node);
}
