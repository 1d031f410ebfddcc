/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * map.c - the maps of the script: keys, lookups, assignments.
 *
 * A map without keys is an array with one value, whose address the program has; per CPU it is looked up. A word behind
 * the value says whether there is one: the kernel cannot remove what is in an array. A value is computed before its key. Numbers are changed in place, so that a new value costs one lookup.
 */
#include "script/emit/gen.h"

/* ---- the kernel's maps ---- */

bool map_is_array(const struct script_map *map)
{
	return !map->has_key;
}

bool map_is_per_cpu(const struct script_map *map)
{
	return map->storage == SCRIPT_PER_CPU || map->storage == SCRIPT_LRU_PER_CPU;
}

static enum bpf_map_type map_type(const struct script_map *map)
{
	if (map_is_array(map))
		return map_is_per_cpu(map) ? BPF_MAP_TYPE_PERCPU_ARRAY : BPF_MAP_TYPE_ARRAY;
	switch (map->storage) {
	case SCRIPT_LRU_HASH: return BPF_MAP_TYPE_LRU_HASH;
	case SCRIPT_PER_CPU: return BPF_MAP_TYPE_PERCPU_HASH;
	case SCRIPT_LRU_PER_CPU: return BPF_MAP_TYPE_LRU_PERCPU_HASH;
	default: return BPF_MAP_TYPE_HASH;
	}
}

uint32_t map_value_size(const struct script_map *map)
{
	return map->value.size ?: 8;
}

uint32_t map_entry_size(const struct script_map *map)
{
	uint32_t size = map_value_size(map);

	return map_is_array(map) ? script_value_room(size) : size;
}

/* Notes that the entry whose address is in `reg` has a value. */
static void set_note(struct sgen *g, const struct script_map *map, int reg)
{
	if (map_is_array(map))
		emit_store_imm(g->k, 8, reg, map_entry_size(map) - 8, 1);
}

uint32_t map_number(struct sgen *g, const struct script_map *map)
{
	struct expr_map wanted = {
		.kind = EXPR_MAP_SCRIPT,
		.type = map_type(map),
		.key_size = map_is_array(map) ? 4 : map->key.size,
		.value_size = map_entry_size(map),
		.entries = map_is_array(map) ? 1 : map->entries ?: g->c->s->config.max_map_keys,
		.number = map->number,
	};

	return map_index(&g->xc, &wanted);
}

/* ---- keys ---- */

static void tuple_key(struct sgen *g, const struct script_type *t, struct script_expr **items,
		      size_t count, struct place to)
{
	struct script_expr tuple = { .kind = X_TUPLE, .items = items, .count = count, .type = *t };

	image_gen(g, &tuple, t, to, true);
}

struct place key_gen(struct sgen *g, const struct script_map *map, struct script_expr **items,
		     size_t count)
{
	struct place to;

	if (map_is_array(map)) {
		to = place_take_small(g, 8);
		if (map_is_per_cpu(map))
			place_store_imm(g, 4, to, 0);
		return to;
	}
	to = place_take(g, map->key.size);
	if (count > 1)
		tuple_key(g, &map->key, items, count, to);
	else if (count == 1)
		image_gen(g, items[0], &map->key, to, true);
	else
		script_fail(g->c, g->span, "@%s needs a key", map->name);
	return to;
}

static struct place key_of(struct sgen *g, struct script_expr *e)
{
	return key_gen(g, e->map, e->items, e->count);
}

/* ---- lookups ---- */

static void helper_gen(struct sgen *g, const struct script_map *map, struct place key, int helper)
{
	emit_map(g->k, BPF_REG_1, map_number(g, map));
	place_address(g, BPF_REG_2, key);
	emit_call(g->k, helper);
}

static bool has_address(const struct script_map *map)
{
	return map_is_array(map) && !map_is_per_cpu(map);
}

void lookup_gen(struct sgen *g, const struct script_map *map, struct place key)
{
	if (has_address(map))
		emit_map_value(g->k, BPF_REG_0, map_number(g, map));
	else
		helper_gen(g, map, key, HELPER_MAP_LOOKUP);
}

/* Zeros for new values: a map of this program. */
static uint32_t blank_map(struct sgen *g, uint32_t size)
{
	if (!g->blank)
		g->blank_map = map_add_table(&g->xc, NULL, size);
	if (size > g->blank)
		g->blank = size;
	return g->blank_map;
}

/* r3 = as many zeros as a value has */
static void zeros_gen(struct sgen *g, uint32_t size)
{
	struct place zeros;

	if (size > SMALL) {
		emit_map_value(g->k, BPF_REG_3, blank_map(g, size));
		return;
	}
	zeros = place_take_small(g, size);
	place_zero(g, zeros, (size + 7) & ~7u);
	place_address(g, BPF_REG_3, zeros);
}

void entry_gen(struct sgen *g, const struct script_map *map, struct place key, int lost)
{
	int found = label_new(g->k);
	struct mark m;

	lookup_gen(g, map, key);
	if (map_is_array(map)) {
		if (!has_address(map))
			emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, lost);
		set_note(g, map, BPF_REG_0);
		return;
	}
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, found);
	m = frame_mark(g);
	zeros_gen(g, map_value_size(map));
	emit_map(g->k, BPF_REG_1, map_number(g, map));
	place_address(g, BPF_REG_2, key);
	emit_move_imm(g->k, BPF_REG_4, BPF_NOEXIST); /* another CPU may add it at the same time */
	emit_call(g->k, HELPER_MAP_UPDATE);
	frame_drop(g, m);
	lookup_gen(g, map, key);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, lost);
	label_bind(g->k, found);
}

void lost_gen(struct sgen *g, int lost)
{
	int end = label_new(g->k);

	emit_goto(g->k, end);
	label_bind(g->k, lost);
	loss_gen(g, LOSS_KEYS_FULL);
	label_bind(g->k, end);
}

/* ---- reading ---- */

void map_value_gen(struct sgen *g, struct script_expr *e)
{
	struct mark m = frame_mark(g);
	struct place key = key_of(g, e);
	int none = label_new(g->k);

	if (script_is_aggregate(&e->map->value)) {
		count_number_gen(g, e->map, key, e->span);
	} else {
		lookup_gen(g, e->map, key);
		if (!has_address(e->map))
			emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
		scalar_load(g, BPF_REG_0, BPF_REG_0, 0, &e->map->value);
		label_bind(g->k, none);
	}
	frame_drop(g, m);
}

static void value_copy(struct sgen *g, const struct script_map *map, struct place key,
		       struct place to)
{
	int none = label_new(g->k), end = label_new(g->k);

	lookup_gen(g, map, key);
	if (!has_address(map))
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
	place_fill(g, to, BPF_REG_0, 0, map_value_size(map));
	if (!has_address(map)) {
		emit_goto(g->k, end);
		label_bind(g->k, none);
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
		script_later(g->c, e->span, "a value of this kind");
	} else if (script_type_equal(want, have) && !(is_key && want->size > SMALL)) {
		value_copy(g, e->map, key, to);
	} else {
		from = place_take(g, have->size);
		value_copy(g, e->map, key, from);
		image_convert(g, want, to, have, from, is_key);
	}
	frame_drop(g, m);
}

/* ---- assignments ---- */

/* r3 = the value */
static void update_gen(struct sgen *g, const struct script_map *map, struct place key,
		       struct place value)
{
	int done = label_new(g->k);

	place_address(g, BPF_REG_3, value);
	emit_map(g->k, BPF_REG_1, map_number(g, map));
	place_address(g, BPF_REG_2, key);
	emit_move_imm(g->k, BPF_REG_4, BPF_ANY);
	emit_call(g->k, HELPER_MAP_UPDATE);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, done);
	loss_gen(g, LOSS_KEYS_FULL);
	label_bind(g->k, done);
}

static void assign_number(struct sgen *g, struct script_expr *target, struct script_expr *value)
{
	const struct script_map *map = target->map;
	int absent = label_new(g->k), done = label_new(g->k);
	struct place number, key;

	number_gen(g, value);
	number = spill(g, BPF_REG_0);
	key = key_of(g, target);
	lookup_gen(g, map, key);
	if (!has_address(map))
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, absent);
	place_load(g, 8, BPF_REG_1, number);
	emit_store(g->k, map_value_size(map), BPF_REG_0, 0, BPF_REG_1);
	set_note(g, map, BPF_REG_0);
	if (!has_address(map)) {
		emit_goto(g->k, done);
		label_bind(g->k, absent);
		update_gen(g, map, key, number);
	}
	label_bind(g->k, done);
}

static void assign_image(struct sgen *g, struct script_expr *target, struct script_expr *value)
{
	uint32_t size = map_entry_size(target->map);
	struct place image = place_take(g, size), key;

	if (map_value_size(target->map) % 8 && map_is_array(target->map))
		place_store_imm(g, 8, place_plus(image, size - 16), 0); /* what is between value and word */
	image_gen(g, value, &target->map->value, image, true);
	key = key_of(g, target);
	if (map_is_array(target->map)) {
		place_store_imm(g, 4, key, 0);
		place_store_imm(g, 8, place_plus(image, size - 8), 1);
	}
	update_gen(g, target->map, key, image);
}

void map_set(struct sgen *g, struct script_expr *target, struct script_expr *value)
{
	struct mark m = frame_mark(g);

	if (script_is_scalar(&target->map->value))
		assign_number(g, target, value);
	else
		assign_image(g, target, value);
	frame_drop(g, m);
}

/* r0 = the entry: adds r1 to it. */
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
	emit_move(g->k, BPF_REG_3, BPF_REG_0);
	scalar_load(g, BPF_REG_0, BPF_REG_3, 0, &map->value);
	oper_gen(g, oper, &map->value);
	emit_store(g->k, map_value_size(map), BPF_REG_3, 0, BPF_REG_0);
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
	number = spill(g, BPF_REG_0);
	key = key_of(g, target);
	entry_gen(g, map, key, lost);
	place_load(g, 8, BPF_REG_1, number);
	if (oper == OPER_ADD || oper == OPER_SUB)
		add_in_place(g, map);
	else
		change_in_place(g, map, oper);
	lost_gen(g, lost);
	frame_drop(g, m);
}

/* @x++: r0 = the value before or after. */
void map_step(struct sgen *g, struct script_expr *e)
{
	const struct script_map *map = e->a->map;
	int32_t by = map->value.kind == SCRIPT_POINTER ? (int32_t)pointee_size(g, &map->value) : 1;
	struct mark m = frame_mark(g);
	struct place key = key_of(g, e->a);
	int lost = label_new(g->k), end = label_new(g->k);

	if (e->oper == OPER_SUB)
		by = -by;
	entry_gen(g, map, key, lost);
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

/* ---- has_key(), delete(), find() ---- */

/* f(@m[key]) or f(@m, key) */
static struct place key_of_call(struct sgen *g, struct script_expr *e)
{
	if (e->count < 2)
		return key_gen(g, e->map, e->items[0]->items, e->items[0]->count);
	return key_gen(g, e->map, e->items + 1, 1);
}

/* r0 = r0 is not 0, or is 0 */
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

	helper_gen(g, e->map, key, HELPER_MAP_LOOKUP);
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

/* The only value becomes 0. */
static void delete_value(struct sgen *g, const struct script_map *map, struct place key)
{
	if (map_is_per_cpu(map)) {
		count_reset_gen(g, map, key, g->span);
	} else {
		struct place zeros = place_take(g, map_entry_size(map));

		place_zero(g, zeros, map_entry_size(map));
		place_store_imm(g, 4, key, 0);
		update_gen(g, map, key, zeros);
	}
	emit_move_imm(g->k, BPF_REG_0, 1);
}

void delete_gen(struct sgen *g, struct script_expr *e)
{
	const struct script_map *map = e->map;
	struct mark m = frame_mark(g);
	struct place key = key_of_call(g, e);
	int done = label_new(g->k);

	if (map_is_array(map)) {
		delete_value(g, map, key);
		frame_drop(g, m);
		return;
	}
	helper_gen(g, map, key, HELPER_MAP_DELETE);
	frame_drop(g, m);
	as_truth(g, BPF_JEQ);
	if (e->action) {
		emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, done);
		action_gen(g, e->action);
		label_bind(g->k, done);
	}
}
