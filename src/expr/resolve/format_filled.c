/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * format_filled.c - char *buf, size_t count: a buffer that the function fills.
 *
 * At the entry there is nothing in it yet: its address is shown. At the return there is what was
 * written; how much of it the function must say, as read does: by a result that is a long
 * (ssize_t), negative where it failed. An int may be a length or 0 for success, so nothing is known then.
 */
#include "expr/resolve/format.h"

#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/resolve.h"
#include "expr/syntax/syntax.h"

enum { LENGTH_TEXT = 160 };

bool has_word(const char *words, const char *name)
{
	char word[40];

	snprintf(word, sizeof(word), " %s ", name);
	return strstr(words, word);
}

bool is_param(const struct node *n)
{
	return n->kind == NODE_NAME || (n->kind == NODE_BUILTIN && !n->builtin);
}

static bool is_void(const struct btf_view *b, struct ctype t)
{
	return !t.stars && !t.int_size && !btf_view_strip(b, t.id);
}

/* Bytes that are not const; void only where the name says that it is a buffer. */
static bool is_buffer(struct compile *c, const struct node *n, const char *name)
{
	const struct btf_view *b = c->in->btf;
	struct ctype target;

	if (!ctype_is_pointer(b, n->type) || strstr(name, "name"))
		return false;
	target = ctype_target(b, n->type);
	if (ctype_is_const(b, target))
		return false;
	return ctype_is_char(b, target) || (is_void(b, target) && strstr(name, "buf"));
}

/* The name of the length, which comes next; NULL: it is no such buffer. */
static const char *length_of(struct compile *c, const struct slot *s)
{
	static const char lengths[] =
		" count size len n buflen bufsiz bufsize buf_size nbytes msg_len ";
	const struct node *n = s->root;
	const char *next;

	if (!is_param(n) || n->param + 1 >= param_count(c) ||
	    !is_buffer(c, n, param_name(c, n->param)))
		return NULL;
	next = param_name(c, n->param + 1);
	return has_word(lengths, next) ? next : NULL;
}

static bool returns_length(struct compile *c)
{
	const struct btf_type *prototype = btf_view_type(c->in->btf, c->p->proto);
	struct ctype type = ctype_of(prototype ? prototype->type : 0);

	return prototype && ctype_is_integer(c->in->btf, type) &&
	       ctype_is_signed(c->in->btf, type) && ctype_size(c->in->btf, type) == 8;
}

const char *filled_format(struct compile *c, struct slot *s)
{
	const char *length = length_of(c, s);
	char text[LENGTH_TEXT];

	if (!length)
		return NULL;
	if (c->in->scope == EXPR_SCOPE_ENTRY || !returns_length(c))
		return s->at_return ? NULL : "p";
	s->at_return = true;
	snprintf(text, sizeof(text), "$ret < (long)%s ? $ret : (long)%s", length, length);
	s->format.bytes = parse_inner(c, text);
	if (!c->err)
		resolve_node(c, s->format.bytes);
	return "str";
}
