/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_value.c - emits builtins about the probe, and numbers that user space prints as names.
 */
#include <stddef.h>
#include <string.h>

#include "expr/lower/lower.h"
#include "script/emit/func.h"

/* ---- the probe ---- */

/* r0 = the address of the probed function */
static void function_ip(struct sgen *g)
{
	int context = context_reg(g, BPF_REG_1);

	if (context != BPF_REG_1)
		emit_move(g->k, BPF_REG_1, context);
	emit_call(g->k, HELPER_FUNC_IP);
}

/* r0 = the address of the function that contains the kprobe. */
static void func_address(struct sgen *g, const struct script_expr *e, struct place to)
{
	const struct expr_input *in = g->in;

	if (g->target->method == EXPR_CTX_KPROBE && in->scope != EXPR_SCOPE_RETURN &&
	    !in->site.in_user)
		emit_load(g->k, 8, BPF_REG_0, context_reg(g, BPF_REG_0),
			  arch_offset(target_arch(g->target)->ip));
	else if (in->site.on_function && g->target->func_arg)
		function_ip(g);
	else if (in->site.on_function && in->site.function)
		emit_imm64(g->k, BPF_REG_0, in->site.function);
	else
		script_unsupported(g->c, e->span, "func beside ksym() at this kind of probe");
	place_store(g, 8, to, BPF_REG_0);
}

void point_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		 struct place to, bool is_key)
{
	(void)is_key;
	if (want->kind == SCRIPT_KSYM) {
		func_address(g, e, to);
		return;
	}
	point_gen(g, BPF_REG_0);
	place_store(g, 4, to, BPF_REG_0);
}

void ctx_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_move(g->k, BPF_REG_0, context_reg(g, BPF_REG_0));
}

static bool is_function(const struct sgen *g)
{
	return g->in->site.func_id || g->in->site.params;
}

void irq_gen(struct sgen *g, struct script_expr *e)
{
	if (!gen_interrupt(&g->x))
		script_refuse(g->c, e->span,
			      "this kernel does not show whether it is in an interrupt");
}

void traced_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	g->needs.traced = true;
	emit_load(g->k, 8, BPF_REG_0, g->frame, FRAME_TRACED);
}

void usermode_gen(struct sgen *g, struct script_expr *e)
{
	const struct arch *arch = target_arch(g->target);
	int is_user = label_new(g->k);

	if (g->target->method != EXPR_CTX_KPROBE && !is_function(g)) {
		emit_move_imm(g->k, BPF_REG_0, 1); /* coretap's own process */
		return;
	}
	if (g->target->method != EXPR_CTX_KPROBE) {
		script_refuse(g->c, e->span,
			      "only probes with registers can read the mode of the processor");
		return;
	}
	emit_load(g->k, 8, BPF_REG_1, context_reg(g, BPF_REG_1), arch_offset(arch->mode));
	emit_imm64(g->k, BPF_REG_2, arch->user_mode.mask);
	emit_alu(g->k, BPF_AND, BPF_REG_1, BPF_REG_2);
	emit_imm64(g->k, BPF_REG_2, arch->user_mode.value);
	emit_move_imm(g->k, BPF_REG_0, 1);
	emit_jump_reg(g->k, BPF_JEQ, BPF_REG_1, BPF_REG_2, is_user);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, is_user);
}

/* ---- numbers that user space prints as names ---- */

/* ksym(), strerror(), syscall_name(): stores the number itself. */
void number_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		  struct place to, bool is_key)
{
	(void)is_key;
	number_gen(g, e->items[0]);
	place_store(g, want->size ?: 8, to, BPF_REG_0);
}

void usym_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		struct place to, bool is_key)
{
	(void)want;
	(void)is_key;
	number_gen(g, e->items[0]);
	place_store(g, 8, place_plus(to, offsetof(struct script_usym, address)), BPF_REG_0);
	id_gen(g, &(struct script_expr){ 0 }, false);
	place_store(g, 4, place_plus(to, offsetof(struct script_usym, tgid)), BPF_REG_0);
	point_gen(g, BPF_REG_0);
	place_store(g, 4, place_plus(to, offsetof(struct script_usym, point)), BPF_REG_0);
}

void strftime_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		    struct place to, bool is_key)
{
	(void)want;
	(void)is_key;
	number_gen(g, e->items[1]);
	place_store(g, 8, place_plus(to, offsetof(struct script_time, ns)), BPF_REG_0);
	place_store_imm(g, 4, place_plus(to, offsetof(struct script_time, format)), e->text);
	place_store_imm(g, 4, place_plus(to, offsetof(struct script_time, clock)), e->value);
}

void cgroup_path_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		       struct place to, bool is_key)
{
	(void)want;
	(void)is_key;
	number_gen(g, e->items[0]);
	place_store(g, 8, place_plus(to, offsetof(struct script_cgroup, id)), BPF_REG_0);
	place_store_imm(g, 4, place_plus(to, offsetof(struct script_cgroup, filter)), e->text);
	place_store_imm(g, 4, place_plus(to, offsetof(struct script_cgroup, pad)), 0);
}
