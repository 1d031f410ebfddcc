/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * func_value.c - builtins about the probe, and values that user space gives names.
 */
#include <stddef.h>
#include <string.h>

#include "script/emit/func.h"

/* ---- the probe ---- */

void point_gen(struct sgen *g, int dst)
{
	const struct expr_input *in = g->in;

	if (in->point >= 0 || !in->run.points) {
		bool is_listed = in->point >= 0 && in->run.points;

		emit_move_imm(g->k, dst, is_listed ? in->point : (int)in->points_first);
		return;
	}
	emit_move(g->k, BPF_REG_1, context_reg(g, BPF_REG_1));
	emit_call(g->k, HELPER_ATTACH_COOKIE);
	emit_move32(g->k, dst, BPF_REG_0); /* removes the number of the program */
}

void point_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		 struct place to, bool is_key)
{
	(void)e;
	(void)want;
	(void)is_key;
	point_gen(g, BPF_REG_0);
	place_store(g, 4, to, BPF_REG_0);
}

/* The text of a point, for comparisons that are decided here. */
static const char *point_text(const struct sgen *g, const struct script_expr *e, unsigned point)
{
	const struct script_names *names = g->c->point->names;

	if (!names || point >= names->count)
		return "";
	return e->type.is_func ? names->all[point].func : names->all[point].probe;
}

void point_compare(struct sgen *g, struct script_expr *a, struct script_expr *b, int other)
{
	unsigned first = g->in->points_first, count = g->in->points_count ?: 1;
	int equal = label_new(g->k);

	if (!b->is_constant) {
		script_later(g->c, b->span, "a comparison with a text that is known at run time");
		return;
	}
	point_gen(g, BPF_REG_0);
	for (unsigned i = first; i < first + count; i++)
		if (!strcmp(point_text(g, a, i), b->bytes))
			emit_jump(g->k, BPF_JEQ, BPF_REG_0, i, equal);
	emit_goto(g->k, other);
	label_bind(g->k, equal);
}

void ctx_gen(struct sgen *g, struct script_expr *e)
{
	(void)e;
	emit_move(g->k, BPF_REG_0, context_reg(g, BPF_REG_0));
}

static bool is_function(const struct sgen *g)
{
	return g->in->func_id || g->in->params;
}

void usermode_gen(struct sgen *g, struct script_expr *e)
{
	const struct arch *arch = target_arch(g->target);
	int is_user = label_new(g->k);

	if (g->target->method != EXPR_CTX_KPROBE && !is_function(g)) {
		emit_move_imm(g->k, BPF_REG_0, 1); /* of coretap itself */
		return;
	}
	if (g->target->method != EXPR_CTX_KPROBE) {
		script_refuse(g->c, e->span,
			      "only probes with registers know the mode of the processor");
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

/* ---- values that user space names ---- */

/* ksym(), strerror(), syscall_name(): the number itself */
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
