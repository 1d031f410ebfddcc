/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * user_param.c - parameters of user functions that are not in the register of an argument: a value computed from
 * registers, memory, or a struct in registers (EXPR_PARAM_VALUE, MEMORY, WORDS). At the return none of them is known.
 * resolve.c resolves the expressions that take their place.
 */
#include <stdio.h>
#include <string.h>

#include "expr/ctype.h"
#include "expr/resolve/resolve.h"
#include "expr/resolve/text_type.h"
#include "expr/syntax/syntax.h"

static bool is_gone(const struct compile *c)
{
	return c->slot->at_return || c->slot->ret.end || c->in->scope == EXPR_SCOPE_RETURN;
}

void resolve_user_param(struct compile *c, struct node *n, const struct expr_param *param)
{
	struct ctype type = ctype_of(param->id), pointer = ctype_pointer_to(type);
	bool is_memory = param->where == EXPR_PARAM_MEMORY;
	struct node *inner;

	n->type = type;
	n->category = is_memory ? CATEGORY_LVALUE : CATEGORY_RVALUE;
	if (is_gone(c)) {
		compile_fail(c, n->span, "parameter %s is not known at the return", param->name);
		compile_hint(c, "name it without @ret( ), and trace both ends of the call: -r");
	}
	if (c->err || param->where == EXPR_PARAM_WORDS)
		return;
	inner = parse_inner(c, param->inner);
	pointer.user = c->in->site.in_user;
	n->kind = is_memory ? NODE_DEREF : NODE_CAST;
	n->child = is_memory ? compile_node(c, n, NODE_CAST, pointer, inner, NULL) : inner;
}

/* ---- structs in registers ---- */

enum { WORD = 64 };

/* The expression of the word that has `width` bits from bit `at` on; NULL: it cannot be read. */
static const char *word_with(const struct expr_param *param, uint64_t at, uint64_t width)
{
	const char *word = at < WORD ? param->inner : at < 2 * WORD ? param->next : NULL;

	for (uint64_t bit = at; bit < at + width && bit < 2 * WORD; bit++)
		if (param->unknown >> bit / 8 & 1)
			return NULL;
	return width && at % WORD + width <= WORD ? word : NULL;
}

static bool is_number(const struct compile *c, struct ctype type)
{
	return ctype_is_integer(c->in->btf, type) || ctype_is_pointer(c->in->btf, type);
}

bool param_member(struct compile *c, unsigned i, unsigned member, char *name, size_t size)
{
	const struct btf_view *b = c->in->btf;
	const struct expr_param *param = c->in->site.params ? &c->in->site.params[i] : NULL;
	const struct btf_type *t = param && param->where == EXPR_PARAM_WORDS ?
					   btf_view_stripped(b, param->id) :
					   NULL;
	struct btf_found m;

	if (!t || !btf_is_composite(t) || member >= btf_vlen(t) ||
	    text_type_is(c, ctype_of(param->id)))
		return false;
	btf_view_member_at(b, t, member, &m);
	*name = '\0';
	if (is_number(c, ctype_of(m.type)) &&
	    word_with(param, m.bit_offset, m.bit_size ?: 8 * btf_view_size(b, m.type)))
		snprintf(name, size, "%s", btf_view_string(b, btf_members(t)[member].name_off));
	return true;
}

/* The struct in registers that a node is a part of, and where; NULL: another node. */
static const struct expr_param *words_of(const struct compile *c, const struct node *n,
					 uint64_t *bits)
{
	const struct expr_param *param;

	*bits = 0;
	for (; n->kind == NODE_MEMBER; n = n->child)
		*bits += n->bit_offset;
	param = is_param(n) && c->in->site.params ? &c->in->site.params[n->param] : NULL;
	return param && param->where == EXPR_PARAM_WORDS ? param : NULL;
}

void resolve_param_member(struct compile *c, struct node *n)
{
	uint64_t at, width = n->bit_size ?: 8 * ctype_size(c->in->btf, n->type);
	const struct expr_param *param = words_of(c, n, &at);
	bool is_signed = ctype_is_signed(c->in->btf, n->type);
	const char *word;
	char text[1024]; /* more than a word of several pieces needs */

	if (!param || ctype_is_composite(c->in->btf, n->type))
		return;
	word = is_number(c, n->type) ? word_with(param, at, width) : NULL;
	if (!word) {
		compile_fail(c, n->span,
			     "%s is passed in registers: this part of it cannot be read",
			     param->name);
		compile_hint(
			c,
			"numbers and pointers can, except in registers of floating-point numbers");
		return;
	}
	snprintf(text, sizeof(text), "(%s)(%s) << %d >> %d", is_signed ? "s64" : "u64", word,
		 (int)(WORD - at % WORD - width), (int)(WORD - width));
	n->child = parse_inner(c, text);
	n->kind = NODE_CAST;
	n->category = CATEGORY_RVALUE;
	n->bit_size = 0;
}
