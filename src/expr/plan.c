// SPDX-License-Identifier: GPL-2.0
/*
 * plan.c - nodes → values and the steps that compute them, and for each hop the way to read.
 *
 * A value is made once for all slots, so common prefixes become one chain; what two slots share
 * is kept on the stack by the first. It must not know registers, and not the record.
 */
#include "expr/plan.h"

/* ---- arguments ---- */

/* A kprobe's, which the registers had no room for. */
static int plan_stacked(struct compile *c, const struct node *n, unsigned off)
{
	struct plan_value sp = { .op = PLAN_REG, .base = -1, .other = -1,
		                 .imm = argument_stack_pointer(c) };
	struct place at = { .link = n->span, .off = off };

	at.base = step_add(c, value_make(c, sp), -1);
	return place_read(c, PLAN_LOAD, &at, 8, true);
}

static int plan_passed(struct compile *c, const struct node *n)
{
	struct argument_home home = argument_home(c, n->param);
	struct plan_value v = { .op = PLAN_ARG, .base = -1, .other = -1, .imm = home.at };

	return home.is_stack ? plan_stacked(c, n, home.at) : step_add(c, value_make(c, v), -1);
}

/* The return's registers have others. */
static int plan_saved(struct compile *c, const struct node *n)
{
	struct argument_home home = { .at = n->param }; /* of registers in their order */
	struct plan_value v = { .op = PLAN_ARG, .way = WAY_SAVED, .base = -1, .other = -1 };

	if (!c->in->params)
		home = argument_home(c, n->param);
	v.imm = home.at;
	if (home.is_stack) {
		compile_refuse(c, n->span, "parameter %u is on the stack, and gone at the return",
		               n->param + 1);
		return -1;
	}
	c->p->saved_args |= 1u << home.at;
	return step_add(c, value_make(c, v), -1);
}

void choose_argument_way(struct compile *c, struct plan_value *v, uint32_t type)
{
	const struct expr_target *t = &c->in->target;
	uint32_t pointee;

	if (typed_argument(c->in->btf, t, type, &pointee)) {
		v->way = WAY_DIRECT;
		v->pointee = pointee;
	} else {
		v->way = t->func_arg ? WAY_HELPER : WAY_PROBE;
	}
}

static int plan_argument(struct compile *c, const struct node *n)
{
	const struct expr_target *t = &c->in->target;
	struct plan_value v = { .op = PLAN_ARG, .base = -1, .other = -1 };

	if (t->rung == EXPR_RUNG_KPROBE && c->in->scope == EXPR_SCOPE_CALL && c->slot->at_return)
		return plan_saved(c, n);
	if (c->in->params)
		return plan_param(c, n);
	v.imm = argument_slot(c, n->param);
	if (t->rung == EXPR_RUNG_KPROBE && c->in->scope == EXPR_SCOPE_RETURN) {
		compile_refuse(c, n->span, "a kretprobe sees no parameters: the registers had them");
		return -1;
	}
	if (t->rung == EXPR_RUNG_KPROBE)
		return plan_passed(c, n);
	if (t->rung == EXPR_RUNG_FENTRY_MULTI)
		v.way = WAY_HELPER;
	else
		choose_argument_way(c, &v, n->type.id);
	return step_add(c, value_make(c, v), -1);
}

/* ---- built-ins ---- */

static bool has_registers(struct compile *c, const struct node *n)
{
	if (c->in->target.rung == EXPR_RUNG_KPROBE)
		return true;
	compile_refuse(c, n->span, "registers are seen by kprobes only");
	return false;
}

static int plan_register(struct compile *c, const struct node *n)
{
	struct plan_value v = { .op = PLAN_REG, .base = -1, .other = -1, .imm = n->reg };

	return has_registers(c, n) ? step_add(c, value_make(c, v), -1) : -1;
}

/*
 * The return address: on x86-64 it lies where the stack pointer points when the function begins. A
 * kretprobe's program is given it as the instruction pointer since 5.16, before that the trampoline
 * that it runs on; the next helper that came, with 5.17, tells.
 */
static int plan_caller(struct compile *c, const struct node *n)
{
	struct place at = { .base = plan_register(c, n), .link = n->span };
	bool is_return = c->in->scope == EXPR_SCOPE_RETURN;

	if (c->in->scope == EXPR_SCOPE_CALL && c->slot->at_return)
		compile_fail(c, n->span, "the caller is seen when the function begins");
	if (is_return && !c->in->target.func_arg) {
		compile_fail(c, n->span, "this kernel's return probes do not know the caller");
		compile_hint(c, "it is seen when the function begins, and by -k");
	}
	if (is_return || c->in->target.arch == EXPR_ARCH_ARM64)
		return at.base;
	return place_read(c, PLAN_LOAD, &at, 8, true);
}

static int plan_builtin(struct compile *c, const struct node *n)
{
	struct plan_value v = { .op = PLAN_BUILTIN, .base = -1, .other = -1,
		                .imm = n->builtin->id };

	if (n->builtin->id == BUILTIN_REG || n->builtin->id == BUILTIN_STACK)
		return plan_register(c, n);
	if (n->builtin->id == BUILTIN_CALLER)
		return plan_caller(c, n);
	if (n->builtin->id == BUILTIN_RET)
		return plan_ret(c, n);
	if (n->builtin->id == BUILTIN_CTX)
		return plan_value_of(c, n->child);
	if (n->builtin->id == BUILTIN_TASK && c->in->target.current_task_btf)
		v.pointee = c->in->target.task_struct_id;
	return step_add(c, value_make(c, v), -1);
}

/* ---- bitfields ---- */

static uint32_t bits_load_size(uint32_t bits)
{
	uint32_t size = 1;

	while (size * 8 < bits)
		size *= 2;
	return size;
}

/* The smallest load from the field's first byte on; where the struct ends too early for that, the
 * whole integer that the field is part of. */
static int plan_bits_load(struct compile *c, const struct node *n, struct place at, uint32_t *bit)
{
	uint32_t size, unit = ctype_size(c->in->btf, n->type) * 8;

	*bit = n->bit_offset % 8;
	size = bits_load_size(*bit + n->bit_size);
	if (at.within && !typed_bytes(c->in->btf, at.within, at.off, size) && unit && unit <= 64 &&
	    n->bit_offset % unit + n->bit_size <= unit) {
		at.off -= n->bit_offset % unit / 8;
		*bit = n->bit_offset % unit;
		size = unit / 8;
	}
	return place_read(c, PLAN_LOAD, &at, size, true);
}

static int plan_bits(struct compile *c, const struct node *n)
{
	const struct btf_type *t =
		btf_view_type(c->in->btf, btf_view_strip(c->in->btf, n->type.id));
	struct plan_value v = { .op = PLAN_BITS, .other = -1, .width = n->bit_size };
	uint32_t bit = 0;

	v.base = plan_bits_load(c, n, place_of(c, n), &bit);
	v.imm = bit;
	v.sign = t && btf_kind(t) == BTF_KIND_INT &&
	         BTF_INT_ENCODING(btf_int_info(t)) & BTF_INT_SIGNED;
	return c->err ? -1 : step_add(c, value_make(c, v), -1);
}

/* ---- values of nodes ---- */

/* ptr less the member's offset; NULL stays what it is. */
static int plan_container(struct compile *c, const struct node *n)
{
	struct place at = { .base = plan_value_of(c, n->child), .link = n->child->span };

	at.off = -(int64_t)(n->bit_offset / 8);
	return place_address(c, &at);
}

/* What lies in memory. */
static int plan_memory(struct compile *c, const struct node *n)
{
	struct place at;

	if (n->bit_size)
		return plan_bits(c, n);
	at = place_of(c, n);
	if (ctype_is_array(c->in->btf, n->type))
		return place_address(c, &at);
	return place_read(c, PLAN_LOAD, &at, ctype_size(c->in->btf, n->type), false);
}

int plan_value_of(struct compile *c, const struct node *n)
{
	struct place at;

	if (c->err)
		return -1;
	switch (n->kind) {
	case NODE_NAME:
		return plan_argument(c, n);
	case NODE_BUILTIN:
		return n->builtin ? plan_builtin(c, n) : plan_argument(c, n);
	case NODE_NUMBER:
		return plan_constant(c, n->number);
	case NODE_ADDRESS:
		at = place_of(c, n->child);
		return place_address(c, &at);
	case NODE_UNARY:
		return plan_unary(c, n);
	case NODE_BINARY:
		return plan_binary(c, n);
	case NODE_AND:
	case NODE_OR:
		return plan_logical(c, n);
	case NODE_CHOICE:
		return plan_choice(c, n);
	case NODE_CAST:
		return plan_cast(c, n);
	case NODE_CONTAINER:
		return plan_container(c, n);
	default:
		return plan_memory(c, n);
	}
}

void expr_plan(struct compile *c, struct slot *s)
{
	struct place at;

	s->sink_link = s->result = -1;
	if (s->parent && !s->diff)
		s->at_return = s->parent->at_return;
	if (s->sink == SINK_HEADER || s->sink == SINK_TEXT)
		return;
	if (s->sink == SINK_BYTES) {
		at = s->behind ? place_behind(c, s->root) : place_of(c, s->root);
		place_read(c, PLAN_BYTES, &at, s->size, false);
		return;
	}
	if (s->sink == SINK_PATH) {
		path_plan(c, s);
		return;
	}
	if (s->sink == SINK_FILTER) {
		plan_condition(c, s->root);
		return;
	}
	if (s->diff == DIFF_PLACE)
		s->result = diff_plan_place(c, s);
	else if (s->diff == DIFF_AFTER && s->sink == SINK_STRING)
		s->result = diff_place(c, s).base;
	else
		s->result = slot_is_measured(c->p, s) ? plan_number_of(c, s->root)
		                                      : plan_value_of(c, s->root);
	if (c->err)
		return;
	c->p->plan.values[s->result].users++;
	if (s->sink == SINK_STRING)
		s->sink_link = link_add(c, s->root->span);
}
