/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * walk.c - emits for ($kv : @map) and len(@map) for kernels where no program can walk a map: before 5.13.
 *
 * The process that runs the program walks the map. The program returns with a request (struct script_walk), is run
 * again with the answer, and resumes where it was. Its stack is saved in scratch memory, which is not per processor
 * then.
 */
#include <stddef.h>

#include "script/emit/gen.h"

bool walks_here(const struct sgen *g)
{
	enum script_probe_kind kind = g->c->point->attach->kind;

	return !g->c->world->has_for_each && g->target->method == EXPR_CTX_NONE &&
	       (kind == PROBE_BEGIN || kind == PROBE_END || kind == PROBE_REPORT ||
		kind == PROBE_INTERVAL || kind == PROBE_TEST || kind == PROBE_BENCH);
}

static void walk_address(struct sgen *g, int dst)
{
	const struct expr_map map = { .kind = EXPR_MAP_WALK,
				      .type = BPF_MAP_TYPE_ARRAY,
				      .key_size = 4,
				      .value_size = script_walk_size(g->known.walk_key),
				      .entries = 1 };

	emit_map_value(g->k, dst, map_index(&g->xc, &map));
}

/* ---- the stack ---- */

static struct place stack_room(struct sgen *g)
{
	return place_alloc_work(g, g->used);
}

static void stack_save(struct sgen *g, struct place to, uint32_t used)
{
	for (uint32_t off = FRAME_USED + 8; off <= used; off += 8) {
		emit_load(g->k, 8, BPF_REG_0, BPF_REG_10, -(int)off);
		place_store(g, 8, place_plus(to, off - FRAME_USED - 8), BPF_REG_0);
	}
}

static void stack_restore(struct sgen *g, struct place from, uint32_t used)
{
	for (uint32_t off = FRAME_USED + 8; off <= used; off += 8) {
		place_load(g, 8, BPF_REG_0, place_plus(from, off - FRAME_USED - 8));
		emit_store(g->k, 8, BPF_REG_10, -(int)off, BPF_REG_0);
	}
}

/* ---- prologue ---- */

void walk_begin_gen(struct sgen *g)
{
	if (!g->known.walks)
		return;
	for (int off = FRAME_USED + 8; off <= STACK_MOST; off += 8)
		emit_store_imm(g->k, 8, BPF_REG_10, -off, 0); /* otherwise it could not be saved */
	walk_address(g, BPF_REG_0);
	emit_load(g->k, 4, BPF_REG_1, BPF_REG_0, offsetof(struct script_walk, resume));
	emit_store_imm(g->k, 4, BPF_REG_0, offsetof(struct script_walk, request), SCRIPT_WALK_NONE);
	for (unsigned i = 1; i <= g->known.walks && i <= WALKS_MAX; i++) {
		g->walk_labels[i] = label_new(g->k);
		emit_jump(g->k, BPF_JEQ, BPF_REG_1, i, g->walk_labels[i]);
	}
}

/* ---- requests ---- */

/* Returns a place where the program resumes, numbered from 1. */
static unsigned place_new(struct sgen *g, const struct script_map *map)
{
	if (g->needs.walks == WALKS_MAX) {
		script_fail(g->c, g->span, "more than %d loops over maps in one program",
			    WALKS_MAX);
		return 1;
	}
	if (map->key.size > g->needs.walk_key)
		g->needs.walk_key = map->key.size;
	return ++g->needs.walks;
}

static void request_gen(struct sgen *g, const struct script_walk *w)
{
	walk_address(g, BPF_REG_0);
	emit_store_imm(g->k, 4, BPF_REG_0, offsetof(struct script_walk, resume), w->resume);
	emit_store_imm(g->k, 4, BPF_REG_0, offsetof(struct script_walk, request), w->request);
	emit_store_imm(g->k, 4, BPF_REG_0, offsetof(struct script_walk, map), w->map);
	emit_goto(g->k, g->x.found);
}

/* Binds the place. r0 = the answer; the stack is restored. */
static void resume_gen(struct sgen *g, unsigned number, struct place stack, uint32_t used)
{
	if (number <= g->known.walks)
		label_bind(g->k, g->walk_labels[number]);
	stack_restore(g, stack, used);
	walk_address(g, BPF_REG_0);
	emit_load(g->k, 8, BPF_REG_0, BPF_REG_0, offsetof(struct script_walk, answer));
}

/* ---- for ---- */

/* Builds the tuple of the answered key and its value; jumps to `next` if the key is gone. */
static void entry_gen_here(struct sgen *g, struct script_stmt *s, int next)
{
	const struct script_map *map = s->a->map;
	struct mark m = frame_mark(g);
	struct place key = place_alloc(g, map->key.size), value;

	walk_address(g, BPF_REG_0);
	place_fill(g, key, BPF_REG_0, offsetof(struct script_walk, key), map->key.size);
	lookup_gen(g, map, key);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, next);
	value = place_alloc(g, map_value_size(map));
	if (!script_is_aggregate(&map->value))
		place_fill(g, value, BPF_REG_0, 0, map_value_size(map));
	loop_entry_store(g, map, s->target->var, key, value);
	frame_drop(g, m);
}

void walk_for_gen(struct sgen *g, struct script_stmt *s)
{
	const struct script_map *map = s->a->map;
	uint32_t used = g->used;
	struct place stack = stack_room(g);
	unsigned number = place_new(g, map);
	struct script_walk request = { number, SCRIPT_WALK_FIRST, map->number };
	int next = label_new(g->k), end = label_new(g->k);

	stack_save(g, stack, used);
	request_gen(g, &request);
	resume_gen(g, number, stack, used);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, end);
	entry_gen_here(g, s, next);
	loop_body_gen(g, s->body, next, end);
	label_bind(g->k, next);
	stack_save(g, stack, used);
	request.request = SCRIPT_WALK_NEXT;
	request_gen(g, &request);
	label_bind(g->k, end);
}

/* ---- len() ---- */

void walk_len_gen(struct sgen *g, const struct script_map *map)
{
	struct mark m = frame_mark(g);
	uint32_t used = g->used;
	struct place stack = stack_room(g);
	unsigned number = place_new(g, map);
	const struct script_walk request = { number, SCRIPT_WALK_COUNT, map->number };

	stack_save(g, stack, used);
	request_gen(g, &request);
	resume_gen(g, number, stack, used);
	frame_drop(g, m);
}
