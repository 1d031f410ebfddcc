/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kept.c - what the begin of a pair keeps (emit/emit_pair_store.c), as user space finds it in the maps.
 */
#include <string.h>

#include "expr/layout/layout.h"
#include "expr/program.h"

size_t expr_kept_size(const struct expr_program *p)
{
	return p->pair_key_size ? p->kept_size : 0;
}

size_t expr_kept_key_size(const struct expr_program *p)
{
	return p->pair_key_size;
}

size_t expr_places_stride(const struct expr_program *p)
{
	return (size_t)1 << call_size_bits(p->kept_size);
}

size_t expr_places_size(const struct expr_program *p)
{
	for (size_t i = 0; i < p->map_count; i++)
		if (p->maps[i].kind == EXPR_MAP_PAIR_PLACES)
			return p->maps[i].value_size;
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
		memcpy(record + s->offset, &age, sizeof(age));
	else
		record[s->status] = FIELD_STATUS_NONE;
}

uint64_t expr_kept_record(const struct expr_program *p, const void *kept, uint64_t now,
			  void *record)
{
	uint64_t began, age;

	memcpy(&began, (const char *)kept + offsetof(struct call_kept, time), sizeof(began));
	age = now > began ? now - began : 0;
	memcpy(record, (const char *)kept + p->kept_at, p->record_size);
	if (!p->table.count)
		((struct event_header *)record)->ts = now;
	for (size_t i = p->filter_count; i < p->slot_count; i++)
		if (p->slots[i].at_end)
			end_fill(&p->slots[i], age, record);
	return age;
}

/* ---- counted ---- */

/* As emit/emit_measure.c has it. */
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
		memcpy(&value, (const char *)record + s->offset, sizeof(value));
		if (r->unread && s->status && ((const uint8_t *)record)[s->status])
			words[r->unread] = 1;
		else
			value_add(r, &measures[i], value, words);
	}
}
