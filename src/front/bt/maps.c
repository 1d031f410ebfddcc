/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * maps.c - reads and clears maps of a program through bpf(2).
 *
 * Programs may run while a map is read: an entry that is added or removed meanwhile may be missed. Entries are read
 * in batches (since 5.6), which follow the map's buckets; a walk from key to key would restart when a key is removed.
 */
#include "front/bt/bt.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_LEAST = 256 };

static int map_fd(const struct bt *b, const struct script_map *map)
{
	return program_map_script(&b->a.maps, map->number);
}

static bool is_per_cpu(const struct script_map *map)
{
	return map->storage == SCRIPT_PER_CPU || map->storage == SCRIPT_LRU_PER_CPU;
}

static size_t rounded(size_t size)
{
	return (size + 7) & ~(size_t)7;
}

static uint32_t slot_of(const struct bt *b, const struct script_map *map)
{
	return script_map_slot(map, b->world.cpus, map->entries ?: b->script->config.max_map_keys);
}

/* Computes the sizes of the entries; an empty map has them as well. */
static void copy_begin(const struct bt *b, const struct script_map *map, struct bt_map_copy *e)
{
	int cpus = is_per_cpu(map) ? libbpf_num_possible_cpus() : 1;

	*e = (struct bt_map_copy){ .key_size = map->has_key ? map->key.size : sizeof(uint32_t),
				   .copies = cpus < 1 ? 1 : cpus };
	e->value_size = !map->has_key	? script_value_room(map->value.size) :
			is_per_cpu(map) ? slot_of(b, map) ?: rounded(map->value.size) :
					  map->value.size;
	e->stride = (size_t)e->value_size * e->copies;
}

static int copy_grow(struct bt_map_copy *e, size_t *room)
{
	size_t more = *room ? *room * 2 : BATCH_LEAST;
	char *keys = realloc(e->keys, more * e->key_size), *values;

	if (!keys)
		return -ENOMEM;
	e->keys = keys;
	values = realloc(e->values, more * e->stride + 8);
	if (!values)
		return -ENOMEM;
	e->values = values;
	*room = more;
	return 0;
}

/* Reads the only value, of an array: batches of per-CPU arrays are newer than 5.10. */
static int value_read(int fd, struct bt_map_copy *e)
{
	size_t room = 0;
	int err = copy_grow(e, &room);

	if (err)
		return err;
	memset(e->keys, 0, e->key_size);
	if (bpf_map_lookup_elem(fd, e->keys, e->values))
		return -errno;
	e->count = 1;
	return 0;
}

int bt_map_read(const struct bt *b, const struct script_map *map, struct bt_map_copy *e)
{
	LIBBPF_OPTS(bpf_map_batch_opts, opts);
	int fd = map_fd(b, map), err = 0;
	uint64_t token[2] = { 0 }; /* the kernel's: a bucket's number */
	bool first = true;
	size_t room = 0;

	copy_begin(b, map, e);
	if (fd >= 0 && !map->has_key)
		return value_read(fd, e);
	while (fd >= 0 && err != -ENOENT) {
		uint32_t count = room - e->count;

		if (!count || err == -ENOSPC) {
			err = copy_grow(e, &room);
			if (err)
				return err;
			continue;
		}
		err = bpf_map_lookup_batch(fd, first ? NULL : token, token,
					   e->keys + e->count * e->key_size,
					   e->values + e->count * e->stride, &count, &opts) ?
			      -errno :
			      0;
		if (err && err != -ENOENT && err != -ENOSPC)
			return err;
		if (err == -ENOSPC) /* the bucket does not fit */
			continue;
		e->count += count;
		first = false;
	}
	return 0;
}

void bt_map_copy_free(struct bt_map_copy *e)
{
	free(e->keys);
	free(e->values);
	*e = (struct bt_map_copy){ 0 };
}

bool bt_map_has_value(const struct bt_map_copy *e)
{
	uint64_t is_set = 0;

	for (unsigned i = 0; e->count && i < e->copies; i++) {
		uint64_t one;

		memcpy(&one, e->values + (size_t)(i + 1) * e->value_size - sizeof(one),
		       sizeof(one));
		is_set |= one;
	}
	return is_set;
}

/* Sets the only value to zeros, and the word `is_set` after it. */
static int value_reset(const struct bt *b, const struct script_map *map, uint64_t is_set)
{
	struct bt_map_copy e;
	int fd = map_fd(b, map), err = bt_map_read(b, map, &e);

	if (!err && e.count && (!is_set || bt_map_has_value(&e))) {
		memset(e.values, 0, e.stride);
		memcpy(e.values + e.value_size - sizeof(is_set), &is_set, sizeof(is_set));
		err = bpf_map_update_elem(fd, e.keys, e.values, BPF_ANY) ? -errno : 0;
	}
	bt_map_copy_free(&e);
	return err;
}

int bt_map_clear(const struct bt *b, const struct script_map *map)
{
	struct bt_map_copy e;
	int fd = map_fd(b, map), err;

	if (!map->has_key)
		return value_reset(b, map, 0);
	err = bt_map_read(b, map, &e);

	for (size_t i = 0; i < e.count && !err; i++)
		if (bpf_map_delete_elem(fd, e.keys + i * e.key_size) && errno != ENOENT)
			err = -errno;
	bt_map_copy_free(&e);
	return err;
}

int bt_map_zero(const struct bt *b, const struct script_map *map)
{
	struct bt_map_copy e;
	int fd = map_fd(b, map),
	    err = map->has_key ? bt_map_read(b, map, &e) : value_reset(b, map, 1);
	char *zeros;

	if (!map->has_key)
		return err;
	zeros = err ? NULL : calloc(1, e.stride + 8);

	if (!err && !zeros)
		err = -ENOMEM;
	for (size_t i = 0; i < e.count && !err; i++)
		if (bpf_map_update_elem(fd, e.keys + i * e.key_size, zeros, BPF_EXIST) &&
		    errno != ENOENT)
			err = -errno;
	free(zeros);
	bt_map_copy_free(&e);
	return err;
}
