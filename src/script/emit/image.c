/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * image.c - emits values with bytes: each is written to its destination, in the layout of its type (type.h).
 *
 * A string of at most SMALL bytes always has zeros after its NUL, so copies are copies of words. A longer one has
 * them only if it is part of a key.
 */
#include <string.h>

#include "script/emit/gen.h"

/* ---- location of an image ---- */

struct place image_locate(struct sgen *g, struct script_expr *e)
{
	struct place at;

	if (e->kind == X_VAR && !e->is_constant)
		return var_place(g, e->var);
	if (is_part(e))
		return place_plus(image_place(g, e->a), e->bit_offset / 8);
	if (e->kind == X_FIELD && e->a->kind == X_VAR && e->a->type.kind == SCRIPT_RECORD)
		return place_plus(var_place(g, e->a->var), e->bit_offset / 8);
	at = place_alloc(g, e->type.size ?: 8);
	image_gen(g, e, &e->type, at, e->type.size <= SMALL);
	return at;
}

/* ---- tuples ---- */

/* Clears the padding between the parts. */
static void gaps_zero(struct sgen *g, const struct script_type *t, struct place to)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < t->count; i++) {
		const struct script_part *part = &t->parts[i];

		if (part->offset > at)
			place_zero(g, place_plus(to, at), part->offset - at);
		at = part->offset + part->type.size;
	}
	if (t->size > at)
		place_zero(g, place_plus(to, at), t->size - at);
}

static void tuple_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		      struct place to, bool is_key)
{
	gaps_zero(g, want, to);
	for (size_t i = 0; i < e->count && i < want->count; i++) {
		const struct script_part *p = script_part_of(want, i,
							     e->names ? e->names[i] : NULL);
		struct mark m = frame_mark(g);

		if (p)
			image_gen(g, e->items[i], &p->type, place_plus(to, p->offset), is_key);
		frame_drop(g, m);
	}
}

/* ---- the other kinds ---- */

struct script_expr *block_gen(struct sgen *g, struct script_expr *e)
{
	stmts_gen(g, e->body);
	return e->a;
}

static void choice_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
			 struct place to, bool is_key)
{
	int otherwise = label_new(g->k), end = label_new(g->k);

	if (e->a->is_constant) {
		image_gen(g, constant_truth(e->a) ? e->b : e->c, want, to, is_key);
		return;
	}
	branch_gen(g, e->a, false, otherwise);
	image_gen(g, e->b, want, to, is_key);
	emit_goto(g->k, end);
	label_bind(g->k, otherwise);
	image_gen(g, e->c, want, to, is_key);
	label_bind(g->k, end);
}

/* a ?: b: of strings */
static void fallback_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
			   struct place to, bool is_key)
{
	int end = label_new(g->k);

	image_gen(g, e->a, want, to, is_key);
	place_load(g, 1, BPF_REG_0, to);
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, end);
	image_gen(g, e->b, want, to, is_key);
	label_bind(g->k, end);
}

/* a ?? b */
static void else_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		       struct place to, bool is_key)
{
	int end = label_new(g->k);
	struct unread outer;

	if (e->is_absent) {
		image_gen(g, e->b, want, to, is_key);
		return;
	}
	outer = unread_begin(g);
	image_gen(g, e->a, want, to, is_key);
	unread_end(g, &outer, end);
	image_gen(g, e->b, want, to, is_key);
	label_bind(g->k, end);
}

/* (uint8[8])number */
static void cast_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
		       struct place to, bool is_key)
{
	uint32_t size = want->size < 8 ? want->size : 8;
	struct place number;

	if (!script_is_scalar(&e->a->type)) {
		image_gen(g, e->a, want, to, is_key);
		return;
	}
	number_gen(g, e->a);
	number = spill(g, BPF_REG_0);
	place_copy(g, to, number, size);
	place_zero(g, place_plus(to, size), want->size - size);
}

static void scalar_image(struct sgen *g, struct script_expr *e, const struct script_type *want,
			 struct place to)
{
	if (e->is_constant && fits_imm(e)) {
		place_store_imm(g, want->size ?: 8, to, e->value);
		return;
	}
	number_to_store(g, e);
	place_store(g, want->size ?: 8, to, BPF_REG_0);
}

static void image_by_kind(struct sgen *g, struct script_expr *e, const struct script_type *want,
			  struct place to, bool is_key)
{
	if (is_part(e) || e->kind == X_VAR) {
		image_convert(g, want, to, &e->type, image_place(g, e), is_key);
		return;
	}
	if (e->func == FUNC_ARGS && e->count) {
		tuple_gen(g, e, want, to, is_key);
		return;
	}
	switch (e->kind) {
	case X_CHOICE: choice_image(g, e, want, to, is_key); break;
	case X_FALLBACK: fallback_image(g, e, want, to, is_key); break;
	case X_ELSE: else_image(g, e, want, to, is_key); break;
	case X_BLOCK: image_gen(g, block_gen(g, e), want, to, is_key); break;
	case X_TUPLE: tuple_gen(g, e, want, to, is_key); break;
	case X_MAP: map_image_gen(g, e, want, to, is_key); break;
	case X_WORD:
	case X_CALL: func_image_gen(g, e, want, to, is_key); break;
	case X_FIELD:
	case X_INDEX:
	case X_DEREF: memory_image_gen(g, e, want, to, is_key); break;
	case X_CAST: cast_image(g, e, want, to, is_key); break;
	default: script_unsupported(g->c, e->span, "this expression has no value to store"); break;
	}
}

void image_emit(struct sgen *g, struct script_expr *e, const struct script_type *want,
		struct place to, bool is_key)
{
	struct mark m = frame_mark(g);
	struct span outer = g->at;

	if (g->c->err)
		return;
	g->at = e->span;
	if (want->kind == SCRIPT_STRING && e->type.kind == SCRIPT_POINT)
		point_text_image(g, e, want, to, is_key);
	else if (want->kind == SCRIPT_STRING && script_is_named(e->type.kind))
		image_convert(g, want, to, &e->type, image_place(g, e), is_key);
	else if (e->is_constant && (want->kind == SCRIPT_STRING || want->kind == SCRIPT_ARRAY))
		text_literal(g, e, want->size, to, is_key);
	else if (script_is_scalar(want))
		scalar_image(g, e, want, to);
	else
		image_by_kind(g, e, want, to, is_key);
	g->at = outer;
	frame_drop(g, m);
}
