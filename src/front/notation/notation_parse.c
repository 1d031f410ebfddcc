/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * notation_parse.c - parses expressions to nodes; the grammar is above each function. Names are resolved elsewhere.
 */
#include <ctype.h>
#include <string.h>

#include "front/notation/notation.h"

enum { DEPTH_MAX = 32 };

/* ---- nodes ---- */

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

const struct notation_node *notation_bare(const struct notation_node *node)
{
	while (node->kind == NOTATION_PAREN)
		node = node->kid;
	return node;
}

/* ---- casts ---- */

/* type := {struct|union|enum|const|…} NAME {'*'} */
static bool is_type_word(const struct notation *n, bool *is_tagged)
{
	static const char *const words[] = { "unsigned", "signed", "int",   "char",  "short",
					     "long",	 "void",   "const", "bool",  "u8",
					     "u16",	 "u32",	   "u64",   "s8",    "s16",
					     "s32",	 "s64",	   "__u8",  "__u16", "__u32",
					     "__u64",	 "__s8",   "__s16", "__s32", "__s64",
					     "__be16",	 "__be32", "__user" };
	static const char *const tags[] = { "struct", "union", "enum" };
	size_t len = n->end - n->start;
	const char *at = n->text + n->start;

	*is_tagged = false;
	if (n->token != NOTATION_NAME)
		return false;
	for (size_t i = 0; i < sizeof(tags) / sizeof(tags[0]); i++)
		if (len == strlen(tags[i]) && !strncmp(at, tags[i], len))
			return *is_tagged = true;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (len == strlen(words[i]) && !strncmp(at, words[i], len))
			return true;
	return len > 2 && !strncmp(at + len - 2, "_t", 2);
}

/* Reads a type. Returns false if there is none. */
static bool type_parse(struct notation *n)
{
	bool known = false, tagged;
	size_t stars = 0;

	while (is_type_word(n, &tagged)) {
		known = true;
		notation_next(n);
		if (tagged && n->token == NOTATION_NAME)
			notation_next(n);
	}
	if (!known && n->token == NOTATION_NAME) {
		notation_next(n);
		if (!notation_is(n, "*"))
			return false;
	} else if (!known) {
		return false;
	}
	while (notation_accept(n, "*") || notation_accept(n, "__user"))
		stars++;
	return (known || stars) && notation_is(n, ")");
}

static struct notation_node *prefix_parse(struct notation *n);

/* Parses a cast after a '('. Returns NULL, with the reader unmoved, if it is not one. */
static struct notation_node *cast_parse(struct notation *n, size_t open)
{
	struct notation before = *n;
	struct notation_node *node, *kid;
	const char *type;
	size_t start = n->start;

	if (!type_parse(n)) {
		n->at = before.at;
		n->token = before.token;
		n->start = before.start;
		n->end = before.end;
		n->last_end = before.last_end;
		return NULL;
	}
	type = notation_copy(n, start, n->last_end);
	notation_next(n);
	kid = prefix_parse(n);
	node = kid ? notation_node(n, NOTATION_CAST, type, kid) : NULL;
	if (node)
		node->start = open;
	return node;
}

/* ---- operands ---- */

/* Parses a list of expressions up to `close`, which is consumed. NULL: it is empty, or failed. */
static struct notation_node *list_parse(struct notation *n, const char *close)
{
	struct notation_node *first = NULL, **end = &first;

	if (notation_accept(n, close))
		return NULL;
	do {
		*end = notation_expr(n);
		if (*end)
			end = &(*end)->next;
	} while (!n->failed && notation_accept(n, ","));
	notation_expect(n, close);
	return n->failed ? NULL : first;
}

static struct notation_node *paren_parse(struct notation *n)
{
	size_t open = n->start;
	struct notation_node *kid, *node;

	notation_next(n);
	node = cast_parse(n, open);
	if (node || n->failed)
		return node;
	kid = notation_expr(n);
	notation_expect(n, ")");
	node = kid && !n->failed ? notation_node(n, NOTATION_PAREN, "", kid) : NULL;
	if (node)
		node->start = open;
	return node;
}

/* sizeof(…): keeps the text as written. */
static struct notation_node *verbatim_parse(struct notation *n, size_t start)
{
	unsigned depth = 0;

	do {
		depth += notation_is(n, "(");
		depth -= notation_is(n, ")");
		notation_next(n);
	} while (depth && n->token != NOTATION_END);
	return notation_node(n, NOTATION_LITERAL, notation_copy(n, start, n->last_end), NULL);
}

/* Parses a name, a call, $x or $entry(x). */
static struct notation_node *name_parse(struct notation *n)
{
	const char *name = notation_token_text(n);
	size_t start = n->start;
	struct notation_node *node = NULL, *kid;

	notation_next(n);
	if (!strcmp(name, "sizeof") && notation_is(n, "(")) {
		node = verbatim_parse(n, start);
	} else if (notation_accept(n, "(")) {
		kid = list_parse(n, ")");
		node = n->failed ? NULL : notation_node(n, NOTATION_CALL, name, kid);
	} else {
		node = notation_node(n, NOTATION_WORD, name, NULL);
	}
	if (node)
		node->start = start;
	return node;
}

static struct notation_node *operand_parse(struct notation *n)
{
	struct notation_node *node;
	const char *text;
	size_t start = n->start;

	switch (n->token) {
	case NOTATION_NAME:
	case NOTATION_VAR: return name_parse(n);
	case NOTATION_NUMBER:
	case NOTATION_STRING:
		text = notation_token_text(n);
		notation_next(n);
		node = notation_node(n, NOTATION_LITERAL, text, NULL);
		if (node)
			node->start = start;
		return node;
	default: break;
	}
	if (notation_is(n, "("))
		return paren_parse(n);
	notation_fail(n, n->start, n->end, NULL, "expected an expression");
	return NULL;
}

static struct notation_node *member_parse(struct notation *n, struct notation_node *node)
{
	bool arrow = notation_is(n, "->");

	notation_next(n);
	if (n->token != NOTATION_NAME && n->token != NOTATION_NUMBER) {
		notation_fail(n, n->start, n->end, NULL, "expected the name of a member");
		return NULL;
	}
	notation_next(n);
	return notation_node(n, NOTATION_MEMBER,
			     notation_print(n, "%s%.*s", arrow ? "->" : ".",
					    (int)(n->last_end - n->last_start),
					    n->text + n->last_start),
			     node);
}

static struct notation_node *index_parse(struct notation *n, struct notation_node *node)
{
	notation_next(n);
	node->next = list_parse(n, "]");
	if (!n->failed && (!node->next || node->next->next))
		notation_fail(n, n->last_end - 1, n->last_end, NULL, "expected one index");
	return n->failed ? NULL : notation_node(n, NOTATION_INDEX, "", node);
}

static struct notation_node *postfix_parse(struct notation *n)
{
	struct notation_node *node = operand_parse(n);

	while (node && !n->failed) {
		if (notation_is(n, "->") || notation_is(n, "."))
			node = member_parse(n, node);
		else if (notation_is(n, "["))
			node = index_parse(n, node);
		else
			break;
	}
	return n->failed ? NULL : node;
}

static struct notation_node *prefix_parse(struct notation *n)
{
	static const char *const signs[] = { "!", "-", "~", "*", "&", "+" };
	struct notation_node *node;
	size_t start = n->start;

	if (++n->depth > DEPTH_MAX)
		notation_fail(n, n->start, n->end, NULL, "this is nested too deeply");
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (!notation_accept(n, signs[i]))
			continue;
		node = prefix_parse(n);
		node = node ? notation_node(n, NOTATION_PREFIX, signs[i], node) : NULL;
		if (node)
			node->start = start;
		n->depth--;
		return node;
	}
	node = n->failed ? NULL : postfix_parse(n);
	n->depth--;
	return node;
}

/* ---- operators ---- */

static int precedence(const struct notation *n)
{
	static const struct {
		const char *sign;
		int level;
	} rows[] = { { "*", 10 }, { "/", 10 }, { "%", 10 }, { "+", 9 }, { "-", 9 },  { "<<", 8 },
		     { ">>", 8 }, { "<", 7 },  { "<=", 7 }, { ">", 7 }, { ">=", 7 }, { "==", 6 },
		     { "!=", 6 }, { "&", 5 },  { "^", 4 },  { "|", 3 }, { "&&", 2 }, { "||", 1 } };

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (n->token == NOTATION_SIGN && notation_is(n, rows[i].sign))
			return rows[i].level;
	return 0;
}

static struct notation_node *binary_parse(struct notation *n, int lowest)
{
	struct notation_node *node = prefix_parse(n);
	int level;

	while (node && !n->failed && (level = precedence(n)) >= lowest && level) {
		const char *sign = notation_token_text(n);

		notation_next(n);
		node->next = binary_parse(n, level + 1);
		node = n->failed ? NULL : notation_node(n, NOTATION_BINARY, sign, node);
	}
	return n->failed ? NULL : node;
}

struct notation_node *notation_expr(struct notation *n)
{
	struct notation_node *node = binary_parse(n, 1);

	if (!node || !notation_accept(n, "?"))
		return node;
	if (++n->depth > DEPTH_MAX)
		notation_fail(n, n->start, n->end, NULL, "this is nested too deeply");
	node->next = notation_expr(n);
	notation_expect(n, ":");
	if (node->next)
		node->next->next = notation_expr(n);
	n->depth--;
	return n->failed ? NULL : notation_node(n, NOTATION_CHOICE, "", node);
}
