/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lower_param.c - parameters and the return value → values: by the calling convention, if there
 * is a prototype, or as listed in the input (expr_param).
 */
#include "expr/lower/lower.h"
#include "expr/ctype.h"

/*
 * ---- calling conventions (kernel/arch.h) ----
 *
 * As far as the kernel uses them: integers, pointers, structs by value; for functions of programs floats as well. A fentry
 * trampoline hides them: each parameter is as many u64 of the context as it needs, in order.
 */

enum { FLOAT_REGISTERS = 8, LEVELS_MOST = 8 }; /* of all processors; of structs in structs */

/* True if a value of the type is or contains a float, or may. */
static bool has_float(const struct btf_view *btf, uint32_t type, unsigned depth)
{
	const struct btf_type *t = btf_view_stripped(btf, type);

	if (!t || btf_kind(t) == BTF_KIND_FLOAT || depth == LEVELS_MOST)
		return t;
	if (btf_kind(t) == BTF_KIND_ARRAY)
		return has_float(btf, btf_array(t)->type, depth + 1);
	for (unsigned i = 0; btf_is_composite(t) && i < btf_vlen(t); i++)
		if (has_float(btf, btf_members(t)[i].type, depth + 1))
			return true;
	return false;
}

/* The room that a parameter needs. */
struct needs {
	unsigned words;
	bool in_memory;	 /* never in registers */
	bool even;	 /* starts at an even register or a multiple of 16 bytes */
	bool is_float;	 /* has registers of its own */
	bool is_unknown; /* in whichever registers */
};

/* The size of a parameter in bytes. No kernel passes more, but damaged BTF may claim so. */
static uint64_t type_size(const struct compile *c, uint32_t type)
{
	enum { MOST = 4096 };
	uint64_t size = btf_view_size(c->in->btf, type);

	return size < MOST ? size : MOST;
}

static struct needs needs_of(const struct compile *c, uint32_t type)
{
	const struct arch *arch = target_arch(&c->in->target);
	bool composite = ctype_is_composite(c->in->btf, ctype_of(type));
	uint64_t size = type_size(c, type);
	struct needs n = { .words = (size + 7) / 8 };

	n.even = arch->pairs_are_even && !composite && size == 16; /* __int128 */
	if (composite && size > 16 && arch->copies_structs)
		n.words = 1;
	else
		n.in_memory = composite && size > 16;
	n.is_unknown = n.in_memory &&
		       arch->splits; /* in registers, too, as far as there are some */
	if (c->in->site.in_user && size <= 16 && has_float(c->in->btf, type, 0)) {
		n.is_float = !composite && size <= 8;
		n.is_unknown = !n.is_float;
	}
	return n;
}

/* Parameters are assigned in order. A later one may still get a register, if one is left. */
static struct argument_location home_next(const struct arch *arch, const struct needs *n,
					  unsigned *reg, unsigned *stack)
{
	struct argument_location home = { .is_stack = true };

	if (n->even && *reg % 2)
		++*reg;
	if (!n->in_memory && *reg + n->words <= arch->argument_count) {
		home.is_stack = false;
		home.at = *reg;
		*reg += n->words;
		return home;
	}
	if (arch->splits && !n->in_memory && *reg < arch->argument_count) {
		home.is_split = true;
		*stack += 8 * (n->words - (arch->argument_count - *reg));
		*reg = arch->argument_count;
		return home;
	}
	if (arch->stack_is_for_all)
		*reg = arch->argument_count;
	if (n->even && *stack % 16)
		*stack += 8;
	home.at = arch->stack_arguments + *stack;
	*stack += 8 * n->words;
	return home;
}

struct argument_location argument_location(struct compile *c, unsigned param)
{
	const struct btf_param *params = btf_params(compile_prototype(c));
	unsigned reg = 0, stack = 0, floats = 0;
	struct argument_location home;
	bool is_unknown = false;
	unsigned i = 0;

	do {
		struct needs n = needs_of(c, params[i].type);

		is_unknown |= n.is_unknown;
		home = (struct argument_location){ .is_unknown = true };
		if (n.is_float && floats++ < FLOAT_REGISTERS)
			continue;
		n.in_memory |= n.is_float;
		home = home_next(target_arch(&c->in->target), &n, &reg, &stack);
	} while (i++ < param);
	home.is_unknown |= is_unknown;
	return home;
}

unsigned argument_slot(struct compile *c, unsigned param)
{
	const struct btf_type *prototype = compile_prototype(c);
	const struct btf_param *params;
	unsigned slot = 0;

	if (!prototype) /* of a module without types: by number, and the kernel decides */
		return param;
	params = btf_params(prototype) + c->in->site.params_skipped;
	for (unsigned i = 0; i < param; i++)
		slot += (type_size(c, params[i].type) + 7) / 8;
	return slot;
}

unsigned result_slot(struct compile *c)
{
	return c->in->site.result_slot ?: argument_slot(c, btf_vlen(compile_prototype(c)));
}

/* ---- parameters of the prototype ---- */

/* A kprobe's argument on the stack. */
static int plan_stacked(struct compile *c, const struct node *n, unsigned off)
{
	struct lvalue at = { .link = n->span, .off = off };

	at.base = ir_source(c, VREG_REG, arch_offset(target_arch(&c->in->target)->sp));
	return lvalue_load(c, VREG_LOAD, &at, 8, true);
}

static int plan_passed(struct compile *c, const struct node *n)
{
	struct argument_location home = argument_location(c, n->param);
	struct vreg v = { .op = VREG_ARG, .base = -1, .other = -1, .imm = home.at };

	if (home.is_split) {
		compile_refuse(c, n->span, "parameter %u is half in a register, half on the stack",
			       n->param + 1);
		return -1;
	}
	return home.is_stack ? plan_stacked(c, n, home.at) : ir_add(c, ir_value(c, v), -1);
}

/* At the return, registers have been overwritten: the entry saves them. */
static int plan_saved(struct compile *c, const struct node *n)
{
	struct argument_location home = { 0 };
	struct vreg v = { .op = VREG_ARG, .way = LOAD_SAVED, .base = -1, .other = -1 };

	if (c->in->site.params) /* the register of an argument */
		home.at = c->in->site.params[n->param].offset;
	else
		home = argument_location(c, n->param);
	v.imm = home.at;
	if (home.is_stack) {
		compile_refuse(c, n->span, "parameter %u is on the stack, and gone at the return",
			       n->param + 1);
		return -1;
	}
	c->p->calls.saved_args |= 1u << home.at;
	return ir_add(c, ir_value(c, v), -1);
}

/* Sets mode and pointee of a value in a trampoline's context: an argument or the return value. */
static void argument_load_mode(struct compile *c, struct vreg *v, uint32_t type)
{
	const struct expr_target *t = &c->in->target;
	uint32_t pointee;

	if (typed_argument(c->in->btf, t, type, &pointee)) {
		v->way = LOAD_DIRECT;
		v->pointee = pointee;
	} else {
		v->way = t->func_arg ? LOAD_HELPER : LOAD_PROBE;
	}
}

/* ---- parameters listed in the input ---- */

static int plan_context(struct compile *c, enum vreg_op op, int64_t off, uint32_t size)
{
	struct vreg v = { .op = op, .base = -1, .other = -1, .imm = off, .size = size };

	return ir_add(c, ir_value(c, v), -1);
}

/* The address of the record plus `by`, as a number. */
static int plan_record_address(struct compile *c, int by)
{
	int address = plan_context(c, VREG_CONTEXT, 0, 0);
	struct vreg v = { .op = VREG_SCALAR, .base = address, .other = -1 };

	if (c->err)
		return -1;
	return plan_operation(c, OPER_ADD, ir_add(c, ir_value(c, v), -1), by, ctype_int(8, false));
}

/* __data_loc: the low half of a word is the offset in the record. */
static int plan_data_loc(struct compile *c, const struct expr_param *param)
{
	struct vreg half = { .op = VREG_BITS, .other = -1, .width = 16 };

	half.base = plan_context(c, VREG_FIELD, param->offset, 4);
	return c->err ? -1 : plan_record_address(c, ir_add(c, ir_value(c, half), -1));
}

/* From the caller's struct pt_regs, the only argument of a system call's function. */
static int plan_call_register(struct compile *c, const struct node *n,
			      const struct expr_param *param)
{
	struct vreg regs = { .op = VREG_ARG, .base = -1, .other = -1 };
	struct lvalue at = { .off = param->offset,
			     .within = c->in->target.pt_regs_id,
			     .link = n->span };
	int low, high;

	if (c->in->target.method == EXPR_CTX_FENTRY) {
		regs.pointee = c->in->target.pt_regs_id;
	} else if (c->slot->at_return) { /* its register has been overwritten */
		regs.way = LOAD_SAVED;
		c->p->calls.saved_args |= 1;
	}
	at.base = ir_add(c, ir_value(c, regs), -1);
	if (!param->high)
		return lvalue_load(c, VREG_LOAD, &at, param->size, true);
	low = lvalue_load(c, VREG_LOAD, &at, 4, true);
	at.off = param->high;
	high = lvalue_load(c, VREG_LOAD, &at, 4, true);
	high = plan_operation(c, OPER_SHL, high, plan_constant(c, 32), ctype_int(8, false));
	return plan_operation(c, OPER_OR, low, high, ctype_int(8, false));
}

/* True at a return, where registers have been overwritten. */
static bool is_overwritten(const struct compile *c, const struct expr_param *param)
{
	return c->in->scope == EXPR_SCOPE_RETURN &&
	       (param->where == EXPR_PARAM_REGISTER ||
		(param->where == EXPR_PARAM_CALL && c->in->target.method == EXPR_CTX_KPROBE));
}

static int plan_param(struct compile *c, const struct node *n)
{
	const struct expr_param *param = &c->in->site.params[n->param];

	if (is_overwritten(c, param)) {
		compile_refuse(c, n->span,
			       "parameters are not known at the return: they were in registers");
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

int plan_argument(struct compile *c, const struct node *n)
{
	const struct expr_target *t = &c->in->target;
	struct vreg v = { .op = VREG_ARG, .base = -1, .other = -1 };

	if (c->in->site.params && c->in->site.params[n->param].where == EXPR_PARAM_CALL)
		return plan_param(c, n);
	if (t->method == EXPR_CTX_KPROBE && c->in->scope == EXPR_SCOPE_CALL && c->slot->at_return)
		return plan_saved(c, n);
	if (c->in->site.params)
		return plan_param(c, n);
	v.imm = argument_slot(c, n->param);
	if (t->method == EXPR_CTX_KPROBE && c->in->scope == EXPR_SCOPE_RETURN) {
		compile_refuse(c, n->span,
			       "a kretprobe sees no parameters: they were in registers");
		return -1;
	}
	if (t->method == EXPR_CTX_KPROBE)
		return plan_passed(c, n);
	if (t->method == EXPR_CTX_FENTRY_MULTI)
		v.way = LOAD_HELPER;
	else
		argument_load_mode(c, &v, n->type.id);
	return ir_add(c, ir_value(c, v), -1);
}

/* In fexit's context it follows the last argument. */
int plan_ret(struct compile *c, const struct node *n)
{
	struct vreg v = { .op = VREG_RET, .base = -1, .other = -1 };
	const struct btf_type *prototype = compile_prototype(c);

	if (prototype)
		v.imm = result_slot(c);
	if (c->in->target.method == EXPR_CTX_KPROBE)
		v.way = LOAD_DIRECT;
	else if (c->in->target.method == EXPR_CTX_FENTRY_MULTI)
		v.way = LOAD_HELPER;
	else
		argument_load_mode(c, &v, n->type.id);
	return ir_add(c, ir_value(c, v), -1);
}
