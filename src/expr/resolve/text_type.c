/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text_type.c - strings of C++, Rust and Go: structs with a pointer and a length, whose bytes no NUL ends.
 *
 * Such a value is replaced by expressions of its members, as if the user had written s._M_str:ustr[s._M_len].
 */
#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/format.h"
#include "expr/syntax/syntax.h"
#include "util/glob.h"

/* A row holds if the struct has both members. */
static const struct text_type {
	const char *type; /* pattern of the struct's name */
	const char *bytes, *length;
	bool has_nul; /* one follows the bytes */
} types[] = {
	{ "basic_string<char,*", "_M_dataplus._M_p", "_M_string_length", true },
	{ "basic_string_view<char,*", "_M_str", "_M_len" },
	{ "basic_string_view<char,*", "__data_", "__size_" },
	{ "basic_string_view<char,*", "__data", "__size" },
	{ "&str", "data_ptr", "length" },
	{ "&mut str", "data_ptr", "length" },
	{ "String", "vec.buf.inner.ptr.pointer.pointer", "vec.len" },
	{ "String", "vec.buf.ptr.pointer.pointer", "vec.len" },
	{ "string", "str", "len" },
};

enum { EXPRESSION_MAX = 1024 };

/* ---- the type ---- */

static bool has_member(const struct btf_view *b, uint32_t id, const char *path)
{
	struct btf_found found;

	for (size_t len; *path; path += len + (path[len] == '.')) {
		len = strcspn(path, ".");
		if (!ctype_is_composite(b, ctype_of(id)) ||
		    !btf_view_member(b, id, path, len, &found))
			return false;
		id = found.type;
	}
	return true;
}

/* The row of a type, or of what it points to; NULL: there is none. */
static const struct text_type *row_of(const struct compile *c, struct ctype t)
{
	const struct btf_view *b = c->in->btf;
	const char *name;

	if (!c->in->site.own_types)
		return NULL;
	if (ctype_is_pointer(b, t))
		t = ctype_target(b, t);
	if (!ctype_is_composite(b, t))
		return NULL;
	t.id = btf_view_strip(b, t.id);
	name = btf_view_name(b, t.id);
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (wildcard_matches(types[i].type, name) && has_member(b, t.id, types[i].bytes) &&
		    has_member(b, t.id, types[i].length))
			return &types[i];
	return NULL;
}

static bool is_named(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (wildcard_matches(types[i].type, name))
			return true;
	return false;
}

bool text_types_exist(const struct expr_input *in)
{
	/* thousands of functions share the types of a unit */
	static const struct btf_view *last;
	static bool exist;

	if (!in->site.own_types || in->btf == last)
		return in->site.own_types && exist;
	last = in->btf;
	exist = false;
	for (uint32_t id = btf_view_first(last); id < btf_view_count(last) && !exist; id++)
		exist = btf_view_kind(last, id) == BTF_KIND_STRUCT &&
			is_named(btf_view_name(last, id));
	return exist;
}

bool text_type_is(const struct compile *c, struct ctype t)
{
	return row_of(c, t);
}

static const char *arrow_of(const struct compile *c, const struct node *n)
{
	return ctype_is_pointer(c->in->btf, n->type) ? "->" : ".";
}

/* ---- its text ---- */

static struct node *member_node(struct compile *c, const struct node *n, const char *path)
{
	char text[EXPRESSION_MAX];
	struct node *member;
	int len = snprintf(text, sizeof(text), "(%.*s)%s%s", SPAN_ARG(c->slot->text, n->span),
			   arrow_of(c, n), path);

	member = len < (int)sizeof(text) ? parse_inner(c, text) : NULL;
	if (member)
		resolve_node(c, member);
	if (c->err || !member)
		return NULL;
	/* the next expression of this kind takes the place of its text */
	spans_set(member, n->span);
	member->name = n->name.end ? n->name : n->span;
	return member;
}

const struct format_rule *text_type_format(struct compile *c, struct slot *s)
{
	const struct text_type *row = row_of(c, s->root->type);
	struct node *bytes, *length;

	if (!row)
		return NULL;
	bytes = member_node(c, s->root, row->bytes);
	length = c->err ? NULL : member_node(c, s->root, row->length);
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
	const struct text_type *row = n->other->kind == NODE_STRING ? row_of(c, n->child->type) :
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
	bytes = member_node(c, n->child, row->bytes);
	length = bytes ? member_node(c, n->child, row->length) : NULL;
	if (length && n->oper == OPER_MATCH)
		n->child = bytes;
	else if (length)
		same = same_node(c, n, bytes, length);
	if (same && !c->err)
		*n = *same;
	return true;
}
