/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * frame.c - allocates the program's stack and scratch memory: each variable and temporary gets a fixed place here.
 *
 * Small values are on the stack, larger ones in scratch memory. Places are freed in the reverse order of allocation.
 * Callbacks access the same bytes through a register.
 */
#include "script/emit/gen.h"

int place_reg(const struct sgen *g, struct place at)
{
	return at.where == AT_STACK ? g->frame : at.where == AT_WORK ? (int)REG_WORK : (int)REG_OUT;
}

void place_address(struct sgen *g, int dst, struct place at)
{
	emit_address(g->k, dst, place_reg(g, at), at.off);
}

int context_reg(struct sgen *g, int dst)
{
	if (!g->depth)
		return REG_CTX;
	emit_load(g->k, 8, dst, g->frame, FRAME_CONTEXT);
	return dst;
}

/* ---- allocation ---- */

struct mark frame_mark(const struct sgen *g)
{
	return (struct mark){ g->used, g->work_used };
}

void frame_drop(struct sgen *g, struct mark m)
{
	g->used = m.used;
	g->work_used = m.work_used;
}

static uint32_t words(uint32_t size)
{
	return (size + 7) & ~7u;
}

uint32_t callbacks_room(const struct sgen *g)
{
	return g->known.callbacks ? 2 * CALLBACK_STACK : 0;
}

/* Below the temporaries: what path() and packets use, and the stack of callbacks. */
static uint32_t stack_room(const struct sgen *g)
{
	uint32_t path = g->known.paths || g->known.packets ? STACK_MOST + STACK_WORK : 0;

	return STACK_MOST - callbacks_room(g) - path;
}

struct place place_alloc_small(struct sgen *g, uint32_t size)
{
	if (g->used + words(size) > stack_room(g)) {
		script_fail(g->c, g->span,
			    "too many values at once: a program has 512 bytes of stack");
		script_hint(g->c, "split the expression, or store values in maps");
		return (struct place){ AT_STACK, FRAME_CONTEXT };
	}
	g->used += words(size);
	if (g->used > g->most)
		g->most = g->used;
	return (struct place){ AT_STACK, -(int32_t)g->used };
}

struct place place_alloc(struct sgen *g, uint32_t size)
{
	/* the last quarter is reserved for numbers and addresses */
	if (size <= SMALL && g->used + words(size) <= stack_room(g) * 3 / 4)
		return place_alloc_small(g, size);
	return place_alloc_work(g, size);
}

struct place place_alloc_work(struct sgen *g, uint32_t size)
{
	struct place at = { AT_WORK, g->work_used };

	g->needs.work = true;
	g->work_used += words(size);
	if (g->work_used > WORK_MOST)
		script_fail(g->c, g->span,
			    "strings and tuples of one program have at most %d bytes", WORK_MOST);
	if (g->work_used > g->needs.work_size)
		g->needs.work_size = g->work_used;
	return at;
}

struct place spill(struct sgen *g, int reg)
{
	struct place at = place_alloc_small(g, 8);

	place_store(g, 8, at, reg);
	return at;
}

struct place var_place(struct sgen *g, struct script_var *v)
{
	uint32_t size;

	if (v->place)
		return g->vars[v->place - 1];
	if (g->var_count == VARS_MAX) {
		script_unsupported(g->c, g->span, "more than %d variables", VARS_MAX);
		return (struct place){ AT_STACK, FRAME_CONTEXT };
	}
	size = script_is_scalar(&v->type) ? 8 : v->type.size;
	g->vars[g->var_count] = var_is_unknown(g, v) ? place_alloc_work(g, size) :
						       place_alloc(g, size);
	v->place = ++g->var_count;
	return g->vars[v->place - 1];
}

/* ---- stores, loads, copies ---- */

void place_store(struct sgen *g, uint32_t size, struct place at, int src)
{
	emit_store(g->k, size, place_reg(g, at), at.off, src);
}

void place_load(struct sgen *g, uint32_t size, int dst, struct place at)
{
	emit_load(g->k, size, dst, place_reg(g, at), at.off);
}

void place_store_imm(struct sgen *g, uint32_t size, struct place at, int32_t imm)
{
	emit_store_imm(g->k, size, place_reg(g, at), at.off, imm);
}

/* Returns the size of the largest load or store at that offset, which must be aligned. */
static uint32_t piece_at(int32_t off, uint32_t rest)
{
	uint32_t piece = rest >= 8 ? 8 : rest >= 4 ? 4 : rest >= 2 ? 2 : 1;

	while (off & (piece - 1))
		piece /= 2;
	return piece;
}

void place_zero(struct sgen *g, struct place at, uint32_t size)
{
	uint32_t piece;

	for (uint32_t i = 0; i < size; i += piece) {
		piece = piece_at(at.off + i, size - i);
		place_store_imm(g, piece, place_plus(at, i), 0);
	}
}

enum { COPY_MOST = 128 }; /* larger copies call a helper */

static void fill_by_words(struct sgen *g, struct place to, int from, int32_t off, uint32_t size)
{
	uint32_t piece, other;

	for (uint32_t i = 0; i < size; i += piece) {
		piece = piece_at(to.off + i, size - i);
		other = piece_at(off + i, size - i);
		piece = other < piece ? other : piece;
		emit_load(g->k, piece, BPF_REG_1, from, off + i);
		place_store(g, piece, place_plus(to, i), BPF_REG_1);
	}
}

void place_fill(struct sgen *g, struct place to, int from, int32_t off, uint32_t size)
{
	if (size <= COPY_MOST || !g->target->probe_read)
		fill_by_words(g, to, from, off, size);
	else
		emit_read_kernel(g->k, place_reg(g, to), to.off, size, from, off);
}

void place_copy(struct sgen *g, struct place to, struct place from, uint32_t size)
{
	place_fill(g, to, place_reg(g, from), from.off, size);
}
