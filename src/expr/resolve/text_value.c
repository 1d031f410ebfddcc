/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_value.c - strings of C++, Rust and Go as values: their text, and comparisons. Not all end with a NUL.
 *
 * Such a value is replaced by expressions of its members, as if the user had written s._M_str:ustr[s._M_len].
 */
#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format.h"
#include "expr/resolve/text_type.h"
#include "expr/syntax/syntax.h"
#include "util/glob.h"

enum { EXPRESSION_MAX = 1024 };

static const char *arrow_of(const struct compile *c, const struct node *n)
{
	return ctype_is_pointer(c->in->btf, n->type) ? "->" : ".";
}

/* ---- its text ---- */

/* Parses and resolves an expression in the place of `n`. */
static struct node *inner_node(struct compile *c, const struct node *n, const char *text)
{
	struct node *inner = parse_inner(c, text);

	if (inner)
		c->resolve(c, inner);
	if (c->err || !inner)
		return NULL;
	/* the next expression of this kind takes the place of its text */
	compile_spans(inner, n->span);
	inner->name = n->name.end ? n->name : n->span;
	return inner;
}

/* Returns a member of the string `n`: `path`, or `path_short` if the string is kept within the struct. */
static struct node *member_node(struct compile *c, const struct node *n,
				const struct text_type *row, const char *path,
				const char *path_short)
{
	struct span of = n->span;
	const char *text = c->slot->text, *arrow = arrow_of(c, n);
	char expr[EXPRESSION_MAX];
	int len;

	if (row->is_long)
		len = snprintf(expr, sizeof(expr),
			       "((%.*s)%s%s) ? (u64)(%.*s)%s%s : (u64)((%.*s)%s%s)",
			       SPAN_ARG(text, of), arrow, row->is_long, SPAN_ARG(text, of), arrow,
			       path, SPAN_ARG(text, of), arrow, path_short);
	else
		len = snprintf(expr, sizeof(expr), "(%.*s)%s%s", SPAN_ARG(text, of), arrow, path);
	return len < (int)sizeof(expr) ? inner_node(c, n, expr) : NULL;
}

static struct node *bytes_node(struct compile *c, const struct node *n, const struct text_type *row)
{
	return member_node(c, n, row, row->bytes, row->short_bytes);
}

static struct node *length_node(struct compile *c, const struct node *n,
				const struct text_type *row)
{
	return member_node(c, n, row, row->length, row->short_length);
}

const struct format_rule *text_type_format(struct compile *c, struct slot *s)
{
	const struct text_type *row = text_type_of(c, s->root->type);
	struct node *bytes, *length;

	if (!row)
		return NULL;
	bytes = bytes_node(c, s->root, row);
	length = c->err ? NULL : length_node(c, s->root, row);
	if (c->err || !bytes || !length)
		return NULL;
	s->root = bytes;
	s->format.bytes = length;
	return format_rule_named("ustr");
}

/* ---- comparisons ---- */

/* The text as a pattern of all that begins with it. */
static struct node *prefix_node(struct compile *c, const struct node *text)
{
	char *bytes = compile_alloc(c, 2 * (size_t)text->number + 2);
	struct node *prefix = compile_alloc(c, sizeof(*prefix));
	size_t len = 0;

	for (int64_t i = 0; !c->err && i < (int64_t)text->number; i++) {
		if (strchr("*?[\\", text->bytes[i]))
			bytes[len++] = '\\';
		bytes[len++] = text->bytes[i];
	}
	if (c->err)
		return NULL;
	bytes[len++] = '*';
	*prefix = *text;
	prefix->bytes = bytes;
	prefix->number = (int64_t)len;
	return prefix;
}

/* True for a pattern that only a beginning must match: what follows the bytes does not matter. */
static bool is_open(const struct node *pattern)
{
	char bytes[EXPRESSION_MAX];
	size_t count;
	bool open_end = false;

	return pattern->number < (int64_t)sizeof(bytes) &&
	       glob_is_prefix(pattern->bytes, pattern->number, bytes, &count, &open_end) &&
	       open_end;
}

static struct node *oper_node(struct compile *c, const struct node *n, enum node_kind kind,
			      enum oper oper, struct node *child, struct node *other)
{
	struct node *made = c->err ? NULL :
				     compile_node(c, n, kind, ctype_int(4, true), child, other);

	if (made)
		made->oper = oper;
	return made;
}

/* length == COUNT && bytes ~ "TEXT*"; its negation for !=. */
static struct node *same_node(struct compile *c, const struct node *n, struct node *bytes,
			      struct node *length)
{
	struct node *count = oper_node(c, n, NODE_NUMBER, OPER_EQ, NULL, NULL), *same;

	if (!count)
		return NULL;
	count->number = n->other->number;
	count->type = ctype_int(8, false);
	same = oper_node(c, n, NODE_AND, OPER_EQ,
			 oper_node(c, n, NODE_BINARY, OPER_EQ, length, count),
			 oper_node(c, n, NODE_BINARY, OPER_MATCH, bytes, prefix_node(c, n->other)));
	return n->oper == OPER_NE ? oper_node(c, n, NODE_UNARY, OPER_NOT, same, NULL) : same;
}

bool resolve_text_type(struct compile *c, struct node *n)
{
	const struct text_type *row = n->other->kind == NODE_STRING ?
					      text_type_of(c, n->child->type) :
					      NULL;
	struct node *bytes, *length, *same = NULL;

	if (!row)
		return false;
	if (n->oper == OPER_MATCH && !row->has_nul && !is_open(n->other)) {
		compile_fail(
			c, n->other->span,
			"no NUL ends this string: a pattern needs a * at its end, and nowhere else");
		return true;
	}
	bytes = bytes_node(c, n->child, row);
	length = bytes ? length_node(c, n->child, row) : NULL;
	if (length && n->oper == OPER_MATCH)
		n->child = bytes;
	else if (length)
		same = same_node(c, n, bytes, length);
	if (same && !c->err)
		*n = *same;
	return true;
}
