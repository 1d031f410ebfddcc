/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_layout.c - layout of counted calls: measures → slots, and words of an entry.
 *
 * Nothing here knows how an entry is updated (emit/emit_aggregate.c), nor how it is shown.
 */
#include "expr/layout/layout.h"

#include <string.h>

#include "expr/ctype.h"

/* ---- slots: one per expression, however many measures it has ---- */

static int measured_slot(struct compile *c, size_t measure)
{
	const char *text = c->in->run.aggregate->measures[measure].text;
	struct expr_program *p = c->p;

	for (size_t i = p->filter_count + p->key_count; i < p->slot_count; i++) {
		if (!strcmp(p->slots[i].text, text))
			return i;
	}
	slot_add(c, text);
	if (!c->err)
		p->slots[p->slot_count - 1].input = c->in->count + c->in->condition_count + measure;
	return p->slot_count - 1;
}

static bool is_own(const struct compile *c, const struct expr_measure *m)
{
	return !m->owner || m->owner == c->in->owner;
}

void measures_add_slots(struct compile *c)
{
	const struct expr_aggregate *a = c->in->run.aggregate;
	struct expr_program *p = c->p;

	p->results = compile_alloc(c, a->count * sizeof(*p->results));
	p->result_slots = compile_alloc(c, a->count * sizeof(*p->result_slots));
	if (c->err)
		return;
	p->table.results = p->results;
	p->table.count = a->count;
	for (size_t i = 0; i < a->count && !c->err; i++)
		p->result_slots[i] = a->measures[i].kind == EXPR_COUNT ||
						     !is_own(c, &a->measures[i]) ?
					     -1 :
					     measured_slot(c, i);
}

/* ---- an entry ---- */

static uint64_t words_of(struct compile *c, const struct expr_measure *m, bool is_signed)
{
	switch (m->kind) {
	case EXPR_COUNT: return 0;
	case EXPR_HIST: return EXPR_HIST_BUCKETS + EXPR_HIST_ENDS;
	case EXPR_PCT: return EXPR_PCT_BUCKETS + EXPR_HIST_ENDS;
	case EXPR_LHIST:
		if (c->slot && !is_signed && m->high <= 0)
			compile_fail(c, c->slot->root->span,
				     "its values are never below 0: no bucket would hold one");
		return ((uint64_t)m->high - m->low - 1) / m->step + 3 + EXPR_HIST_ENDS;
	default: return 1;
	}
}

/* Returns the word that counts the calls of a measure's owner. It is before the owner's first
 * measure. */
static unsigned calls_word(struct compile *c, const struct expr_measure *m)
{
	const struct expr_measure *first = c->in->run.aggregate->measures;

	if (!m->owner)
		return 0;
	while (first->owner != m->owner)
		first++;
	return first < m ? c->p->results[first - c->in->run.aggregate->measures].calls :
			   c->p->table.words++;
}

/* Returns the word that counts unreadable values of a text. It is before the owner's first
 * measure of it. Programs that share a table, and the sides of a pair, do not know what others
 * can read. */
static unsigned unread_word(struct compile *c, const struct expr_measure *m)
{
	const struct expr_measure *first = c->in->run.aggregate->measures;
	bool may_differ = c->in->run.many || c->in->pair || c->in->site.many_places;

	if (!m->text || (!may_differ && !(c->slot && c->slot->plan.link_count)))
		return 0;
	while (first->owner != m->owner || !first->text || strcmp(first->text, m->text))
		first++;
	return first < m ? c->p->results[first - c->in->run.aggregate->measures].unread :
			   c->p->table.words++;
}

static struct expr_result result_of(struct compile *c, const struct expr_measure *m)
{
	const struct slot *s = c->slot;
	struct span whole;
	uint64_t words;
	struct expr_result r = {
		.kind = m->kind,
		.low = m->low,
		.step = m->step,
		.percents = m->percents,
		.is_own = is_own(c, m),
	};

	r.calls = calls_word(c, m);
	r.unread = unread_word(c, m);
	r.word = m->kind == EXPR_COUNT ? r.calls : c->p->table.words;
	if (m->name)
		r.name = arena_text(&c->p->arena, m->name, strlen(m->name));
	if (s) {
		r.is_signed = ctype_is_signed(c->in->btf, s->root->type);
		/* the sign decides how the least and the largest value are stored */
		r.fits_both = s->root->kind == NODE_NUMBER && s->root->number >= 0 &&
			      m->kind != EXPR_MIN && m->kind != EXPR_MAX;
		whole = s->ret.end ? s->ret : s->root->span;
		r.text = arena_text(&c->p->arena, s->text + whole.start, whole.end - whole.start);
		r.name = s->name.end ? arena_text(&c->p->arena, s->text + s->name.start,
						  s->name.end - s->name.start) :
				       NULL;
		r.field = (struct field){
			.name = s->place.key, .type = s->store.type, .unit = slot_unit(s), .size = 8
		};
	}
	words = words_of(c, m, r.is_signed);
	if (words > ENTRY_LIMIT / 8 - r.word)
		compile_fail(c, s ? s->root->span : (struct span){},
			     "too many buckets: an entry holds at most %d",
			     ENTRY_LIMIT / 8 - 8 - EXPR_HIST_ENDS);
	r.words = words;
	return r;
}

void measures_layout(struct compile *c)
{
	const struct expr_aggregate *a = c->in->run.aggregate;
	struct expr_program *p = c->p;

	p->table.words = 1; /* word 0 counts all calls */
	for (size_t i = 0; i < a->count && !c->err; i++) {
		c->slot = p->result_slots[i] < 0 ? NULL : &p->slots[p->result_slots[i]];
		p->results[i] = result_of(c, &a->measures[i]);
		p->table.words += p->results[i].words;
	}
	c->slot = NULL;
}
