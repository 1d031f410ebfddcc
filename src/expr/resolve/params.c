/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * params.c - the parameters that an expression may name: those of a BTF prototype, or those
 * listed in the input (expr_param): fields of an event's record, registers of a system call,
 * registers of a user function.
 *
 * lower_param.c has the same part of the plan.
 */
#include <stdio.h>
#include <string.h>

#include "btf/param_type.h"
#include "expr/ctype.h"
#include "expr/resolve/format.h"
#include "expr/resolve/text_type.h"
#include "expr/syntax/syntax.h"
#include "expr/syntax/parser.h"

unsigned param_count(const struct compile *c)
{
	unsigned count;

	if (c->in->site.params)
		return c->in->site.param_count;
	count = btf_vlen(compile_prototype(c));
	/* the last parameter of a variadic function has type 0 */
	if (count && !btf_params(compile_prototype(c))[count - 1].type)
		count--;
	return count > c->in->site.params_skipped ? count - c->in->site.params_skipped : 0;
}

static const struct btf_param *prototype_param(const struct compile *c, unsigned i)
{
	return &btf_params(compile_prototype(c))[i + c->in->site.params_skipped];
}

const char *param_name(const struct compile *c, unsigned i)
{
	if (c->in->site.params)
		return c->in->site.params[i].name;
	return btf_view_string(c->in->btf, prototype_param(c, i)->name_off);
}

/* ---- a type as text from the kernel: "const char *" ---- */

static bool text_is_type(struct parser *p, struct ctype *type)
{
	struct type_name name;

	expr_lex(p->c, p->slot);
	p->t = p->slot->tokens;
	if (p->c->err || p->t->kind != TOKEN_NAME)
		return false;
	name = parse_type(p);
	if (!p->c->err && p->t->kind == TOKEN_END)
		*type = resolve_type_name(p->c, &name);
	return !p->c->err && p->t->kind == TOKEN_END;
}

/* A type unknown to BTF becomes an integer of the parameter's size. */
static struct ctype text_type(struct compile *c, const struct expr_param *param)
{
	struct ctype type = ctype_int(param->size <= 8 ? param->size : 8, param->is_signed);
	struct slot text = { .text = param->type }, *slot = c->slot;
	struct parser p = { .c = c, .slot = &text };
	struct expr_error error = *c->error;
	bool found;

	if (c->err || !param->type)
		return type;
	c->slot = &text;
	found = text_is_type(&p, &type);
	c->slot = slot;
	if (found || c->err != -EINVAL)
		return type;
	c->err = 0;
	*c->error = error;
	return ctype_int(param->size <= 8 ? param->size : 8, param->is_signed);
}

/* True for long or a typedef of it; long long (loff_t) has 8 bytes everywhere. */
static bool is_long(struct compile *c, struct ctype type)
{
	const struct btf_type *t = btf_view_type(c->in->btf, btf_view_strip(c->in->btf, type.id));

	return ctype_is_integer(c->in->btf, type) && ctype_size(c->in->btf, type) == 8 &&
	       !(t && strstr(btf_view_string(c->in->btf, t->name_off), "long long"));
}

/* The type in a 32-bit program: longs have 4 bytes, and so do pointers in memory. */
static struct ctype compat_type(struct compile *c, struct ctype type)
{
	struct ctype target;

	if (!ctype_is_pointer(c->in->btf, type))
		return ctype_size(c->in->btf, type) == 8 ?
			       ctype_int(4, ctype_is_signed(c->in->btf, type)) :
			       type;
	target = ctype_target(c->in->btf, type);
	if (ctype_is_pointer(c->in->btf, target))
		target = ctype_int(4, false);
	else if (is_long(c, target))
		target = ctype_int(4, ctype_is_signed(c->in->btf, target));
	else
		return type;
	type = ctype_pointer_to(target);
	type.user = true;
	return type;
}

static struct ctype field_type(struct compile *c, const struct expr_param *param)
{
	struct ctype type = text_type(c, param);
	bool is_pointer = ctype_is_pointer(c->in->btf, type);

	if (param->is_array)
		return ctype_pointer_to(type);
	if (is_pointer && param->is_user)
		type.user = true;
	if (param->where == EXPR_PARAM_CALL && (is_pointer || ctype_is_integer(c->in->btf, type)))
		/* a word has room for any of them */
		return param->size == 4 ? compat_type(c, type) : type;
	/* a struct inside a record, or a typedef with another size than the field */
	if (!is_pointer &&
	    (!ctype_is_integer(c->in->btf, type) || ctype_size(c->in->btf, type) != param->size))
		type = ctype_int(is_load_size(param->size) ? param->size : 8, param->is_signed);
	return type;
}

static struct ctype param_type(struct compile *c, unsigned i)
{
	if (c->in->site.params && c->in->site.params[i].id)
		return ctype_of(c->in->site.params[i].id);
	if (c->in->site.params)
		return field_type(c, &c->in->site.params[i]);
	return ctype_of(prototype_param(c, i)->type);
}

/* ---- resolve ---- */

bool param_is_showable(struct compile *c, unsigned i)
{
	uint32_t id;

	if (c->in->site.params)
		return !c->in->site.params[i].is_hidden ||
		       (c->in->site.params[i].where == EXPR_PARAM_WORDS &&
			text_type_is(c, ctype_of(c->in->site.params[i].id)));
	id = prototype_param(c, i)->type;
	switch (btf_view_kind(c->in->btf, btf_view_strip(c->in->btf, id))) {
	case BTF_KIND_INT: return btf_view_size(c->in->btf, id) <= 8;
	case BTF_KIND_PTR:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64: return true;
	default: /* a struct by value, a float */ return false;
	}
}

bool param_is_register(struct compile *c, unsigned i)
{
	return c->in->site.params && c->in->site.params[i].where == EXPR_PARAM_REGISTER;
}

int param_find(struct compile *c, struct span span)
{
	size_t len = span.end - span.start;

	for (unsigned i = 0; i < param_count(c); i++) {
		const char *name = param_name(c, i);

		if (strlen(name) == len && !memcmp(name, c->slot->text + span.start, len))
			return i;
	}
	return -1;
}

int param_of_type(struct compile *c, const char *text)
{
	struct param_type type;

	if (c->in->site.params || param_type_parse(text, &type))
		return -1;
	for (unsigned i = 0; i < param_count(c); i++)
		if (param_type_is(c->in->btf, prototype_param(c, i)->type, &type))
			return i;
	return -1;
}

bool name_is_param(struct compile *c, struct span name)
{
	return param_find(c, name) >= 0;
}

unsigned param_array_size(const struct compile *c, const struct node *n)
{
	const struct expr_param *p = is_param(n) && c->in->site.params ?
					     &c->in->site.params[n->param] :
					     NULL;

	return p && p->is_array && p->where == EXPR_PARAM_FIELD ? p->size : 0;
}

static void param_inner(struct compile *c, struct node *n, const struct expr_param *param)
{
	if (!param->inner) {
		compile_fail(c, n->span, "%s %s it where it cannot be read: %s", c->p->func,
			     c->in->site.in_body ? "has" : "receives", param->type);
		return;
	}
	n->child = parse_inner(c, param->inner);
	n->category = CATEGORY_RVALUE;
}

void resolve_param(struct compile *c, struct node *n, unsigned i)
{
	const struct expr_param *own = c->in->site.params ? &c->in->site.params[i] : NULL;

	n->param = i;
	if (own && (own->where == EXPR_PARAM_VALUE || own->where == EXPR_PARAM_MEMORY ||
		    own->where == EXPR_PARAM_WORDS)) {
		resolve_user_param(c, n, own);
		return;
	}
	if (c->in->site.params && c->in->site.params[i].where == EXPR_PARAM_INNER) {
		param_inner(c, n, &c->in->site.params[i]);
		return;
	}
	n->type = param_type(c, i);
	n->category = CATEGORY_RVALUE;
	if (!c->err &&
	    (ctype_is_composite(c->in->btf, n->type) || ctype_is_array(c->in->btf, n->type)))
		compile_fail(c, n->span, "parameter %s is a struct passed by value",
			     param_name(c, i));
}
