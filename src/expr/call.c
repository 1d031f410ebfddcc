// SPDX-License-Identifier: GPL-2.0
/*
 * call.c - a call's entry and its return in one record (EXPR_SCOPE_CALL): what is kept in between.
 *
 *	entry	filters → conditions → what is to be kept, by the call's key → exit
 *	return	what was kept → conditions → record, as any other → forget it → exit
 *
 * What is kept is as little as will do: nothing, where fexit still has all that is asked for; the
 * time; or the record as far as the entry can fill it, with the parameters that the return asks for.
 * A session's two sides are one program, and hand over 8 bytes at no cost: the time, or the key.
 *
 * Where it is kept: call_kept.c. The programs: call_side.c.
 */
#include "expr/call.h"

/* ---- what is kept ---- */

/* The same at both ends of a call. */
static bool is_lasting(const struct slot *s)
{
	const struct builtin *b = s->root->builtin;

	return b && (b->id == BUILTIN_FUNC || b->id == BUILTIN_PID || b->id == BUILTIN_TID ||
		     b->id == BUILTIN_COMM);
}

/* Nothing but arithmetic of parameters: a trampoline can do it at the return as well. */
static bool is_plain(const struct compile *c, const struct slot *s)
{
	if (s->sink == SINK_HEADER || is_lasting(s))
		return true;
	if (c->in->target.rung == EXPR_RUNG_KPROBE || s->sink != SINK_SCALAR || s->link_count)
		return false;
	for (size_t i = 0; i < s->step_count; i++) {
		const struct plan_step *step = &s->steps[i];

		if (step->kind == STEP_VALUE &&
		    c->p->plan.values[step->value].op == PLAN_BUILTIN)
			return false;
	}
	return true;
}

/* Where a session is asked for. */
static bool session_exists(struct compile *c)
{
	const struct expr_target *t = &c->in->target;
	bool has = t->rung == EXPR_RUNG_KPROBE ? t->attach_kprobe_session : t->attach_fsession;

	if (!c->in->session || (has && t->session_is_return_id && t->session_cookie_id))
		return true;
	compile_refuse(c, (struct span){}, "this kernel has no such sessions");
	return false;
}

/* A trampoline's session costs more than fexit alone; what is one of many has no choice. */
static bool needs_both(const struct compile *c)
{
	return c->in->session && c->in->target.rung != EXPR_RUNG_FENTRY;
}

void call_keep(struct compile *c)
{
	struct expr_program *p = c->p;
	bool at_entry = false;

	if (c->in->scope != EXPR_SCOPE_CALL || !session_exists(c))
		return;
	p->keep = p->saved_args ? KEEP_RECORD : p->lat_wanted ? KEEP_TIME : KEEP_NOTHING;
	for (size_t i = 0; i < p->slot_count; i++) {
		const struct slot *s = &p->slots[i];

		if (i < p->filter_count)
			at_entry |= !s->at_return;
		else if (!s->at_return && !is_plain(c, s))
			p->keep = KEEP_RECORD;
	}
	if (p->keep == KEEP_RECORD && c->in->aggregate) {
		compile_refuse(c, (struct span){}, "what is counted must be known at the return");
		compile_hint(c, "@ret(EXPR) is computed there");
	}
	if (p->keep == KEEP_NOTHING && (at_entry || needs_both(c)))
		p->keep = KEEP_TIME;
	for (size_t i = p->filter_count; i < p->slot_count && p->keep != KEEP_RECORD; i++)
		p->slots[i].at_return = true;
}

static unsigned saved_count(unsigned mask)
{
	return __builtin_popcount(mask);
}

void gen_call(struct gen *g)
{
	call_maps_ask(g);
	if (g->c->err)
		return;
	if (g->c->in->session)
		call_session(g);
	else
		call_pair(g);
}

/* ---- values that the return side has ---- */

void gen_latency_load(struct gen *g)
{
	emit_load(g->k, 8, REG_VALUE, BPF_REG_10, STACK_LATENCY);
}

void gen_saved_argument(struct gen *g, const struct plan_value *v)
{
	unsigned before = saved_count(g->p->saved_args & ((1u << v->imm) - 1));

	emit_load(g->k, 8, BPF_REG_1, BPF_REG_10, STACK_KEPT);
	emit_load(g->k, 8, REG_VALUE, BPF_REG_1, g->p->saved_at + 8 * before);
}

/* ---- layout ---- */

void call_layout(struct expr_program *p)
{
	p->saved_at = p->entry_end;
	p->kept_size = p->saved_at + 8 * saved_count(p->saved_args);
	if (p->keep == KEEP_TIME)
		p->kept_size = sizeof(struct call_kept);
}
