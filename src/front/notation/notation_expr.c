/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_expr.c - converts nodes to expressions of argdump. The operators are C's in both languages; names and
 * functions differ: a function becomes an operator or a cast.
 */
#include <stdlib.h>
#include <string.h>

#include "front/notation/notation.h"
#include "util/suggest.h"

enum { TEXT_MAX = 4000 };

static const struct model_text *nothing(struct notation *n)
{
	return notation_join(n, "");
}

/* ---- functions ---- */

/* Returns a string to compare with. */
static const struct model_text *string_text(struct notation_view *v,
					    const struct notation_node *node)
{
	const struct model_text *text = notation_text(v, node);

	if (notation_bare(node)->kind == NOTATION_LITERAL || !v->is_user ||
	    (strncmp(text->text, "$arg", 4) && strcmp(text->text, "$ret")))
		return text;
	return notation_join(v->n, "(char __user *)%t", text);
}

/* -B: "{0x6C, 0x00}" is a list of bytes. */
static bool is_bytes(const struct notation_view *v, const struct notation_node *node)
{
	const char *text = notation_bare(node)->text;

	return v->n->by_bytes && notation_bare(node)->kind == NOTATION_LITERAL && text &&
	       !strncmp(text, "\"{", 2);
}

static const struct model_text *byte_text(struct notation_view *v, const struct model_text *at,
					  unsigned number, unsigned long byte)
{
	const char *right = notation_print(v->n, "[%u] == 0x%lx", number, byte);

	return notation_join(v->n, "((u8 %s*)%t)%s", v->is_user ? "__user " : "", at, right);
}

static const struct model_text *bytes_text(struct notation_view *v,
					   const struct notation_node *bytes,
					   const struct notation_node *pointer)
{
	const struct model_text *at = notation_text(v, pointer), *all = NULL;
	const char *p = notation_bare(bytes)->text + 1;
	char *end = (char *)p;
	unsigned count = 0;
	bool is_fine = true;

	while (is_fine && (*end == ',' || !count)) {
		unsigned long byte = strtoul(p + 1, &end, 0);
		const struct model_text *one = byte_text(v, at, count++, byte);

		is_fine = end != p + 1 && byte <= UINT8_MAX;
		all = all ? notation_join(v->n, "%t && %t", all, one) : one;
		p = end += strspn(end, " ");
	}
	if (!is_fine || strcmp(end, "}\""))
		notation_fail_node(v->n, bytes, "STRCMP(\"{0x6c, 0}\", arg1)",
				   "this is no list of bytes");
	return notation_join(v->n, "(%t)", all);
}

static const struct model_text *same_text(struct notation_view *v, const struct notation_node *node)
{
	const struct notation_node *a = node->kid, *b = a->next, *swap = a;

	if (notation_bare(a)->kind == NOTATION_LITERAL) {
		a = b;
		b = swap;
	}
	if (is_bytes(v, b))
		return bytes_text(v, b, a);
	return notation_join(v->n, "(%t == %t)", string_text(v, a), string_text(v, b));
}

/* Compares a number in network order by its value. */
static const struct model_text *swap16_text(struct notation_view *v,
					    const struct notation_node *node)
{
	return notation_join(v->n, "(__be16)(%t)", notation_text(v, node->kid));
}

static const struct model_text *swap32_text(struct notation_view *v,
					    const struct notation_node *node)
{
	return notation_join(v->n, "(__be32)(%t)", notation_text(v, node->kid));
}

static const struct {
	const char *name;
	size_t least; /* arguments */
	const struct model_text *(*text)(struct notation_view *v, const struct notation_node *node);
} functions[] = {
	{ "STRCMP", 2, same_text },	 { "ntohs", 1, swap16_text },
	{ "ntohl", 1, swap32_text },	 { "bpf_ntohs", 1, swap16_text },
	{ "bpf_ntohl", 1, swap32_text },
};

static const struct model_text *unknown(struct notation_view *v, const struct notation_node *node)
{
	struct suggestion nearest;

	suggest_init(&nearest, node->text);
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		suggest_offer(&nearest, functions[i].name);
	notation_fail_node(v->n, node,
			   suggest_get(&nearest) ? notation_print(v->n, "did you mean %s()?",
								  suggest_get(&nearest)) :
						   "STRCMP(\"text\", x), ntohs(x), ntohl(x)",
			   "unknown function %s()", node->text);
	return nothing(v->n);
}

static const struct model_text *call_text(struct notation_view *v, const struct notation_node *node)
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
		return nothing(v->n);
	}
	return unknown(v, node);
}

/* ---- members, casts ---- */

/* True if $task is in the node: the pointer is to kernel memory. */
static bool has_task(const struct notation_node *node)
{
	bool found = node->kind == NOTATION_WORD && !strcmp(node->text, "$task");

	for (const struct notation_node *kid = node->kid; kid && !found; kid = kid->next)
		found = has_task(kid);
	return found;
}

/* A pointer of a user program points to user memory. */
static const struct model_text *cast_text(struct notation_view *v, const struct notation_node *node)
{
	const struct model_text *operand = notation_text(v, node->kid);
	const char *star = strchr(node->text, '*'), *type;

	if (!star || !v->is_user || has_task(node->kid) || strstr(node->text, "__user"))
		return notation_join(v->n, "(%s)%t", node->text, operand);
	type = notation_print(v->n, "%.*s",
			      (int)(star - node->text - (star > node->text && star[-1] == ' ')),
			      node->text);
	return notation_join(v->n, "(%s __user %s)%t", type, star, operand);
}

static const struct model_text *member_text(struct notation_view *v,
					    const struct notation_node *node)
{
	const struct notation_node *of = notation_bare(node->kid);

	if (of->kind == NOTATION_WORD && !strcmp(of->text, "args"))
		return v->arg(v, node, node->text + (node->text[0] == '-' ? 2 : 1));
	return notation_join(v->n, "%t%s", notation_text(v, node->kid), node->text);
}

static const struct model_text *choice_text(struct notation_view *v,
					    const struct notation_node *node)
{
	return notation_join(v->n, "%t ? %t : %t", notation_text(v, node->kid),
			     notation_text(v, node->kid->next),
			     notation_text(v, node->kid->next->next));
}

/* ---- any node ---- */

static const struct model_text *plain_text(struct notation_view *v,
					   const struct notation_node *node)
{
	struct notation *n = v->n;

	switch (node->kind) {
	case NOTATION_LITERAL: return notation_join(n, "%s", node->text);
	case NOTATION_WORD: return v->name(v, node);
	case NOTATION_CALL: return call_text(v, node);
	case NOTATION_PREFIX:
		return notation_join(n, "%s%t", node->text, notation_text(v, node->kid));
	case NOTATION_BINARY:
		return notation_join(n, "%t %s %t", notation_text(v, node->kid), node->text,
				     notation_text(v, node->kid->next));
	case NOTATION_CHOICE: return choice_text(v, node);
	case NOTATION_MEMBER: return member_text(v, node);
	case NOTATION_INDEX:
		return notation_join(n, "%t[%t]", notation_text(v, node->kid),
				     notation_text(v, node->kid->next));
	case NOTATION_CAST: return cast_text(v, node);
	case NOTATION_PAREN: return notation_join(n, "(%t)", notation_text(v, node->kid));
	}
	return nothing(v->n);
}

const struct model_text *notation_text(struct notation_view *v, const struct notation_node *node)
{
	const struct model_text *text;

	if (v->n->failed)
		return nothing(v->n);
	text = notation_placed(v->n, plain_text(v, node), node->start, node->end);
	if (strlen(text->text) < TEXT_MAX)
		return text;
	notation_fail_node(v->n, node, NULL, "this expression is too long");
	return nothing(v->n);
}
