// SPDX-License-Identifier: GPL-2.0
/*
 * param.c - the parameters that an expression may name: those of a BTF prototype, or fields that the
 * input lists (expr_param): of an event's record, of a system call's registers, of a user function.
 *
 * Part of resolve; plan_param is its half of plan.
 */
#include <stdio.h>
#include <string.h>

#include "expr/parser.h"
#include "expr/plan.h"

static const struct btf_type *prototype(const struct compile *c)
{
	return btf_view_type(c->in->btf, c->p->proto);
}

unsigned param_count(const struct compile *c)
{
	unsigned count;

	if (c->in->params)
		return c->in->param_count;
	count = btf_vlen(prototype(c));
	/* the last one of a variadic function has type 0 */
	if (count && !btf_params(prototype(c))[count - 1].type)
		count--;
	return count > c->in->params_skipped ? count - c->in->params_skipped : 0;
}

static const struct btf_param *prototype_param(const struct compile *c, unsigned i)
{
	return &btf_params(prototype(c))[i + c->in->params_skipped];
}

const char *param_name(const struct compile *c, unsigned i)
{
	if (c->in->params)
		return c->in->params[i].name;
	return btf_view_string(c->in->btf, prototype_param(c, i)->name_off);
}

/* ---- a type as the kernel writes it in a text: "const char *" ---- */

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

/* What BTF does not know is an integer of the size that is said beside it. */
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

static bool is_size(uint64_t size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* long, and what is one by another name; long long (loff_t) has 8 bytes everywhere. */
static bool is_long(struct compile *c, struct ctype type)
{
	const struct btf_type *t = btf_view_type(c->in->btf, btf_view_strip(c->in->btf, type.id));

	return ctype_is_integer(c->in->btf, type) && ctype_size(c->in->btf, type) == 8 &&
	       !(t && strstr(btf_view_string(c->in->btf, t->name_off), "long long"));
}

/* What a 32-bit program means by it: longs have 4 bytes, and so have pointers in memory. */
static struct ctype compat_type(struct compile *c, struct ctype type)
{
	struct ctype target;

	if (!ctype_is_pointer(c->in->btf, type))
		return ctype_size(c->in->btf, type) == 8 ?
			       ctype_int(4, ctype_is_signed(c->in->btf, type)) : type;
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
		/* a word has room for all of them */
		return param->size == 4 ? compat_type(c, type) : type;
	/* a struct in the middle of a record, a typedef of another size than the field */
	if (!is_pointer && (!ctype_is_integer(c->in->btf, type) ||
	                    ctype_size(c->in->btf, type) != param->size))
		type = ctype_int(is_size(param->size) ? param->size : 8, param->is_signed);
	return type;
}

static struct ctype param_type(struct compile *c, unsigned i)
{
	if (c->in->params)
		return field_type(c, &c->in->params[i]);
	return ctype_of(prototype_param(c, i)->type);
}

/* ---- resolve ---- */

bool param_is_showable(struct compile *c, unsigned i)
{
	uint32_t id;

	if (c->in->params)
		return !c->in->params[i].is_hidden;
	id = prototype_param(c, i)->type;
	switch (btf_view_kind(c->in->btf, btf_view_strip(c->in->btf, id))) {
	case BTF_KIND_INT:
		return btf_view_size(c->in->btf, id) <= 8;
	case BTF_KIND_PTR:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return true;
	default: /* a struct by value, a float */
		return false;
	}
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

bool name_is_param(struct compile *c, struct span name)
{
	return param_find(c, name) >= 0;
}

void param_take(struct compile *c, struct node *n, unsigned i)
{
	n->param = i;
	n->type = param_type(c, i);
	n->place = PLACE_VALUE;
	if (!c->err && (ctype_is_composite(c->in->btf, n->type) || ctype_is_array(c->in->btf, n->type)))
		compile_fail(c, n->span, "parameter %s is a struct passed by value",
		             param_name(c, i));
}

/* ---- plan: fields that the input lists ---- */

static int plan_context(struct compile *c, enum plan_op op, int64_t off, uint32_t size)
{
	struct plan_value v = { .op = op, .base = -1, .other = -1, .imm = off, .size = size };

	return step_add(c, value_make(c, v), -1);
}

/* The record's address plus `by`, as a number. */
static int plan_record_address(struct compile *c, int by)
{
	int address = plan_context(c, PLAN_CONTEXT, 0, 0);
	struct plan_value v = { .op = PLAN_SCALAR, .base = address, .other = -1 };

	if (c->err)
		return -1;
	return plan_operation(c, OPER_ADD, step_add(c, value_make(c, v), -1), by,
	                      ctype_int(8, false));
}

/* A dynamic array: the low half of a word says where it begins in the record. */
static int plan_data_loc(struct compile *c, const struct expr_param *param)
{
	struct plan_value half = { .op = PLAN_BITS, .other = -1, .width = 16 };

	half.base = plan_context(c, PLAN_FIELD, param->offset, 4);
	return c->err ? -1 : plan_record_address(c, step_add(c, value_make(c, half), -1));
}

/* struct pt_regs of the caller, which a system call's function gets as its only argument. */
static int plan_call_register(struct compile *c, const struct node *n,
                              const struct expr_param *param)
{
	struct plan_value regs = { .op = PLAN_ARG, .base = -1, .other = -1 };
	struct place at = { .off = param->offset, .within = c->in->target.pt_regs_id,
		            .link = n->span };

	if (c->in->target.rung == EXPR_RUNG_FENTRY)
		regs.pointee = c->in->target.pt_regs_id;
	at.base = step_add(c, value_make(c, regs), -1);
	return place_read(c, PLAN_LOAD, &at, param->size, true);
}

/* At a return the registers hold other things. */
static bool is_gone(const struct compile *c, const struct expr_param *param)
{
	return c->in->scope == EXPR_SCOPE_RETURN &&
	       (param->where == EXPR_PARAM_REGISTER ||
	        (param->where == EXPR_PARAM_CALL && c->in->target.rung == EXPR_RUNG_KPROBE));
}

int plan_param(struct compile *c, const struct node *n)
{
	const struct expr_param *param = &c->in->params[n->param];

	if (is_gone(c, param)) {
		compile_refuse(c, n->span, "at the return no parameter is known: the registers had them");
		return -1;
	}
	switch (param->where) {
	case EXPR_PARAM_FIELD:
		if (param->is_array)
			return plan_record_address(c, plan_constant(c, param->offset));
		return plan_context(c, PLAN_FIELD, param->offset, is_size(param->size) ? param->size : 8);
	case EXPR_PARAM_DATA_LOC:
		return plan_data_loc(c, param);
	case EXPR_PARAM_REGISTER:
		if (c->in->target.rung == EXPR_RUNG_KPROBE)
			return plan_context(c, PLAN_REG, param->offset, 0);
		compile_refuse(c, n->span, "registers are seen by kprobes only");
		return -1;
	default:
		return plan_call_register(c, n, param);
	}
}
