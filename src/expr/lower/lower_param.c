/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_param.c - parameters listed in the input, and the return value → values.
 */
#include "expr/lower/lower.h"

#include "expr/ctype.h"

static int plan_context(struct compile *c, enum vreg_op op, int64_t off, uint32_t size)
{
	struct vreg v = { .op = op, .base = -1, .other = -1, .imm = off, .size = size };

	return ir_add(c, value_make(c, v), -1);
}

/* The address of the record plus `by`, as a number. */
static int plan_record_address(struct compile *c, int by)
{
	int address = plan_context(c, VREG_CONTEXT, 0, 0);
	struct vreg v = { .op = VREG_SCALAR, .base = address, .other = -1 };

	if (c->err)
		return -1;
	return plan_operation(c, OPER_ADD, ir_add(c, value_make(c, v), -1), by,
			      ctype_int(8, false));
}

/* A dynamic array: the low half of a word is its offset in the record. */
static int plan_data_loc(struct compile *c, const struct expr_param *param)
{
	struct vreg half = { .op = VREG_BITS, .other = -1, .width = 16 };

	half.base = plan_context(c, VREG_FIELD, param->offset, 4);
	return c->err ? -1 : plan_record_address(c, ir_add(c, value_make(c, half), -1));
}

/* In the caller's struct pt_regs, which the function of a system call gets as its only argument. */
static int plan_call_register(struct compile *c, const struct node *n,
			      const struct expr_param *param)
{
	struct vreg regs = { .op = VREG_ARG, .base = -1, .other = -1 };
	struct place at = { .off = param->offset,
			    .within = c->in->target.pt_regs_id,
			    .link = n->span };
	int low, high;

	if (c->in->target.method == EXPR_CTX_FENTRY) {
		regs.pointee = c->in->target.pt_regs_id;
	} else if (c->slot->at_return) { /* the argument's register holds something else by then */
		regs.way = LOAD_SAVED;
		c->p->saved_args |= 1;
	}
	at.base = ir_add(c, value_make(c, regs), -1);
	if (!param->high)
		return place_read(c, VREG_LOAD, &at, param->size, true);
	low = place_read(c, VREG_LOAD, &at, 4, true);
	at.off = param->high;
	high = place_read(c, VREG_LOAD, &at, 4, true);
	high = plan_operation(c, OPER_SHL, high, plan_constant(c, 32), ctype_int(8, false));
	return plan_operation(c, OPER_OR, low, high, ctype_int(8, false));
}

/* At a return the registers hold other values. */
static bool is_gone(const struct compile *c, const struct expr_param *param)
{
	return c->in->scope == EXPR_SCOPE_RETURN &&
	       (param->where == EXPR_PARAM_REGISTER ||
		(param->where == EXPR_PARAM_CALL && c->in->target.method == EXPR_CTX_KPROBE));
}

int plan_param(struct compile *c, const struct node *n)
{
	const struct expr_param *param = &c->in->params[n->param];

	if (is_gone(c, param)) {
		compile_refuse(c, n->span,
			       "at the return no parameter is known: the registers had them");
		return -1;
	}
	switch (param->where) {
	case EXPR_PARAM_FIELD:
		if (param->is_array)
			return plan_record_address(c, plan_constant(c, param->offset));
		return plan_context(c, VREG_FIELD, param->offset,
				    is_load_size(param->size) ? param->size : 8);
	case EXPR_PARAM_INNER: return plan_value_of(c, n->child);
	case EXPR_PARAM_DATA_LOC: return plan_data_loc(c, param);
	case EXPR_PARAM_REGISTER:
		if (c->in->target.method == EXPR_CTX_KPROBE)
			return plan_context(
				c, VREG_REG,
				arch_offset(target_arch(&c->in->target)->arguments[param->offset]),
				0);
		compile_refuse(c, n->span, "registers are seen by kprobes only");
		return -1;
	default: return plan_call_register(c, n, param);
	}
}

/* fexit has it after the last argument. */
int plan_ret(struct compile *c, const struct node *n)
{
	struct vreg v = { .op = VREG_RET, .base = -1, .other = -1 };
	const struct btf_type *prototype = btf_view_type(c->in->btf, c->p->proto);

	if (prototype)
		v.imm = argument_slot(c, btf_vlen(prototype));
	if (c->in->target.method == EXPR_CTX_KPROBE)
		v.way = LOAD_DIRECT;
	else if (c->in->target.method == EXPR_CTX_FENTRY_MULTI)
		v.way = LOAD_HELPER;
	else
		argument_load_mode(c, &v, n->type.id);
	return ir_add(c, value_make(c, v), -1);
}
