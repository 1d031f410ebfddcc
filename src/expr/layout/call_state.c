/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call_state.c - entry and return of a call in one record (EXPR_SCOPE_CALL): what is kept in
 * between.
 *
 *	entry	filters → conditions → what is to be kept, by the call's key → exit
 *	return	what was kept → conditions → record, as any other → forget it → exit
 *
 * As little as possible is kept: nothing, if fexit still has everything needed; the time; or the
 * record as far as the entry can fill it, with the parameters that the return needs. If calls are
 * counted, the record is their key with what is measured. The two sides of a session are one
 * program, and pass on 8 bytes at no cost: the time, or the key.
 *
 * emit_inflight.c has where it is kept, emit_call.c the programs.
 */
#include "expr/layout/layout.h"

/* ---- what is kept ---- */

/* Does it have the same value at both ends of a call? Of a stack only the function itself may be
 * missing at the return; the reader knows which one it was. */
static bool is_lasting(const struct slot *s)
{
	const struct builtin *b = s->root->builtin;

	return b && (b->id == BUILTIN_FUNC || b->id == BUILTIN_PID || b->id == BUILTIN_TID ||
		     b->id == BUILTIN_COMM || b->id == BUILTIN_KSTACK || b->id == BUILTIN_USTACK);
}

/* Is it only arithmetic on parameters? Then a trampoline can compute it at the return as well. */
static bool is_plain(const struct compile *c, const struct slot *s)
{
	if (s->sink == STORE_HEADER || is_lasting(s))
		return true;
	if (c->in->target.method == EXPR_CTX_KPROBE || s->sink != STORE_SCALAR || s->link_count)
		return false;
	for (size_t i = 0; i < s->step_count; i++) {
		const struct ir_insn *step = &s->steps[i];

		if (step->kind == IR_VALUE && c->p->plan.values[step->value].op == VREG_BUILTIN)
			return false;
	}
	return true;
}

/* Refuses a session that this kernel does not have. */
static bool session_exists(struct compile *c)
{
	const struct expr_target *t = &c->in->target;
	bool has = t->method == EXPR_CTX_KPROBE ? t->attach_kprobe_session : t->attach_fsession;

	if (!c->in->session ||
	    (has && t->session_is_return_id && t->session_cookie_id && !c->in->pair))
		return true;
	compile_refuse(c, (struct span){}, "this kernel has no such sessions");
	return false;
}

/* A trampoline session costs more than fexit alone; with many functions there is no choice. */
static bool needs_both(const struct compile *c)
{
	return c->in->session && c->in->target.method != EXPR_CTX_FENTRY;
}

bool call_lat_wanted(const struct compile *c)
{
	return c->p->lat_wanted && !c->in->pair;
}

void call_keep(struct compile *c)
{
	struct expr_program *p = c->p;
	bool at_entry = false;

	if (c->in->scope != EXPR_SCOPE_CALL || !session_exists(c) || c->in->marks)
		return;
	p->keep = p->saved_args ? KEEP_RECORD : call_lat_wanted(c) ? KEEP_TIME : KEEP_NOTHING;
	for (size_t i = 0; i < p->slot_count; i++) {
		const struct slot *s = &p->slots[i];

		if (s->at_end)
			continue;
		if (i < p->filter_count)
			at_entry |= !s->at_return;
		else if (!s->at_return && !is_plain(c, s))
			p->keep = KEEP_RECORD;
	}
	if (p->keep == KEEP_NOTHING && (at_entry || needs_both(c)))
		p->keep = KEEP_TIME;
	for (size_t i = p->filter_count; i < p->slot_count; i++) {
		struct slot *s = &p->slots[i];

		s->at_return |= p->keep != KEEP_RECORD;
		p->entry_counts |= p->table.count && !s->at_return && !s->at_end;
	}
}

/* ---- how large it is ---- */

void call_layout(struct expr_program *p)
{
	p->call_record = p->entry_counts ? sizeof(struct call_kept) : 0;
	p->saved_at = !p->table.count ?
			      p->entry_end :
			      sizeof(struct call_kept) + (p->entry_counts ? p->record_size : 0);
	p->call_size = p->saved_at + 8 * __builtin_popcount(p->saved_args);
	if (p->keep == KEEP_TIME)
		p->call_size = sizeof(struct call_kept);
}
