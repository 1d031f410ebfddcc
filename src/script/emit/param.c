/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * param.c - emits loads of parameters, the result and registers from the context of the probe's kind.
 *
 * Parameters are located by a prototype and the calling convention, or as the input lists them (struct expr_param).
 */
#include "expr/ctype.h"
#include "expr/lower/lower.h"
#include "script/emit/gen.h"

static void context_load(struct sgen *g, uint32_t size, int off)
{
	emit_load(g->k, size, BPF_REG_0, context_reg(g, BPF_REG_0), off);
}

static const struct expr_param *param_listed(const struct sgen *g, unsigned param)
{
	return g->in->site.params && param < g->in->site.param_count ? &g->in->site.params[param] :
								       NULL;
}

/* ---- parameters of a prototype ---- */

static uint32_t type_of(struct sgen *g, unsigned param)
{
	const struct btf_type *proto = compile_prototype(&g->xc);

	param += g->in->site.params_skipped;
	return proto && param < btf_vlen(proto) ? btf_params(proto)[param].type : 0;
}

bool param_is_known(struct sgen *g, const struct script_expr *e, uint32_t *pointee)
{
	const struct expr_param *listed;
	uint32_t type;

	*pointee = 0;
	if (g->target->method != EXPR_CTX_FENTRY)
		return false;
	if ((e->kind == X_WORD || e->kind == X_CALL) && e->func == FUNC_CURTASK) {
		*pointee = g->target->current_task_btf && g->target->typed_loads ?
				   g->target->task_struct_id :
				   0;
		return g->target->current_task_btf;
	}
	if ((e->kind == X_WORD || e->kind == X_CALL) && e->func == FUNC_RETVAL) {
		const struct btf_type *proto = compile_prototype(&g->xc);

		return proto && typed_argument(g->in->btf, g->target, proto->type, pointee);
	}
	if (e->kind != X_FIELD || !e->a->type.by_arg)
		return false;
	listed = param_listed(g, e->param);
	type = listed ? 0 : type_of(g, e->param);
	return type && typed_argument(g->in->btf, g->target, type, pointee);
}

/* Uses a helper: the context may hold a value that a load cannot fetch. */
static void argument_by_helper(struct sgen *g, unsigned slot, bool is_result)
{
	struct mark m = frame_mark(g);
	struct place to = place_alloc_small(g, 8);
	bool has_helper = g->target->func_arg;

	place_zero(g, to, 8);
	if (has_helper && is_result) {
		emit_move(g->k, BPF_REG_1, context_reg(g, BPF_REG_1));
		place_address(g, BPF_REG_2, to);
		emit_call(g->k, HELPER_FUNC_RET);
	} else if (has_helper) {
		emit_move(g->k, BPF_REG_1, context_reg(g, BPF_REG_1));
		emit_move_imm(g->k, BPF_REG_2, slot);
		place_address(g, BPF_REG_3, to);
		emit_call(g->k, HELPER_FUNC_ARG);
	} else {
		emit_address(g->k, BPF_REG_3, context_reg(g, BPF_REG_3), 8 * slot);
		read_gen(g, to, 8, false);
	}
	place_load(g, 8, BPF_REG_0, to);
	frame_drop(g, m);
}

static void argument_gen(struct sgen *g, unsigned slot, uint32_t type, bool is_result)
{
	uint32_t pointee;

	if (g->target->method == EXPR_CTX_FENTRY &&
	    typed_argument(g->in->btf, g->target, type, &pointee))
		context_load(g, 8, 8 * slot);
	else
		argument_by_helper(g, slot, is_result);
}

static void stack_word(struct sgen *g, int off, bool is_user)
{
	struct mark m = frame_mark(g);
	struct place to = place_alloc_small(g, 8);

	context_load(g, 8, arch_offset(target_arch(g->target)->sp));
	emit_address(g->k, BPF_REG_3, BPF_REG_0, off);
	read_gen(g, to, 8, is_user);
	place_load(g, 8, BPF_REG_0, to);
	frame_drop(g, m);
}

/* Loads an argument as a number, also if the verifier treats it as a pointer. */
static void argument_as_number(struct sgen *g, unsigned number)
{
	argument_gen(g, argument_slot(&g->xc, number), type_of(g, number), false);
	emit_negate(g->k, BPF_REG_0);
	emit_negate(g->k, BPF_REG_0);
}

/* True if registers and stack are those of a return: others have used them since. Refuses then. */
static bool is_at_return(struct sgen *g, const struct script_expr *e)
{
	if (g->target->method != EXPR_CTX_KPROBE || g->in->scope != EXPR_SCOPE_RETURN)
		return false;
	script_refuse(g->c, e->span,
		      "parameters are not known at a return: their registers have been reused");
	return true;
}

/* Loads argument `number` from the registers in order, for a function without a prototype. */
static void argument_by_number(struct sgen *g, const struct script_expr *e, unsigned number)
{
	const struct arch *arch = target_arch(g->target);

	if (g->target->method != EXPR_CTX_KPROBE)
		argument_as_number(g, number);
	else if (is_at_return(g, e))
		return;
	else if (number < arch->argument_count)
		context_load(g, 8, arch_offset(arch->arguments[number]));
	else
		stack_word(g, arch->stack_arguments + 8 * (number - arch->argument_count),
			   g->in->site.in_user);
}

/* Locates an argument of a kprobe; false: it cannot be read. */
static bool argument_locate(struct sgen *g, const struct script_expr *e,
			    struct argument_location *at)
{
	if (is_at_return(g, e))
		return false;
	*at = argument_location(&g->xc, e->param);
	if (at->is_unknown)
		script_refuse(g->c, e->span, "the registers that pass parameter %u are not known",
			      e->param + 1);
	else if (at->is_split)
		script_refuse(g->c, e->span,
			      "parameter %u is half in a register, half on the stack",
			      e->param + 1);
	return !at->is_unknown && !at->is_split;
}

static void prototype_gen(struct sgen *g, struct script_expr *e)
{
	struct argument_location at;

	if (g->target->method != EXPR_CTX_KPROBE)
		argument_gen(g, argument_slot(&g->xc, e->param), type_of(g, e->param), false);
	else if (argument_locate(g, e, &at) && at.is_stack)
		stack_word(g, at.at, g->in->site.in_user);
	else if (!g->c->err)
		context_load(g, 8, arch_offset(target_arch(g->target)->arguments[at.at]));
}

/* Locates a value of several words: in memory, or a copy of the words of registers. */
static void words_locate(struct sgen *g, struct script_expr *e, struct source *source)
{
	const struct arch *arch = target_arch(g->target);
	struct argument_location at = { .at = argument_slot(&g->xc, e->param) };
	bool by_register = g->target->method == EXPR_CTX_KPROBE;

	if (by_register && !argument_locate(g, e, &at))
		return;
	*source = (struct source){ .is_user = g->in->site.in_user };
	if (e->type.size > 16 && arch->copies_structs) {
		prototype_gen(g, e); /* its address */
		return;
	}
	if (at.is_stack) {
		context_load(g, 8, arch_offset(arch->sp));
		source->off = at.at;
		return;
	}
	*source = (struct source){ .kind = FROM_PLACE };
	source->place = place_alloc(g, (e->type.size + 7) & ~7u);
	for (unsigned i = 0; i < (e->type.size + 7) / 8; i++) {
		context_load(g, 8,
			     by_register ? arch_offset(arch->arguments[at.at + i]) :
					   (int)(8 * (at.at + i)));
		place_store(g, 8, place_plus(source->place, 8 * i), BPF_REG_0);
	}
}

/* ---- parameters that the input lists ---- */

/* Half of the word is the offset in the record. */
static void data_loc_gen(struct sgen *g, const struct expr_param *p)
{
	context_load(g, 4, p->offset);
	emit_alu_imm(g->k, BPF_AND, BPF_REG_0, 0xffff);
	emit_move(g->k, BPF_REG_1, context_reg(g, BPF_REG_1));
	emit_negate(g->k, BPF_REG_1);
	emit_negate(g->k, BPF_REG_1);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
}

static void context_address(struct sgen *g, int off)
{
	struct source at = { .kind = FROM_CONTEXT, .off = off };

	address_gen(g, &at);
}

/* `size` bytes at `off` in the struct pt_regs at r0 */
static void registers_load(struct sgen *g, uint32_t size, int off)
{
	struct mark m = frame_mark(g);
	struct place to;

	if (g->target->method == EXPR_CTX_FENTRY && g->target->typed_loads) {
		emit_load(g->k, size, BPF_REG_0, BPF_REG_0, off);
		return;
	}
	to = place_alloc_small(g, 8);
	emit_address(g->k, BPF_REG_3, BPF_REG_0, off);
	read_gen(g, to, size, false);
	place_load(g, size, BPF_REG_0, to);
	frame_drop(g, m);
}

static void first_argument(struct sgen *g)
{
	if (g->target->method == EXPR_CTX_KPROBE)
		context_load(g, 8, arch_offset(target_arch(g->target)->arguments[0]));
	else
		context_load(g, 8, 0);
}

/* Reads from the caller's registers, the only argument of a system call's function. */
static void call_register(struct sgen *g, const struct expr_param *p)
{
	struct mark m = frame_mark(g);
	struct place low;

	first_argument(g);
	registers_load(g, p->high ? 4 : p->size, p->offset);
	if (p->high) {
		low = spill(g, BPF_REG_0);
		first_argument(g);
		registers_load(g, 4, p->high);
		emit_alu_imm(g->k, BPF_LSH, BPF_REG_0, 32);
		place_load(g, 8, BPF_REG_1, low);
		emit_alu(g->k, BPF_OR, BPF_REG_0, BPF_REG_1);
	}
	frame_drop(g, m);
}

static bool is_overwritten(const struct sgen *g, const struct expr_param *p)
{
	return g->in->scope == EXPR_SCOPE_RETURN &&
	       (p->where == EXPR_PARAM_REGISTER ||
		(p->where == EXPR_PARAM_CALL && g->target->method == EXPR_CTX_KPROBE));
}

static void listed_gen(struct sgen *g, struct script_expr *e, const struct expr_param *p)
{
	if (is_overwritten(g, p)) {
		script_refuse(g->c, e->span, "parameters are not known at the return");
		return;
	}
	switch (p->where) {
	case EXPR_PARAM_FIELD:
		if (p->is_array)
			context_address(g, p->offset);
		else
			context_load(g, is_load_size(p->size) ? p->size : 8, p->offset);
		break;
	case EXPR_PARAM_DATA_LOC: data_loc_gen(g, p); break;
	case EXPR_PARAM_REGISTER: argument_by_number(g, e, p->offset); break;
	case EXPR_PARAM_CALL: call_register(g, p); break;
	default: inner_gen(g, e, p); break;
	}
}

/* ---- values ---- */

void param_gen(struct sgen *g, struct script_expr *e)
{
	const struct expr_param *listed = param_listed(g, e->param);

	if (listed)
		listed_gen(g, e, listed);
	else
		prototype_gen(g, e);
	if (script_is_scalar(&e->type) && e->type.kind != SCRIPT_POINTER)
		extend_gen(g, BPF_REG_0, e->type.size, e->type.is_signed);
}

bool param_source_gen(struct sgen *g, struct script_expr *e, struct source *at)
{
	const struct expr_param *p = param_listed(g, e->param);

	if (!p && e->type.kind != SCRIPT_RECORD)
		return false;
	if (!p) {
		words_locate(g, e, at);
		return true;
	}
	if (p->where == EXPR_PARAM_DATA_LOC) {
		*at = (struct source){ .kind = FROM_MEMORY };
		data_loc_gen(g, p);
		return true;
	}
	if (p->where != EXPR_PARAM_FIELD)
		return false;
	*at = (struct source){ .kind = FROM_CONTEXT, .off = p->offset };
	return true;
}

void arg_gen(struct sgen *g, struct script_expr *e)
{
	const struct expr_param *listed = param_listed(g, e->param);

	if (listed && listed->where != EXPR_PARAM_CALL)
		listed_gen(g, e, listed);
	else
		argument_by_number(g, e, e->param);
}

void sarg_gen(struct sgen *g, struct script_expr *e)
{
	if (g->target->method != EXPR_CTX_KPROBE)
		script_refuse(g->c, e->span,
			      "only kprobes and uprobes can read arguments on the stack");
	else if (!is_at_return(g, e))
		stack_word(g, target_arch(g->target)->stack_arguments + 8 * e->param,
			   g->in->site.in_user);
}

void retval_gen(struct sgen *g, struct script_expr *e)
{
	const struct btf_type *proto = compile_prototype(&g->xc);

	if (g->target->method == EXPR_CTX_KPROBE) {
		context_load(g, 8, arch_offset(target_arch(g->target)->result));
	} else if (g->target->method == EXPR_CTX_FENTRY && proto) {
		argument_gen(g, result_slot(&g->xc), proto->type, true);
	} else if (g->target->func_arg) {
		argument_by_helper(g, 0, true);
	} else {
		script_refuse(g->c, e->span, "the result is not available here");
	}
	if (script_is_scalar(&e->type) && e->type.kind != SCRIPT_POINTER)
		extend_gen(g, BPF_REG_0, e->type.size, e->type.is_signed);
}

void reg_gen(struct sgen *g, struct script_expr *e)
{
	if (g->target->method != EXPR_CTX_KPROBE)
		script_refuse(g->c, e->span, "only kprobes and uprobes can read registers");
	else
		context_load(g, 8, e->value);
}
