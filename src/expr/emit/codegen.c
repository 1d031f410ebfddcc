/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * codegen.c - the program around the slots: filters first, then the record, then its submission.
 *
 *	filters → begin a record → every slot, the fast way → end the record → exit
 *	after the exit: every slot again, the exact way; rarely used code of the record's beginning
 *
 * The fast way of a slot can only succeed: at any doubt (NULL, an odd address, an error of a
 * helper) it jumps to the exact way. That starts again from the argument, reads with helpers that
 * can fail, and knows at each link which one to blame. So the common case needs no bookkeeping. The
 * record is filled in place after it is reserved, which saves a copy and all spilling.
 *
 * Slots only know that the record is at REG_RECORD. Where that memory comes from, and what happens
 * to it, depends on the home of the record: the ring buffer, or the others in files of their own.
 */
#include "expr/emit/codegen.h"

#include "expr/emit/emit_aggregate.h"
#include "expr/emit/emit_call.h"
#include "expr/emit/emit_filter.h"
#include "expr/emit/emit_pair.h"
#include "expr/emit/emit_ring.h"
#include "expr/emit/emit_slot.h"
#include "expr/emit/emit_within.h"

static void slots_make(struct gen *g, size_t from, size_t to,
		       void (*make)(struct gen *g, const struct slot *s))
{
	for (size_t i = from; i < to; i++)
		make(g, &g->p->slots[i]);
}

static void gen_all(struct gen *g)
{
	size_t filters = g->p->filter_count, all = g->p->slot_count;

	gen_filters(g);
	slots_make(g, 0, filters, gen_slot_fast);
	g->home->room(g);
	g->home->fill(g);
	slots_make(g, filters, all, gen_slot_fast);
	g->home->end(g);
	gen_exit(g);
	slots_make(g, 0, all, gen_slot_exact);
	g->home->rest(g);
}

/* One side of a call. */
static void gen_side(struct gen *g)
{
	for (size_t i = 0; i < g->p->slot_count; i++)
		gen_labels_make(g, i);
	g->exit = g->foreign = label_new(g->k);
	g->full = label_new(g->k);
	g->found = label_new(g->k);
	gen_all(g);
}

static int programs_finish(struct compile *c)
{
	int err = code_finish(&c->p->code);

	return err ? err : code_finish(&c->p->return_code);
}

void expr_codegen(struct compile *c)
{
	bool call = c->in->scope == EXPR_SCOPE_CALL && !(c->in->pair && c->in->pair->makes_end);
	struct gen g = {
		.c = c,
		.k = &c->p->code,
		.p = c->p,
		.target = &c->in->target,
		.task_reg = REG_TASK,
		.argument = -1,
		.home = c->in->run.aggregate ? &home_aggregate : &home_ring,
		.labels = compile_alloc(c, (c->p->slot_room + 1) * sizeof(*g.labels)),
	};
	int err;

	if (c->err)
		return;
	if (call && c->p->keep == KEEP_NOTHING && !c->in->marks)
		g.k = &c->p->return_code;
	if (c->in->marks)
		gen_marks(&g);
	else if (c->in->pair)
		gen_pair(&g);
	else if (call && c->p->keep != KEEP_NOTHING)
		gen_call(&g);
	else
		gen_side(&g);
	if (c->err)
		return;
	err = programs_finish(c);
	if (err == -E2BIG)
		compile_fail(c, (struct span){}, "too much for one program");
	else
		c->err = err;
}
