/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * failure.c - emits records for what goes wrong: a divisor of 0; with -k also each value that could not be read, or
 * was not in a map.
 *
 * Without -k no code is emitted for the latter. r0 holds the helper's result before and after.
 */
#include <stdlib.h>

#include "script/emit/gen.h"
#include "util/array.h"

/* ---- the action of a source location ---- */

/* Returns the span without enclosing parentheses. */
static struct span source_span(const struct sgen *g)
{
	const char *text = g->c->s->text;
	struct span at = g->at;

	while (at.start + 1 < at.end && text[at.start] == '(' && text[at.end - 1] == ')') {
		at.start++;
		at.end--;
	}
	return at;
}

static struct script_action *action_find(const struct sgen *g, enum script_action_kind kind,
					 const char *text)
{
	const struct script *s = g->c->s;
	struct span at = source_span(g);

	for (size_t i = 0; i < s->action_count; i++) {
		struct script_action *a = s->actions[i];

		if (a->kind == kind && a->text == text && a->span.start == at.start &&
		    a->span.end == at.end)
			return a;
	}
	return NULL;
}

static struct script_action *action_add(struct sgen *g, enum script_action_kind kind,
					const char *text)
{
	struct script *s = g->c->s;
	struct script_action *a = arena_alloc(&s->arena, sizeof(*a));

	if (!a || !ARRAY_RESERVE(s->actions, s->action_count, s->action_room, 16)) {
		g->c->err = -ENOMEM;
		return NULL;
	}
	*a = (struct script_action){
		.kind = kind,
		.number = s->action_count,
		.span = source_span(g),
		.text = text,
		.size = kind == ACTION_FAILURE ? sizeof(struct script_failure) :
						 sizeof(struct script_record),
	};
	return s->actions[s->action_count++] = a;
}

static struct script_action *action_of(struct sgen *g, enum script_action_kind kind,
				       const char *text)
{
	return action_find(g, kind, text) ?: action_add(g, kind, text);
}

/* ---- the record ---- */

/* Sends what is in the record behind its head. */
static void send_gen(struct sgen *g, const struct script_action *a, struct place record)
{
	int sent = label_new(g->k);

	place_store_imm(g, 4, record, a->number);
	point_gen(g, BPF_REG_0);
	place_store(g, 4, place_plus(record, 4), BPF_REG_0);
	emit_map(g->k, BPF_REG_1, map_index_shared(&g->xc, EXPR_MAP_RING));
	place_address(g, BPF_REG_2, record);
	emit_move_imm(g->k, BPF_REG_3, a->size);
	emit_move_imm(g->k, BPF_REG_4, 0);
	emit_call(g->k, HELPER_RING_OUTPUT);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, sent);
	loss_gen(g, LOSS_RING_FULL);
	label_bind(g->k, sent);
}

static void failure_gen(struct sgen *g, const struct script_action *a, struct place result)
{
	struct place record = place_alloc_small(g, sizeof(struct script_failure));

	place_load(g, 8, BPF_REG_0, result);
	place_store(g, 8, place_plus(record, 8), BPF_REG_0);
	send_gen(g, a, record);
}

/* True on the left side of ??, where failures are expected. */
static bool is_wanted(const struct sgen *g)
{
	return g->c->world->reports_failures && !g->is_reading;
}

void read_check(struct sgen *g, const char *helper)
{
	struct mark m = frame_mark(g);
	const struct script_action *a;
	struct place result;
	int fine = label_new(g->k);

	if (!is_wanted(g))
		return;
	a = action_of(g, ACTION_FAILURE, helper);
	if (!a)
		return;
	result = spill(g, BPF_REG_0);
	emit_jump(g->k, BPF_JSGE, BPF_REG_0, 0, fine);
	failure_gen(g, a, result);
	label_bind(g->k, fine);
	place_load(g, 8, BPF_REG_0, result);
	frame_drop(g, m);
}

void missing_gen(struct sgen *g)
{
	static const char helper[] = "map_lookup_elem";
	struct mark m = frame_mark(g);
	const struct script_action *a;
	struct place result;

	if (!is_wanted(g))
		return;
	a = action_of(g, ACTION_FAILURE, helper);
	if (!a)
		return;
	result = place_alloc_small(g, 8);
	place_store_imm(g, 8, result, 0);
	failure_gen(g, a, result);
	frame_drop(g, m);
}

void warning_gen(struct sgen *g, const char *text)
{
	struct mark m = frame_mark(g);
	const struct script_action *a = action_of(g, ACTION_WARNING, text);

	if (a)
		send_gen(g, a, place_alloc_small(g, sizeof(struct script_record)));
	frame_drop(g, m);
}
