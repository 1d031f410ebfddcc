/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_expr.c - nodes → expressions of argdump. Operators are C's on both sides; names and
 * functions are what differs.
 */
#include <string.h>

#include "front/notation/notation.h"

enum { TEXT_MAX = 4000 };

/* True if $task is in the node: it leads to kernel memory. */
static bool has_task(const struct notation_node *node)
{
	bool found = node->kind == NOTATION_WORD && !strcmp(node->text, "$task");

	for (const struct notation_node *kid = node->kid; kid && !found; kid = kid->next)
		found = has_task(kid);
	return found;
}

/* A pointer of a user program's leads to user memory. */
static const char *cast_text(struct notation_view *v, const struct notation_node *node)
{
	const char *operand = notation_text(v, node->kid), *star = strchr(node->text, '*');

	if (!star || !v->is_user || has_task(node->kid) || strstr(node->text, "__user"))
		return notation_print(v->n, "(%s)%s", node->text, operand);
	return notation_print(v->n, "(%.*s __user %s)%s",
			      (int)(star - node->text - (star > node->text && star[-1] == ' ')),
			      node->text, star, operand);
}

static const char *member_text(struct notation_view *v, const struct notation_node *node)
{
	const struct notation_node *of = notation_bare(node->kid);

	if (of->kind == NOTATION_WORD && !strcmp(of->text, "args"))
		return v->arg(v, node, node->text + (node->text[0] == '-' ? 2 : 1));
	return notation_print(v->n, "%s%s", notation_text(v, node->kid), node->text);
}

static const char *choice_text(struct notation_view *v, const struct notation_node *node)
{
	return notation_print(v->n, "%s ? %s : %s", notation_text(v, node->kid),
			      notation_text(v, node->kid->next),
			      notation_text(v, node->kid->next->next));
}

static const char *plain_text(struct notation_view *v, const struct notation_node *node)
{
	struct notation *n = v->n;

	switch (node->kind) {
	case NOTATION_LITERAL: return node->text;
	case NOTATION_WORD: return v->name(v, node);
	case NOTATION_CALL: return notation_call(v, node);
	case NOTATION_PREFIX:
		return notation_print(n, "%s%s", node->text, notation_text(v, node->kid));
	case NOTATION_BINARY:
		return notation_print(n, "%s %s %s", notation_text(v, node->kid), node->text,
				      notation_text(v, node->kid->next));
	case NOTATION_CHOICE: return choice_text(v, node);
	case NOTATION_MEMBER: return member_text(v, node);
	case NOTATION_INDEX:
		return notation_print(n, "%s[%s]", notation_text(v, node->kid),
				      notation_text(v, node->kid->next));
	case NOTATION_CAST: return cast_text(v, node);
	case NOTATION_PAREN: return notation_print(n, "(%s)", notation_text(v, node->kid));
	}
	return "";
}

static void mark_add(struct notation *n, const char *text, const struct notation_node *node)
{
	if (n->mark_count < NOTATION_MARKS_MAX)
		n->marks[n->mark_count++] = (struct notation_mark){ text, node->start, node->end };
}

const char *notation_text(struct notation_view *v, const struct notation_node *node)
{
	const char *text;

	if (v->n->failed)
		return "";
	text = plain_text(v, node);
	mark_add(v->n, text, node);
	if (strlen(text) < TEXT_MAX)
		return text;
	notation_fail_node(v->n, node, NULL, "this expression is too long");
	return "";
}
