/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * value.c - emits scalars: each expression leaves its value in r0, extended to 64 bits by the sign of its type.
 *
 * No value survives in r1 … r5 unless a comment says so: values needed later are saved on the stack.
 */
#include "script/emit/gen.h"

/* ---- expressions that need no call and no other register ---- */

/* dst = the value of a simple expression. Preserves all other registers. */
static void simple_gen(struct sgen *g, int dst, struct script_expr *e)
{
	if (e->is_constant)
		emit_imm64(g->k, dst, e->value);
	else
		place_load(g, 8, dst, var_place(g, e->var));
}

static bool is_context(const struct script_expr *e)
{
	while (e->kind == X_CAST)
		e = e->a;
	return e->func == FUNC_CTX;
}

/* The verifier allows arithmetic on numbers only. */
static void to_number(struct sgen *g, int reg, const struct script_expr *e)
{
	uint32_t pointee;

	if (!pointer_known(g, e, &pointee) && !is_context(e))
		return;
	emit_negate(g->k, reg);
	emit_negate(g->k, reg);
}

void number_emit(struct sgen *g, struct script_expr *e)
{
	value_gen(g, e);
	to_number(g, BPF_REG_0, e);
}

void operands_emit(struct sgen *g, struct script_expr *a, struct script_expr *b)
{
	struct mark m = frame_mark(g);
	struct place left;

	number_gen(g, a);
	if (is_simple(b)) {
		simple_gen(g, BPF_REG_1, b);
		to_number(g, BPF_REG_1, b);
		return;
	}
	left = spill(g, BPF_REG_0);
	number_gen(g, b);
	emit_move(g->k, BPF_REG_1, BPF_REG_0);
	place_load(g, 8, BPF_REG_0, left);
	frame_drop(g, m);
}

/* ---- choices, casts, steps ---- */

static void choice_gen(struct sgen *g, struct script_expr *e)
{
	int otherwise = label_new(g->k), end = label_new(g->k);

	if (e->a->is_constant) {
		number_gen(g, constant_truth(e->a) ? e->b : e->c);
		return;
	}
	branch_gen(g, e->a, false, otherwise);
	number_gen(g, e->b);
	emit_goto(g->k, end);
	label_bind(g->k, otherwise);
	number_gen(g, e->c);
	label_bind(g->k, end);
}

/* a ?: b */
static void fallback_gen(struct sgen *g, struct script_expr *e)
{
	int end = label_new(g->k);

	number_gen(g, e->a);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, end);
	number_gen(g, e->b);
	label_bind(g->k, end);
}

/* a ?? b */
static void else_gen(struct sgen *g, struct script_expr *e)
{
	int end = label_new(g->k);
	struct unread outer;

	if (e->is_absent) {
		number_gen(g, e->b);
		return;
	}
	outer = unread_begin(g);
	number_gen(g, e->a);
	unread_end(g, &outer, end);
	number_gen(g, e->b);
	label_bind(g->k, end);
}

/* Loads the first bytes of an array as a number. */
static void cast_bytes(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	struct place at = image_place(g, e->a);
	uint32_t size = e->a->type.size < e->type.size ? e->a->type.size : e->type.size;
	struct place word = place_alloc_small(g, 8);

	place_zero(g, word, 8);
	place_copy(g, word, at, size);
	place_load(g, 8, BPF_REG_0, word);
	extend_gen(g, BPF_REG_0, e->type.size, e->type.is_signed);
	frame_drop(g, m);
}

static void cast_gen(struct sgen *g, struct script_expr *e)
{
	if (e->type.kind == SCRIPT_BOOL) {
		truth_gen(g, e->a);
		return;
	}
	if (e->type.kind == SCRIPT_POINTER && !script_is_scalar(&e->a->type) &&
	    !e->a->type.by_arg) {
		pointer_value_gen(g, e->a, BPF_REG_0);
		emit_negate(g->k, BPF_REG_0);
		emit_negate(g->k, BPF_REG_0);
		return;
	}
	if (e->a->type.kind == SCRIPT_ARRAY || e->a->type.kind == SCRIPT_RECORD) {
		cast_bytes(g, e);
		return;
	}
	if (e->type.kind == SCRIPT_POINTER)
		value_gen(g, e->a);
	else
		number_gen(g, e->a);
	if (e->type.kind == SCRIPT_INT)
		extend_gen(g, BPF_REG_0, e->type.size, e->type.is_signed);
}

/* $x++ */
static void var_step(struct sgen *g, struct script_expr *e)
{
	struct place at = var_place(g, e->a->var);
	const struct script_type *t = &e->a->var->type;
	int32_t by = t->kind == SCRIPT_POINTER ? (int32_t)pointee_size(g, t) : 1;

	place_load(g, 8, BPF_REG_0, at);
	emit_move(g->k, BPF_REG_1, BPF_REG_0);
	emit_alu_imm(g->k, BPF_ADD, BPF_REG_1, e->oper == OPER_SUB ? -by : by);
	extend_gen(g, BPF_REG_1, t->size ?: 8, t->is_signed);
	place_store(g, 8, at, BPF_REG_1);
	if (e->is_prefix)
		emit_move(g->k, BPF_REG_0, BPF_REG_1);
}

static void step_gen(struct sgen *g, struct script_expr *e)
{
	if (e->a->kind == X_MAP)
		map_step(g, e);
	else
		var_step(g, e);
}

/* ---- parts of tuples ---- */

static void part_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	struct place at = image_place(g, e);

	scalar_load(g, BPF_REG_0, place_reg(g, at), at.off, &e->type);
	frame_drop(g, m);
}

/* ---- all kinds ---- */

/* Computes the address as a number. Its target is read like any other memory. */
static void address_of_gen(struct sgen *g, struct script_expr *e)
{
	if (e->a->kind == X_MAP) {
		map_address_gen(g, e->a->map);
		return;
	}
	place_address(g, BPF_REG_0, var_place(g, e->a->var));
	emit_negate(g->k, BPF_REG_0);
	emit_negate(g->k, BPF_REG_0);
}

static void unsupported(struct sgen *g, const struct script_expr *e)
{
	script_unsupported(g->c, e->span, "a program cannot compute this expression as a number");
}

static void kinds_gen(struct sgen *g, struct script_expr *e)
{
	switch (e->kind) {
	case X_VAR: place_load(g, 8, BPF_REG_0, var_place(g, e->var)); break;
	case X_MAP: map_value_gen(g, e); break;
	case X_WORD:
	case X_CALL: func_value_gen(g, e); break;
	case X_FIELD:
	case X_INDEX:
	case X_DEREF: memory_value_gen(g, e); break;
	case X_PART: part_gen(g, e); break;
	case X_UNARY: unary_gen(g, e); break;
	case X_BINARY: binary_gen(g, e); break;
	case X_AND:
	case X_OR: truth_gen(g, e); break;
	case X_CHOICE: choice_gen(g, e); break;
	case X_FALLBACK: fallback_gen(g, e); break;
	case X_ELSE: else_gen(g, e); break;
	case X_CAST: cast_gen(g, e); break;
	case X_ADDRESS: address_of_gen(g, e); break;
	case X_STEP: step_gen(g, e); break;
	case X_BLOCK: value_gen(g, block_gen(g, e)); break;
	default: unsupported(g, e); break;
	}
}

void value_emit(struct sgen *g, struct script_expr *e)
{
	struct span outer = g->at;

	if (g->c->err)
		return;
	g->at = e->span;
	if (e->is_constant && script_is_scalar(&e->type))
		emit_imm64(g->k, BPF_REG_0, e->value);
	else
		kinds_gen(g, e);
	g->at = outer;
}

void discard_emit(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);

	if (e->is_constant)
		return;
	if (script_is_scalar(&e->type) || e->type.kind == SCRIPT_VOID ||
	    e->type.kind == SCRIPT_NONE)
		value_gen(g, e);
	else
		image_place(g, e);
	frame_drop(g, m);
}
