/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stmt.c - emits statements other than loops.
 */
#include "script/emit/gen.h"

/* ---- variables ---- */

void var_zero(struct sgen *g, struct script_var *v)
{
	struct place at = var_place(g, v);

	if (script_is_scalar(&v->type))
		place_store_imm(g, 8, at, 0);
	else if (v->type.kind == SCRIPT_STRING && v->type.size > SMALL)
		place_store_imm(g, 8, at, 0);
	else
		place_zero(g, at, (v->type.size + 7) & ~7u);
}

/* Uses a temporary: the new value may depend on the old one. */
static void assign_image(struct sgen *g, struct script_var *v, struct script_expr *e)
{
	bool is_key = v->type.kind != SCRIPT_STRING || v->type.size <= SMALL;
	struct place at = var_place(g, v), made;

	if (e->kind != X_TUPLE && e->kind != X_CHOICE && e->kind != X_BLOCK) {
		image_gen(g, e, &v->type, at, is_key);
		return;
	}
	made = place_alloc(g, v->type.size);
	image_gen(g, e, &v->type, made, is_key);
	place_copy(g, at, made, v->type.size);
}

void var_store(struct sgen *g, struct script_var *v, struct script_expr *e)
{
	struct mark m = frame_mark(g);

	if (!script_is_scalar(&v->type)) {
		assign_image(g, v, e);
	} else if (fits_imm(e)) {
		place_store_imm(g, 8, var_place(g, v), e->value);
	} else {
		number_to_store(g, e);
		place_store(g, 8, var_place(g, v), BPF_REG_0);
	}
	frame_drop(g, m);
}

static void var_change(struct sgen *g, struct script_var *v, enum oper oper, struct script_expr *e)
{
	bool is_pointer = v->type.kind == SCRIPT_POINTER;

	if (!is_pointer && is_plain_constant(e, oper)) {
		place_load(g, 8, BPF_REG_0, var_place(g, v));
		oper_constant(g, oper, (int32_t)e->value, &v->type);
	} else {
		number_gen(g, e);
		if (is_pointer)
			emit_alu_imm(g->k, BPF_MUL, BPF_REG_0, pointee_size(g, &v->type));
		emit_move(g->k, BPF_REG_1, BPF_REG_0);
		place_load(g, 8, BPF_REG_0, var_place(g, v));
		oper_gen(g, oper, &v->type);
	}
	place_store(g, 8, var_place(g, v), BPF_REG_0);
}

/* ---- statements ---- */

static void stmt_assign(struct sgen *g, struct script_stmt *s)
{
	struct script_expr *target = s->target;

	if (target->kind == X_MAP && is_counter(s->a))
		count_assign(g, target, s->a);
	else if (target->kind == X_MAP && s->oper)
		map_change(g, target, s->oper, s->a);
	else if (target->kind == X_MAP)
		map_set(g, target, s->a);
	else if (s->oper)
		var_change(g, target->var, s->oper, s->a);
	else
		var_store(g, target->var, s->a);
}

static void stmt_let(struct sgen *g, struct script_stmt *s)
{
	if (s->target->kind != X_VAR)
		return; /* a map's declaration emits nothing */
	if (s->a)
		var_store(g, s->target->var, s->a);
	else
		var_zero(g, s->target->var);
}

static void stmt_if(struct sgen *g, struct script_stmt *s)
{
	int otherwise = label_new(g->k), end = label_new(g->k);

	if (s->a->is_constant) {
		stmts_gen(g, constant_truth(s->a) ? s->body : s->otherwise);
		return;
	}
	branch_gen(g, s->a, false, otherwise);
	stmts_gen(g, s->body);
	if (s->otherwise)
		emit_goto(g->k, end);
	label_bind(g->k, otherwise);
	stmts_gen(g, s->otherwise);
	label_bind(g->k, end);
}

static bool is_loop(const struct script_stmt *s)
{
	return s->kind == S_WHILE || s->kind == S_FOR_RANGE || s->kind == S_FOR_MAP;
}

static void return_gen(struct sgen *g, struct script_stmt *s)
{
	if (s->a && returns_result(g)) {
		number_gen(g, s->a);
		place_store(g, 8, g->result, BPF_REG_0);
	} else if (s->a) {
		discard_gen(g, s->a);
	}
	leave_gen(g);
}

static void stmt_gen(struct sgen *g, struct script_stmt *s)
{
	if (is_loop(s))
		g->held.of = NULL; /* code further below may change it before code above runs */
	switch (s->kind) {
	case S_EXPR:
	case S_DISCARD: discard_gen(g, s->a); break;
	case S_ASSIGN: stmt_assign(g, s); break;
	case S_LET: stmt_let(g, s); break;
	case S_IF: stmt_if(g, s); break;
	case S_WHILE: stmt_while(g, s); break;
	case S_FOR_RANGE: stmt_for_range(g, s); break;
	case S_FOR_MAP: (walks_here(g) ? walk_for_gen : stmt_for_map)(g, s); break;
	case S_UNROLL: stmt_unroll(g, s); break;
	case S_BREAK: stmt_break(g, false); break;
	case S_CONTINUE: stmt_break(g, true); break;
	case S_RETURN: return_gen(g, s); break;
	case S_BLOCK: stmts_gen(g, s->body); break;
	}
}

void stmts_emit(struct sgen *g, struct script_stmt *first)
{
	for (struct script_stmt *s = first; s && !g->c->err; s = s->next) {
		struct mark m = frame_mark(g);

		g->span = g->at = s->span;
		stmt_gen(g, s);
		frame_drop(g, m);
	}
}
