/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * vm_maps.c - the maps of a program on the simulated machine (vm_maps.h).
 */
#include "vm_maps.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "vm_memory.h"

/* What a program may do with a kind of map; anything else is an error. */
static const struct kind_use {
	bool by_address, looked_up, read_only, deleted_from, made_of_own; /* the stack's bytes */
	enum expr_map_kind made_of; /* whose value new entries are copied from; 0: none are made */
} uses[EXPR_MAP_KINDS] = {
	[EXPR_MAP_LOSSES] = { .looked_up = true },
	[EXPR_MAP_FOLLOWED] = { .looked_up = true },
	[EXPR_MAP_NAMES] = { .by_address = true, .read_only = true },
	[EXPR_MAP_TEXT] = { .looked_up = true },
	[EXPR_MAP_COUNTS] = { .looked_up = true, .made_of = EXPR_MAP_BLANK },
	[EXPR_MAP_COUNTED] = { .looked_up = true },
	[EXPR_MAP_BLANK] = { .by_address = true, .read_only = true },
	[EXPR_MAP_SCRATCH] = { .looked_up = true },
	[EXPR_MAP_CLAIMED] = { .looked_up = true },
	[EXPR_MAP_STACK] = { .looked_up = true },
	[EXPR_MAP_STACKS] = { .looked_up = true, .made_of = EXPR_MAP_STACK },
	[EXPR_MAP_TABLE] = { .by_address = true, .read_only = true },
	[EXPR_MAP_CALLS] = { .looked_up = true, .deleted_from = true, .made_of = EXPR_MAP_PLACES },
	[EXPR_MAP_PLACES] = { .by_address = true },
	[EXPR_MAP_WITHIN] = { .looked_up = true, .deleted_from = true, .made_of_own = true },
	[EXPR_MAP_TRIGGER] = { .by_address = true },
	[EXPR_MAP_PAIRS] = { .looked_up = true, .deleted_from = true, .made_of = EXPR_MAP_PAIR },
	[EXPR_MAP_PAIR_PLACES] = { .by_address = true },
	[EXPR_MAP_PAIR] = { .looked_up = true },
	[EXPR_MAP_PATHS] = { .looked_up = true },
	[EXPR_MAP_SCRIPT] = { .by_address = true,
			      .looked_up = true,
			      .deleted_from = true,
			      .made_of_own = true },
	[EXPR_MAP_WORK] = { .looked_up = true },
	[EXPR_MAP_WALK] = { .by_address = true },
};

static bool is_hash(const struct vm_map *map)
{
	return map->asked->type == BPF_MAP_TYPE_HASH ||
	       map->asked->type == BPF_MAP_TYPE_PERCPU_HASH ||
	       map->asked->type == BPF_MAP_TYPE_LRU_HASH ||
	       map->asked->type == BPF_MAP_TYPE_LRU_PERCPU_HASH;
}

/* Where its entries are. */
static struct vm_map *hash_of(struct vm_map *map)
{
	return map->shared ? map->shared : map;
}

/* ---- making them ---- */

static const void *first_bytes(const struct vm *m, const struct vm_map *map)
{
	return map->asked->kind == EXPR_MAP_NAMES ? m->names : map->asked->bytes;
}

static void followed_put(struct vm *m, struct vm_map *map)
{
	memcpy(map->keys, &m->followed, sizeof(m->followed));
	map->used[0] = m->followed != 0;
	map->count = map->used[0];
}

static bool map_make(struct vm *m, struct vm_map *map, const struct expr_map *asked)
{
	*map = (struct vm_map){ .asked = asked };
	map->stride = (asked->value_size + 7) & ~7u;
	map->room = asked->entries ? asked->entries : 1;
	if (is_hash(map))
		map->room = asked->kind != EXPR_MAP_SCRIPT  ? VM_HASH_ROOM :
			    asked->entries < VM_SCRIPT_ROOM ? asked->entries :
							      VM_SCRIPT_ROOM;
	if ((uint64_t)map->room * map->stride > VM_VALUES_ROOM)
		return false;
	map->keys = calloc(map->room, asked->key_size + 1);
	map->values = calloc(map->room, map->stride + 1);
	if (first_bytes(m, map))
		memcpy(map->values, first_bytes(m, map), asked->value_size);
	if (asked->kind == EXPR_MAP_FOLLOWED)
		followed_put(m, map);
	return true;
}

/* Sizes that the program's own arithmetic relies on. */
static bool sizes_fit(struct vm *m)
{
	const struct vm_map *calls = vm_map_of(m, EXPR_MAP_CALLS),
			    *places = vm_map_of(m, EXPR_MAP_PLACES),
			    *text = vm_map_of(m, EXPR_MAP_TEXT);
	uint32_t kept = calls ? calls->asked->value_size : 0;

	if (text && text->asked->value_size != EXPR_TEXT_SIZE + EXPR_TEXT_CLAIM)
		return false;
	if (calls && (!kept || kept % 8))
		return false;
	if (!places)
		return true;
	return !(places->asked->value_size & (places->asked->value_size - 1)) &&
	       kept <= places->asked->value_size;
}

bool vm_maps_make(struct vm *m, const struct expr_program *p)
{
	const struct expr_map *asked = expr_maps(p, &m->map_count);
	bool fine = m->map_count <= VM_MAPS;

	if (!fine)
		m->map_count = 0;
	for (size_t i = 0; i < m->map_count; i++)
		fine &= map_make(m, &m->maps[i], &asked[i]);
	return fine && sizes_fit(m);
}

void vm_maps_free(struct vm *m)
{
	for (size_t i = 0; i < m->map_count; i++) {
		free(m->maps[i].keys);
		if (!m->maps[i].values_shared)
			free(m->maps[i].values);
	}
	m->map_count = 0;
}

struct vm_map *vm_map_of(struct vm *m, enum expr_map_kind kind)
{
	for (size_t i = 0; i < m->map_count; i++)
		if (m->maps[i].asked->kind == kind)
			return &m->maps[i];
	return NULL;
}

void vm_map_share(struct vm *m, struct vm *owner, enum expr_map_kind kind)
{
	struct vm_map *map = vm_map_of(m, kind);

	if (m == owner)
		return;
	free(map->values);
	map->values = vm_map_of(owner, kind)->values;
	map->values_shared = true;
	if (!is_hash(map))
		return;
	free(map->keys);
	map->keys = NULL;
	map->shared = vm_map_of(owner, kind);
}

void vm_map_fill(struct vm *m, enum expr_map_kind kind, uint8_t byte)
{
	struct vm_map *map = vm_map_of(m, kind);

	if (map)
		memset(map->values, byte, (size_t)map->room * map->stride);
}

uint64_t vm_loss(struct vm *m, enum loss loss)
{
	const struct vm_map *map = vm_map_of(m, EXPR_MAP_LOSSES);
	uint64_t count = 0;

	if (map)
		memcpy(&count, map->values + loss * map->stride, sizeof(count));
	return count;
}

/* ---- what a program sees of them ---- */

struct vm_map *vm_map_held(struct vm *m, size_t pc, int reg)
{
	uint64_t number = vm_use(m, pc, reg) - VM_MAP_AT;

	return number < m->map_count ? &m->maps[number] : NULL;
}

static uint64_t value_address(const struct vm *m, const struct vm_map *map, uint32_t entry)
{
	return VM_VALUES_AT + (map - m->maps) * VM_VALUES_ROOM + (uint64_t)entry * map->stride;
}

uint64_t vm_map_address(struct vm *m, size_t pc, uint32_t map)
{
	if (map < m->map_count && uses[m->maps[map].asked->kind].by_address)
		return value_address(m, &m->maps[map], 0);
	vm_trouble(m, pc, "the address of a value that has none");
	return 0;
}

uint8_t *vm_map_bytes(const struct vm *m, uint64_t at, uint64_t size, bool to_write)
{
	uint64_t number = (at - VM_VALUES_AT) / VM_VALUES_ROOM, offset = at % VM_VALUES_ROOM, entry;
	struct vm_map *map = number < m->map_count ? (struct vm_map *)&m->maps[number] : NULL;

	if (at < VM_VALUES_AT || !map || !map->stride)
		return NULL;
	entry = offset / map->stride;
	if (entry >= map->room || !vm_within(offset % map->stride, size, 0, map->asked->value_size))
		return NULL;
	if ((is_hash(map) && !hash_of(map)->used[entry]) ||
	    (to_write && uses[map->asked->kind].read_only))
		return NULL;
	return map->values + offset;
}

/* ---- hashes ---- */

/* A register points at bytes of its own: all were written. */
static const uint8_t *own_given(struct vm *m, size_t pc, int reg, uint32_t size)
{
	bool *marks;
	const uint8_t *bytes = vm_own(m, vm_use(m, pc, reg), size, &marks);

	if (!bytes)
		vm_trouble(m, pc, "a key or value that is none of its own");
	for (uint32_t i = 0; bytes && marks && i < size; i++)
		if (!marks[i])
			vm_trouble(m, pc, "a byte of a key or value was not written");
	return bytes;
}

static const uint8_t *key_given(struct vm *m, size_t pc, const struct vm_map *map)
{
	return own_given(m, pc, 2, map->asked->key_size);
}

/* Returns the entry of a key, or `room` if there is none. */
static uint32_t entry_find(const struct vm_map *map, const uint8_t *key)
{
	uint32_t size = map->asked->key_size, i = 0;

	while (i < map->room && !(map->used[i] && !memcmp(map->keys + i * size, key, size)))
		i++;
	return i;
}

static uint32_t entry_free(const struct vm_map *map)
{
	uint32_t i = 0;

	while (i < map->room && map->used[i])
		i++;
	return i;
}

static bool entry_make(struct vm_map *map, const uint8_t *key, uint32_t *entry)
{
	*entry = entry_free(map);
	if (*entry == map->room)
		return false;
	memcpy(map->keys + *entry * map->asked->key_size, key, map->asked->key_size);
	map->used[*entry] = true;
	map->count++;
	return true;
}

/* ---- helpers ---- */

static uint64_t array_lookup(struct vm *m, size_t pc, struct vm_map *map)
{
	uint64_t entry = vm_load(m, pc, BPF_REG_10, vm_use(m, pc, 2), 4);

	if (entry >= map->room) {
		vm_trouble(m, pc, "lookup of a key that the array has not");
		return 0;
	}
	if (map->asked->type == BPF_MAP_TYPE_ARRAY_OF_MAPS)
		return VM_MAP_AT + (vm_map_of(m, EXPR_MAP_COUNTS) - m->maps);
	return value_address(m, map, entry);
}

uint64_t vm_map_lookup(struct vm *m, size_t pc)
{
	struct vm_map *map = vm_map_held(m, pc, 1);
	const uint8_t *key;
	uint32_t entry;

	if (!map || !uses[map->asked->kind].looked_up) {
		vm_trouble(m, pc, "lookup in a wrong map");
		return 0;
	}
	if (!is_hash(map))
		return array_lookup(m, pc, map);
	key = key_given(m, pc, map);
	entry = key ? entry_find(hash_of(map), key) : map->room;
	return entry < map->room ? value_address(m, map, entry) : 0;
}

/* What a call under way is copied from may be any other call's by now: any bytes. */
static void entry_fill(struct vm_map *map, uint32_t entry, const uint8_t *from)
{
	uint8_t *value = map->values + (size_t)entry * map->stride;

	if (map->asked->kind == EXPR_MAP_CALLS)
		memset(value, 0xee, map->asked->value_size);
	else
		memcpy(value, from, map->asked->value_size);
}

/* Returns the memory at r3 if a new value may be copied from it. */
static const uint8_t *value_given(struct vm *m, size_t pc, const struct vm_map *map)
{
	uint64_t at = vm_use(m, pc, 3);
	const struct vm_map *source;

	if (uses[map->asked->kind].made_of_own)
		return vm_map_bytes(m, at, map->asked->value_size, false) ?:
			       own_given(m, pc, 3, map->asked->value_size);
	source = vm_map_of(m, uses[map->asked->kind].made_of);
	if (!source && map->asked->kind == EXPR_MAP_STACKS) /* a script's memory */
		source = vm_map_of(m, EXPR_MAP_WORK);
	if (!source || (at != value_address(m, source, 0) && map->asked->kind != EXPR_MAP_STACKS))
		return NULL;
	return vm_map_bytes(m, at, map->asked->value_size, false);
}

/* An array's entries are all there. */
static uint64_t array_update(struct vm *m, size_t pc, struct vm_map *map)
{
	uint64_t entry = vm_load(m, pc, BPF_REG_10, vm_use(m, pc, 2), 4);
	const uint8_t *from = value_given(m, pc, map);

	if (entry >= map->room || !from || vm_use(m, pc, 4) != BPF_ANY)
		vm_trouble(m, pc, "an update that cannot be");
	else
		memcpy(map->values + entry * map->stride, from, map->asked->value_size);
	return 0;
}

uint64_t vm_map_for_each(struct vm *m, size_t pc)
{
	struct vm_map *map = vm_map_held(m, pc, 1);
	uint64_t function = vm_use(m, pc, 2), ctx = vm_use(m, pc, 3), count = 0;

	if (!map || !is_hash(map)) {
		vm_trouble(m, pc, "a walk of no hash");
		return 0;
	}
	for (uint32_t i = 0; i < map->room && !*m->trouble; i++) {
		uint64_t args[] = { VM_MAP_AT + (map - m->maps),
				    VM_KEYS_AT + (map - m->maps) * VM_VALUES_ROOM +
					    i * map->asked->key_size,
				    value_address(m, map, i), ctx };

		if (!map->used[i])
			continue;
		count++;
		if (vm_callback(m, pc, function, args))
			break;
	}
	return count;
}

uint64_t vm_map_lookup_per_cpu(struct vm *m, size_t pc)
{
	return vm_use(m, pc, 3) == VM_CPU ? vm_map_lookup(m, pc) : 0;
}

void *vm_script_value(struct vm *m, unsigned number, const void *key)
{
	for (size_t i = 0; i < m->map_count; i++) {
		struct vm_map *map = &m->maps[i];
		uint32_t entry;

		if (map->asked->kind != EXPR_MAP_SCRIPT || map->asked->number != number)
			continue;
		entry = is_hash(map) ? entry_find(map, key) : 0;
		return entry < map->room ? map->values + (size_t)entry * map->stride : NULL;
	}
	return NULL;
}

/* A key that a walk shows. */
const uint8_t *vm_key_bytes(const struct vm *m, uint64_t at, uint64_t size)
{
	uint64_t number = (at - VM_KEYS_AT) / VM_VALUES_ROOM, offset = at % VM_VALUES_ROOM;
	const struct vm_map *map = number < m->map_count ? &m->maps[number] : NULL;

	if (at < VM_KEYS_AT || at >= VM_VALUES_AT || !map || !map->keys ||
	    offset + size > (uint64_t)map->room * map->asked->key_size)
		return NULL;
	return map->keys + offset;
}

uint64_t vm_map_update(struct vm *m, size_t pc)
{
	struct vm_map *map = vm_map_held(m, pc, 1);
	uint64_t flags = vm_use(m, pc, 4);
	const uint8_t *key, *from;
	uint32_t entry;

	if (map && map->asked->type == BPF_MAP_TYPE_ARRAY && uses[map->asked->kind].made_of_own)
		return array_update(m, pc, map);
	from = map && is_hash(map) ? value_given(m, pc, map) : NULL;
	key = from ? key_given(m, pc, map) : NULL;
	if (!key || flags > BPF_NOEXIST) {
		vm_trouble(m, pc, "an update that cannot be");
		return -EINVAL;
	}
	entry = entry_find(hash_of(map), key);
	if (entry < map->room && flags == BPF_NOEXIST)
		return -EEXIST;
	if (entry == map->room && !entry_make(hash_of(map), key, &entry))
		return -E2BIG;
	entry_fill(map, entry, from);
	return 0;
}

uint64_t vm_map_delete(struct vm *m, size_t pc)
{
	struct vm_map *map = vm_map_held(m, pc, 1);
	const uint8_t *key;
	uint32_t entry;

	if (!map || !uses[map->asked->kind].deleted_from) {
		vm_trouble(m, pc, "delete in a wrong map");
		return -EINVAL;
	}
	key = key_given(m, pc, map);
	entry = key ? entry_find(hash_of(map), key) : map->room;
	if (entry == map->room)
		return -ENOENT;
	hash_of(map)->used[entry] = false;
	hash_of(map)->count--;
	return 0;
}
