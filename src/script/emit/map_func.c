/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * map_func.c - emits functions for the keys of a map: has_key(), delete(), find().
 */
#include "script/emit/gen.h"

/* f(@m[key]) or f(@m, key) */
static struct place key_of_call(struct sgen *g, struct script_expr *e)
{
	if (e->count < 2)
		return key_gen(g, e->map, e->items[0]->items, e->items[0]->count);
	return key_gen(g, e->map, e->items + 1, 1);
}

/* r0 = 1 or 0, by whether r0 is 0 */
static void as_truth(struct sgen *g, int jump)
{
	int yes = label_new(g->k), end = label_new(g->k);

	emit_jump(g->k, jump, BPF_REG_0, 0, yes);
	emit_move_imm(g->k, BPF_REG_0, 0);
	emit_goto(g->k, end);
	label_bind(g->k, yes);
	emit_move_imm(g->k, BPF_REG_0, 1);
	label_bind(g->k, end);
}

void has_key_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	struct place key = key_of_call(g, e);

	map_call_gen(g, e->map, key, HELPER_MAP_LOOKUP);
	as_truth(g, BPF_JNE);
	frame_drop(g, m);
}

/* find(@m, key, $var) */
void find_gen(struct sgen *g, struct script_expr *e)
{
	const struct script_map *map = e->map;
	struct script_var *v = e->items[2]->var;
	struct mark m = frame_mark(g);
	struct place key = key_gen(g, map, e->items + 1, 1), to = var_place(g, v);
	int none = label_new(g->k), end = label_new(g->k);

	lookup_gen(g, map, key);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	if (script_is_scalar(&map->value)) {
		scalar_load(g, BPF_REG_0, BPF_REG_0, 0, &map->value);
		place_store(g, 8, to, BPF_REG_0);
	} else {
		place_fill(g, to, BPF_REG_0, 0, map_value_size(map));
	}
	emit_move_imm(g->k, BPF_REG_0, 1);
	emit_goto(g->k, end);
	label_bind(g->k, none);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, end);
	frame_drop(g, m);
}

/* Clears the only value of a map. */
static void delete_value(struct sgen *g, const struct script_map *map, struct place key)
{
	if (map_is_per_cpu(map)) {
		count_reset_gen(g, map, key, g->span);
	} else {
		struct place zeros = place_alloc(g, map_entry_size(map));

		place_zero(g, zeros, map_entry_size(map));
		place_store_imm(g, 4, key, 0);
		map_update_gen(g, map, key, zeros);
	}
	emit_move_imm(g->k, BPF_REG_0, 1);
}

void delete_gen(struct sgen *g, struct script_expr *e)
{
	const struct script_map *map = e->map;
	struct mark m = frame_mark(g);
	struct place key = key_of_call(g, e);
	int done = label_new(g->k);

	map_release(g, map);
	if (map_is_array(map)) {
		delete_value(g, map, key);
		frame_drop(g, m);
		return;
	}
	map_call_gen(g, map, key, HELPER_MAP_DELETE);
	frame_drop(g, m);
	as_truth(g, BPF_JEQ);
	if (e->action) {
		emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, done);
		action_gen(g, e->action);
		label_bind(g->k, done);
	}
}
