/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * map_value.c - emits reads, assignments and updates of map values.
 */
#include "script/emit/gen.h"

static struct place key_of(struct sgen *g, struct script_expr *e)
{
	return key_gen(g, e->map, e->items, e->count);
}

/* ---- reuse of the value that the filter has read: /@start[tid]/ { … @start[tid] … } ---- */

static bool is_own_id(const struct script_expr *e)
{
	return e->kind == X_WORD && (e->func == FUNC_TID || e->func == FUNC_PID);
}

bool map_hold_gen(struct sgen *g, const struct script_expr *e, int none)
{
	if (e->kind != X_MAP || !script_is_scalar(&e->map->value) || e->count != 1 ||
	    !is_own_id(e->items[0]) || g->c->world->reports_failures)
		return false;
	value_gen(g, (struct script_expr *)e);
	g->held.of = e;
	g->held.at = spill(g, BPF_REG_0);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	return true;
}

void map_release(struct sgen *g, const struct script_map *map)
{
	if (g->held.of && g->held.of->map == map)
		g->held.of = NULL;
}

static bool is_held(const struct sgen *g, const struct script_expr *e)
{
	return g->held.of && g->held.of->map == e->map && !g->depth && e->count == 1 &&
	       is_own_id(e->items[0]) && e->items[0]->func == g->held.of->items[0]->func &&
	       e->items[0]->value == g->held.of->items[0]->value;
}

/* r0 = the value of the entry at r0, or 0 */
static void scalar_read(struct sgen *g, const struct script_map *map)
{
	bool reports = g->c->world->reports_failures;
	int none = label_new(g->k), end = label_new(g->k);

	if (!reports && !map_has_address(map))
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	else if (reports)
		map_unset_jump(g, map, none);
	scalar_load(g, BPF_REG_0, BPF_REG_0, 0, &map->value);
	if (reports)
		emit_goto(g->k, end);
	label_bind(g->k, none);
	if (reports) {
		missing_gen(g);
		emit_move_imm(g->k, BPF_REG_0, 0);
	}
	label_bind(g->k, end);
}

void map_value_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	struct place key;

	if (is_held(g, e)) {
		place_load(g, 8, BPF_REG_0, g->held.at);
		return;
	}
	key = key_of(g, e);
	if (script_is_aggregate(&e->map->value)) {
		count_number_gen(g, e->map, key, e->span);
	} else {
		lookup_gen(g, e->map, key);
		scalar_read(g, e->map);
	}
	frame_drop(g, m);
}

static void value_copy(struct sgen *g, const struct script_map *map, struct place key,
		       struct place to)
{
	int none = label_new(g->k), end = label_new(g->k);
	bool may_lack = !map_has_address(map) || g->c->world->reports_failures;

	lookup_gen(g, map, key);
	if (may_lack)
		map_unset_jump(g, map, none);
	place_fill(g, to, BPF_REG_0, 0, map_value_size(map));
	if (may_lack) {
		emit_goto(g->k, end);
		label_bind(g->k, none);
		missing_gen(g);
		place_zero(g, to, map_value_size(map));
	}
	label_bind(g->k, end);
}

void map_image_gen(struct sgen *g, struct script_expr *e, const struct script_type *want,
		   struct place to, bool is_key)
{
	struct mark m = frame_mark(g);
	const struct script_type *have = &e->map->value;
	struct place key = key_of(g, e), from;

	if (script_is_aggregate(have) && map_is_per_cpu(e->map)) {
		script_unsupported(g->c, e->span, "a value of this kind");
	} else if (script_type_equal(want, have) && !(is_key && want->size > SMALL)) {
		value_copy(g, e->map, key, to);
	} else {
		from = place_alloc(g, have->size);
		value_copy(g, e->map, key, from);
		image_convert(g, want, to, have, from, is_key);
	}
	frame_drop(g, m);
}

static void assign_number(struct sgen *g, struct script_expr *target, struct script_expr *value)
{
	const struct script_map *map = target->map;
	int absent = label_new(g->k), done = label_new(g->k);
	struct place number, key;

	number_gen(g, value);
	number = spill(g, BPF_REG_0);
	key = key_of(g, target);
	if (map->is_deleted && !map_is_array(map)) {
		map_update_gen(g, map, key, number);
		return;
	}
	lookup_gen(g, map, key);
	if (!map_has_address(map))
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, absent);
	place_load(g, 8, BPF_REG_1, number);
	emit_store(g->k, map_value_size(map), BPF_REG_0, 0, BPF_REG_1);
	map_set_note(g, map, BPF_REG_0);
	if (!map_has_address(map)) {
		emit_goto(g->k, done);
		label_bind(g->k, absent);
		map_update_gen(g, map, key, number);
	}
	label_bind(g->k, done);
}

static void assign_image(struct sgen *g, struct script_expr *target, struct script_expr *value)
{
	uint32_t size = map_entry_size(target->map);
	struct place image = place_alloc(g, size), key;

	if (!target->map->value.size) /* () */
		place_zero(g, image, map_value_size(target->map));
	if (map_value_size(target->map) % 8 && map_is_array(target->map))
		place_store_imm(g, 8, place_plus(image, size - 16),
				0); /* the gap between value and word */
	image_gen(g, value, &target->map->value, image, true);
	key = key_of(g, target);
	if (map_is_array(target->map)) {
		place_store_imm(g, 4, key, 0);
		place_store_imm(g, 8, place_plus(image, size - 8), 1);
	}
	map_update_gen(g, target->map, key, image);
}

void map_set(struct sgen *g, struct script_expr *target, struct script_expr *value)
{
	struct mark m = frame_mark(g);

	map_release(g, target->map);
	if (script_is_scalar(&target->map->value))
		assign_number(g, target, value);
	else
		assign_image(g, target, value);
	frame_drop(g, m);
}

/* r0 = the entry to change. With -k a missing entry is reported. */
static void entry_change(struct sgen *g, const struct script_map *map, struct place key, int lost)
{
	g->reports_missing = true;
	entry_gen(g, map, key, lost);
	g->reports_missing = false;
}

/* Adds r1 to the entry at r0. */
static void add_in_place(struct sgen *g, const struct script_map *map)
{
	uint32_t size = map_value_size(map);

	if (size == 8) {
		emit_atomic_add(g->k, BPF_REG_0, 0, BPF_REG_1, false);
		return;
	}
	emit_load(g->k, size, BPF_REG_2, BPF_REG_0, 0);
	emit_alu(g->k, BPF_ADD, BPF_REG_2, BPF_REG_1);
	emit_store(g->k, size, BPF_REG_0, 0, BPF_REG_2);
}

static void change_in_place(struct sgen *g, const struct script_map *map, enum oper oper)
{
	struct mark m = frame_mark(g);
	struct place value = spill(g, BPF_REG_0);

	scalar_load(g, BPF_REG_0, BPF_REG_0, 0, &map->value);
	oper_gen(g, oper, &map->value);
	place_load(g, 8, BPF_REG_3, value);
	emit_store(g->k, map_value_size(map), BPF_REG_3, 0, BPF_REG_0);
	frame_drop(g, m);
}

void map_change(struct sgen *g, struct script_expr *target, enum oper oper,
		struct script_expr *value)
{
	const struct script_map *map = target->map;
	struct mark m = frame_mark(g);
	struct place number, key;
	int lost = label_new(g->k);

	number_gen(g, value);
	if (map->value.kind == SCRIPT_POINTER)
		emit_alu_imm(g->k, BPF_MUL, BPF_REG_0, pointee_size(g, &map->value));
	if (oper == OPER_SUB)
		emit_negate(g->k, BPF_REG_0);
	map_release(g, map);
	number = spill(g, BPF_REG_0);
	key = key_of(g, target);
	g->at = target->span;
	entry_change(g, map, key, lost);
	place_load(g, 8, BPF_REG_1, number);
	if (oper == OPER_ADD || oper == OPER_SUB)
		add_in_place(g, map);
	else
		change_in_place(g, map, oper);
	lost_gen(g, lost);
	frame_drop(g, m);
}

/* @x++: r0 = the value before or after the step. */
void map_step(struct sgen *g, struct script_expr *e)
{
	const struct script_map *map = e->a->map;
	int32_t by = map->value.kind == SCRIPT_POINTER ? (int32_t)pointee_size(g, &map->value) : 1;
	struct mark m = frame_mark(g);
	struct place key = key_of(g, e->a);
	int lost = label_new(g->k), end = label_new(g->k);

	map_release(g, map);
	if (e->oper == OPER_SUB)
		by = -by;
	entry_change(g, map, key, lost);
	if (!e->discards)
		scalar_load(g, BPF_REG_3, BPF_REG_0, 0, &map->value);
	emit_move_imm(g->k, BPF_REG_1, by);
	add_in_place(g, map);
	if (!e->discards) {
		emit_address(g->k, BPF_REG_0, BPF_REG_3, e->is_prefix ? by : 0);
		extend_gen(g, BPF_REG_0, map_value_size(map), map->value.is_signed);
	}
	emit_goto(g->k, end);
	label_bind(g->k, lost);
	loss_gen(g, LOSS_KEYS_FULL);
	emit_move_imm(g->k, BPF_REG_0, 0);
	label_bind(g->k, end);
	frame_drop(g, m);
}
