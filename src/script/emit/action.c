/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * action.c - emits records for user space: struct script_record, then the arguments, each at its offset.
 *
 * The record is filled in the ring itself. The program must not return while it is open, so arguments that contain
 * statements or branches are computed first.
 */
#include <stddef.h>

#include "expr/emit/codegen.h"
#include "script/emit/gen.h"

/* ---- arguments computed first ---- */

/* What evaluating an argument may do besides computing its value. */
struct nature {
	bool acts;	   /* has side effects, or may leave the program */
	bool branches;	   /* … or loops */
	bool dereferences; /* also branches where pointers are typed */
};

static void nature_find(struct script_expr *e, void *ctx)
{
	struct nature *n = ctx;

	switch (e->kind) {
	case X_BLOCK:
	case X_STEP: n->acts = true; break;
	case X_MAP:
	case X_AND:
	case X_OR:
	case X_CHOICE:
	case X_FALLBACK: n->branches = true; break;
	case X_FIELD:
	case X_INDEX:
	case X_DEREF: n->dereferences |= script_is_scalar(&e->type); break;
	case X_BINARY:
		n->branches |= oper_compares(e->oper) || e->oper == OPER_DIV || e->oper == OPER_MOD;
		break;
	case X_CALL:
		n->acts |= e->action || e->func == FUNC_DELETE || e->func == FUNC_FIND;
		n->branches |= e->func == FUNC_PATH || e->func == FUNC_PACKET ||
			       (e->func >= FUNC_STRNCMP && e->func <= FUNC_FIND);
		break;
	default: break;
	}
}

static struct nature nature_of(const struct script_arg *arg)
{
	struct nature n = { false, false, false };

	if (!arg->is_literal && arg->expr)
		script_walk((struct script_expr *)arg->expr, nature_find, &n);
	return n;
}

/*
 * Up to 6.1 the verifier does not merge two states that hold an open record. Every branch while the record is open
 * therefore doubles the paths, also in each round of a loop. A string is read into the record anyway.
 */
static bool is_early(const struct script_arg *arg)
{
	struct nature n = nature_of(arg);

	return n.acts || n.branches || (n.dereferences && arg->type.kind != SCRIPT_STRING);
}

/* Returns how many arguments to check. If one has side effects, all before it are computed first. */
static size_t early_count(const struct script_action *a, bool *acts)
{
	size_t count = 0;

	*acts = false;
	for (size_t i = 0; i < a->arg_count; i++) {
		*acts |= nature_of(&a->args[i]).acts;
		if (is_early(&a->args[i]))
			count = i + 1;
	}
	return count;
}

struct early {
	struct place at;
	bool is_done;
};

static void early_gen(struct sgen *g, const struct script_action *a, struct early *early)
{
	bool acts;
	size_t count = early_count(a, &acts);

	for (size_t i = 0; i < count; i++) {
		const struct script_arg *arg = &a->args[i];

		if (arg->is_literal || !arg->expr || (!acts && !is_early(arg)))
			continue;
		early[i].at = place_alloc(g, arg->type.size ?: 8);
		early[i].is_done = true;
		image_gen(g, (struct script_expr *)arg->expr, &arg->type, early[i].at, false);
	}
}

/* ---- the record ---- */

static uint32_t record_size(const struct script_action *a)
{
	uint32_t size = a->size > sizeof(struct script_record) ? a->size :
								 sizeof(struct script_record);

	return (size + 7) & ~7u;
}

/* Returns the size of the largest record: one ring holds the records of all actions. */
static uint32_t largest_record(const struct sgen *g)
{
	uint32_t most = 0;

	for (size_t i = 0; i < g->c->s->action_count; i++) {
		uint32_t size = record_size(g->c->s->actions[i]);

		most = size > most ? size : most;
	}
	return most;
}

static void header_gen(struct sgen *g, const struct script_action *a)
{
	emit_store_imm(g->k, 4, REG_OUT, offsetof(struct script_record, action), a->number);
	point_gen(g, BPF_REG_0);
	emit_store(g->k, 4, REG_OUT, offsetof(struct script_record, point), BPF_REG_0);
}

/* Clears words before the argument's offset that nothing else writes. */
static void arg_gen_one(struct sgen *g, const struct script_arg *arg, const struct early *early)
{
	struct place to = { AT_RECORD, arg->offset };

	if (arg->is_literal || !arg->expr)
		return;
	if (early->is_done)
		place_copy(g, to, early->at, arg->type.size);
	else
		image_gen(g, (struct script_expr *)arg->expr, &arg->type, to, false);
}

static void args_gen(struct sgen *g, const struct script_action *a, const struct early *early)
{
	if (a->kind == ACTION_JOIN) {
		join_gen(g, a);
		return;
	}
	for (size_t i = 0; i < a->arg_count && !g->c->err; i++) {
		struct mark m = frame_mark(g);

		arg_gen_one(g, &a->args[i], &early[i]);
		frame_drop(g, m);
	}
}

static void reserve_gen(struct sgen *g, const struct script_action *a, int full)
{
	emit_map(g->k, BPF_REG_1, map_index_shared(&g->xc, EXPR_MAP_RING));
	emit_move_imm(g->k, BPF_REG_2, record_size(a));
	emit_move_imm(g->k, BPF_REG_3, 0);
	emit_call(g->k, HELPER_RING_RESERVE);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, full);
	emit_move(g->k, REG_OUT, BPF_REG_0);
}

/* True if the action ends the run. */
static bool is_end(const struct script_action *a)
{
	return a->kind == ACTION_EXIT || a->kind == ACTION_ASSERT;
}

static void record_gen(struct sgen *g, struct script_action *a, const struct early *early)
{
	int full = label_new(g->k), end = label_new(g->k);

	reserve_gen(g, a, full);
	g->has_record = true;
	header_gen(g, a);
	args_gen(g, a, early);
	g->has_record = false;
	gen_ring_submit(&g->x, REG_OUT, largest_record(g), is_end(a));
	emit_goto(g->k, end);
	label_bind(g->k, full);
	loss_gen(g, LOSS_RING_FULL);
	label_bind(g->k, end);
}

void action_emit(struct sgen *g, struct script_action *a)
{
	struct mark m = frame_mark(g);
	struct early *early = script_alloc(g->c, (a->arg_count + 1) * sizeof(*early));

	if (!early)
		return;
	if (g->has_record) {
		script_unsupported(g->c, a->span, "an action in the arguments of another one");
		return;
	}
	if (a->kind != ACTION_JOIN)
		early_gen(g, a, early);
	record_gen(g, a, early);
	frame_drop(g, m);
	if (is_end(a))
		leave_gen(g);
}
