/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * map.c - emits accesses to maps: keys, lookups, assignments.
 *
 * A map without keys is an array with one value. The program holds its address, or looks it up if it is per CPU. A
 * word after the value is 1 if a value is set, because the kernel cannot remove an entry of an array. A value is
 * computed before its key. Numbers are changed in place, so a new value costs one lookup.
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

static uint32_t map_entries(const struct sgen *g, const struct script_map *map)
{
	return map_is_array(map) ? 1 : map->entries ?: g->c->s->config.max_map_keys;
}

uint32_t map_slot(const struct sgen *g, const struct script_map *map)
{
	return script_map_slot(map, g->c->world->cpus, map_entries(g, map));
}

static enum bpf_map_type map_type(const struct sgen *g, const struct script_map *map)
{
	if (map_is_array(map))
		return map_is_per_cpu(map) ? BPF_MAP_TYPE_PERCPU_ARRAY : BPF_MAP_TYPE_ARRAY;
	if (map_slot(g, map))
		return BPF_MAP_TYPE_HASH;
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

/* Marks the entry whose address is in `reg` as set. */
void map_set_note(struct sgen *g, const struct script_map *map, int reg)
{
	if (map_is_array(map))
		emit_store_imm(g->k, 8, reg, map_entry_size(map) - 8, 1);
}

void map_unset_jump(struct sgen *g, const struct script_map *map, int none)
{
	if (!map_has_address(map)) {
		emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, none);
		return;
	}
	emit_load(g->k, 8, BPF_REG_1, BPF_REG_0, map_entry_size(map) - 8);
	emit_jump(g->k, BPF_JEQ, BPF_REG_1, 0, none);
}

/* Returns the size of a value in the kernel's map, all slots included. */
static uint32_t stored_size(const struct sgen *g, const struct script_map *map)
{
	return map_slot(g, map) * g->c->world->cpus ?: map_entry_size(map);
}

uint32_t map_number(struct sgen *g, const struct script_map *map)
{
	struct expr_map wanted = {
		.kind = EXPR_MAP_SCRIPT,
		.type = map_type(g, map),
		.key_size = map_is_array(map) ? 4 : map->key.size,
		.value_size = stored_size(g, map),
		.entries = map_entries(g, map),
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
		to = place_alloc_small(g, 8);
		if (map_is_per_cpu(map))
			place_store_imm(g, 4, to, 0);
		return to;
	}
	if (g->c->world->key_most && map->key.size > g->c->world->key_most) {
		script_fail(g->c, g->span,
			    "a key of @%s has %u bytes, but this kernel allows at most %u",
			    map->name, map->key.size, g->c->world->key_most);
		script_hint(g->c,
			    "shorten strings with config = { max_strlen = 64 } or str(…, 64)");
	}
	to = place_alloc(g, map->key.size);
	if (count > 1)
		tuple_key(g, &map->key, items, count, to);
	else if (count == 1)
		image_gen(g, items[0], &map->key, to, true);
	else
		script_fail(g->c, g->span, "@%s needs a key", map->name);
	return to;
}

/* r0 = the kernel's address of the map as a number; a negation makes the verifier forget that it is a pointer. */
void map_address_gen(struct sgen *g, const struct script_map *map)
{
	emit_map(g->k, BPF_REG_0, map_number(g, map));
	emit_negate(g->k, BPF_REG_0);
	emit_negate(g->k, BPF_REG_0);
}

/* ---- lookups ---- */

void map_call_gen(struct sgen *g, const struct script_map *map, struct place key, int helper)
{
	emit_map(g->k, BPF_REG_1, map_number(g, map));
	place_address(g, BPF_REG_2, key);
	emit_call(g->k, helper);
}

bool map_has_address(const struct script_map *map)
{
	return map_is_array(map) && !map_is_per_cpu(map);
}

void lookup_gen(struct sgen *g, const struct script_map *map, struct place key)
{
	if (map_has_address(map))
		emit_map_value(g->k, BPF_REG_0, map_number(g, map));
	else
		map_call_gen(g, map, key, HELPER_MAP_LOOKUP);
}

/* Returns the map of this program that holds zeros for new values. */
static uint32_t blank_map(struct sgen *g, uint32_t size)
{
	if (!g->blank)
		g->blank_map = map_add_table(&g->xc, NULL, size);
	if (size > g->blank)
		g->blank = size;
	return g->blank_map;
}

/* r3 = the address of zeros, as many as a value has bytes */
static void zeros_gen(struct sgen *g, uint32_t size)
{
	struct place zeros;

	if (size > SMALL) {
		emit_map_value(g->k, BPF_REG_3, blank_map(g, size));
		return;
	}
	zeros = place_alloc_small(g, size);
	place_zero(g, zeros, (size + 7) & ~7u);
	place_address(g, BPF_REG_3, zeros);
}

/* r0 = the slot of this processor in the value at r0 */
static void slot_gen(struct sgen *g, const struct script_map *map, int lost)
{
	struct mark m = frame_mark(g);
	struct place value;

	if (!map_slot(g, map))
		return;
	value = spill(g, BPF_REG_0);
	emit_call(g->k, HELPER_CPU);
	emit_jump(g->k, BPF_JGE, BPF_REG_0, g->c->world->cpus, lost); /* never taken */
	emit_alu_imm(g->k, BPF_MUL, BPF_REG_0, map_slot(g, map));
	place_load(g, 8, BPF_REG_1, value);
	emit_alu(g->k, BPF_ADD, BPF_REG_0, BPF_REG_1);
	frame_drop(g, m);
}

/* Reports that the only entry of a map is not set. */
static void unset_report(struct sgen *g, const struct script_map *map)
{
	int unset = label_new(g->k), end = label_new(g->k);
	struct mark m = frame_mark(g);
	struct place entry;

	if (!g->c->world->reports_failures)
		return;
	entry = spill(g, BPF_REG_0);
	map_unset_jump(g, map, unset);
	emit_goto(g->k, end);
	label_bind(g->k, unset);
	missing_gen(g);
	label_bind(g->k, end);
	place_load(g, 8, BPF_REG_0, entry);
	frame_drop(g, m);
}

void entry_gen(struct sgen *g, const struct script_map *map, struct place key, int lost)
{
	int found = label_new(g->k);
	struct mark m;

	lookup_gen(g, map, key);
	if (map_is_array(map)) {
		if (!map_has_address(map))
			emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, lost);
		if (g->reports_missing)
			unset_report(g, map);
		map_set_note(g, map, BPF_REG_0);
		return;
	}
	emit_jump(g->k, BPF_JNE, BPF_REG_0, 0, found);
	if (g->reports_missing)
		missing_gen(g);
	m = frame_mark(g);
	zeros_gen(g, stored_size(g, map));
	emit_map(g->k, BPF_REG_1, map_number(g, map));
	place_address(g, BPF_REG_2, key);
	/* another CPU may add the entry at the same time */
	emit_move_imm(g->k, BPF_REG_4, BPF_NOEXIST);
	emit_call(g->k, HELPER_MAP_UPDATE);
	frame_drop(g, m);
	lookup_gen(g, map, key);
	emit_jump(g->k, BPF_JEQ, BPF_REG_0, 0, lost);
	label_bind(g->k, found);
	slot_gen(g, map, lost);
}

void lost_gen(struct sgen *g, int lost)
{
	int end = label_new(g->k);

	emit_goto(g->k, end);
	label_bind(g->k, lost);
	loss_gen(g, LOSS_KEYS_FULL);
	label_bind(g->k, end);
}

/* ---- updates ---- */

void map_update_gen(struct sgen *g, const struct script_map *map, struct place key,
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
