/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kept.c - what the entry of a call, or the begin of a pair, keeps: its layout, and its use in
 * user space, which reads it from the maps (emit/emit_pair_store.c).
 */
#include <string.h>

#include "expr/layout/layout.h"
#include "output/field/value.h"

size_t expr_kept_size(const struct expr_program *p)
{
	return p->pair.key_size ? p->pair.size : 0;
}

size_t expr_kept_key_size(const struct expr_program *p)
{
	return p->pair.key_size;
}

size_t expr_places_stride(const struct expr_program *p)
{
	return (size_t)1 << call_size_bits(p->pair.size);
}

size_t expr_places_size(const struct expr_program *p)
{
	for (size_t i = 0; i < p->maps.count; i++)
		if (p->maps.items[i].kind == EXPR_MAP_PAIR_PLACES)
			return p->maps.items[i].value_size;
	return 0;
}

bool expr_place_taken(const void *place)
{
	return ((const struct call_kept *)place)->taken;
}

bool expr_place_busy(const void *place)
{
	return ((const struct call_kept *)place)->guard;
}

static void end_fill(const struct slot *s, uint64_t age, char *record)
{
	const struct builtin *b = s->root->builtin;

	if (b && b->id == BUILTIN_LAT)
		memcpy(record + s->place.offset, &age, sizeof(age));
	else
		record[s->place.status] = FIELD_STATUS_NONE;
}

uint64_t expr_kept_record(const struct expr_program *p, const void *kept, uint64_t now,
			  void *record)
{
	uint64_t began, age;

	memcpy(&began, (const char *)kept + offsetof(struct call_kept, time), sizeof(began));
	age = now > began ? now - began : 0;
	memcpy(record, (const char *)kept + p->pair.record, p->record.size);
	if (!p->table.count)
		((struct event_header *)record)->ts = now;
	for (size_t i = p->filter_count; i < p->slot_count; i++)
		if (p->slots[i].at_end)
			end_fill(&p->slots[i], age, record);
	return age;
}

/* ---- counted calls and pairs ---- */

/* The same as in emit/emit_measure.c. */
static uint64_t ordered(const struct expr_result *r, uint64_t value)
{
	return r->is_signed ? value ^ 1ull << 63 : value;
}

static unsigned bucket(const struct expr_result *r, const struct expr_measure *m, uint64_t value)
{
	bool below = r->is_signed ? (int64_t)value < m->low :
				    m->low > 0 && value < (uint64_t)m->low;
	bool above = r->is_signed ? (int64_t)value >= m->high : value >= (uint64_t)m->high;

	if (r->kind == EXPR_HIST && r->is_signed && (int64_t)value < 0)
		return 0;
	if (r->kind == EXPR_HIST)
		return value ? 65 - __builtin_clzll(value) : 1;
	return below ? 0 : above ? r->words - EXPR_HIST_ENDS - 1 : (value - m->low) / m->step + 1;
}

static void value_add(const struct expr_result *r, const struct expr_measure *m, uint64_t value,
		      uint64_t *words)
{
	uint64_t *ends = words + r->word + r->words - EXPR_HIST_ENDS;

	if (r->kind == EXPR_SUM || r->kind == EXPR_AVG)
		words[r->word] = value;
	else if (r->kind == EXPR_MIN)
		words[r->word] = ~ordered(r, value);
	else if (r->kind == EXPR_MAX)
		words[r->word] = ordered(r, value);
	else if (result_is_hist(r)) {
		words[r->word + bucket(r, m, value)] = 1;
		ends[0] = ordered(r, value);
		ends[1] = ~ordered(r, value);
	}
}

void expr_kept_words(const struct expr_program *p, const struct expr_measure *measures,
		     const void *record, uint64_t *words)
{
	uint64_t value;

	words[0] = 1;
	for (size_t i = 0; i < p->table.count; i++) {
		const struct expr_result *r = &p->results[i];
		const struct slot *s = p->result_slots[i] < 0 ? NULL :
								&p->slots[p->result_slots[i]];

		if (!s)
			continue;
		memcpy(&value, (const char *)record + s->place.offset, sizeof(value));
		if (r->unread && s->place.status && ((const uint8_t *)record)[s->place.status])
			words[r->unread] = 1;
		else
			value_add(r, &measures[i], value, words);
	}
}

/*
 * ---- entry and return of a call in one record (EXPR_SCOPE_CALL) ----
 *
 *	entry	filters → conditions → what is to be kept, by the call's key → exit
 *	return	what was kept → conditions → record, as any other → delete → exit
 *
 * As little as possible is kept: nothing, if fexit still has everything needed; the time; or the
 * record as far as the entry can fill it, with the parameters that the return needs. If calls are
 * counted, the record is their key with what is measured. The two sides of a session are one
 * program, and share 8 bytes at no cost: the time, or the key.
 *
 * emit_inflight.c has the store, emit_call.c the programs.
 */

/* ---- what to keep ---- */

/* True if the value is the same at both ends of a call. At the return a stack may lack the
 * function itself, which the reader knows. */
static bool is_lasting(const struct slot *s)
{
	const struct builtin *b = s->root->builtin;

	return b && (b->id == BUILTIN_FUNC || b->id == BUILTIN_PID || b->id == BUILTIN_TID ||
		     b->id == BUILTIN_COMM || b->id == BUILTIN_KSTACK || b->id == BUILTIN_USTACK);
}

/* True if the value is only arithmetic on parameters, which a trampoline can compute at the return
 * as well. */
static bool is_plain(const struct compile *c, const struct slot *s)
{
	if (s->store.kind == STORE_HEADER || is_lasting(s))
		return true;
	if (c->in->target.method == EXPR_CTX_KPROBE || s->store.kind != STORE_SCALAR ||
	    s->plan.link_count)
		return false;
	for (size_t i = 0; i < s->plan.step_count; i++) {
		const struct ir_insn *step = &s->plan.steps[i];

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

/* A trampoline session costs more than fexit alone, but with many functions there is no
 * alternative. */
static bool needs_both(const struct compile *c)
{
	return c->in->session && c->in->target.method != EXPR_CTX_FENTRY;
}

bool call_lat_wanted(const struct compile *c)
{
	return c->p->calls.lat_wanted && !c->in->pair;
}

void call_keep(struct compile *c)
{
	struct expr_program *p = c->p;
	bool at_entry = false;

	if (!session_exists(c) || c->in->within.marks)
		return;
	p->calls.keep = p->calls.saved_args ? KEEP_RECORD :
			call_lat_wanted(c)  ? KEEP_TIME :
					      KEEP_NOTHING;
	for (size_t i = 0; i < p->slot_count; i++) {
		const struct slot *s = &p->slots[i];

		if (s->at_end)
			continue;
		if (i < p->filter_count)
			at_entry |= !s->at_return;
		else if (!s->at_return && !is_plain(c, s))
			p->calls.keep = KEEP_RECORD;
	}
	if (p->calls.keep == KEEP_NOTHING && (at_entry || needs_both(c)))
		p->calls.keep = KEEP_TIME;
	for (size_t i = p->filter_count; i < p->slot_count; i++) {
		struct slot *s = &p->slots[i];

		s->at_return |= p->calls.keep != KEEP_RECORD;
		p->calls.entry_counts |= p->table.count && !s->at_return && !s->at_end;
	}
}

/* ---- its size ---- */

void call_layout(struct expr_program *p)
{
	p->calls.record = p->calls.entry_counts ? sizeof(struct call_kept) : 0;
	p->calls.saved_at = !p->table.count ? p->calls.entry_end :
					      sizeof(struct call_kept) +
						      (p->calls.entry_counts ? p->record.size : 0);
	p->calls.size = p->calls.saved_at + 8 * __builtin_popcount(p->calls.saved_args);
	if (p->calls.keep == KEEP_TIME)
		p->calls.size = sizeof(struct call_kept);
}
