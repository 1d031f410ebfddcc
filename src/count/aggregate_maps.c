/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_maps.c - the maps that hold the results, and the table that all programs share.
 *
 * With --clear there are two maps, and the programs find the one in use through a third. Switching maps waits for
 * programs that still run, so no call is lost between reading and clearing.
 */
#include "count/aggregate.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	KEYS_LEAST = 256,
	MEMORY = 64 << 20, /* bytes for keys on all CPUs, unless the user gave their number */
};

/* Returns the user's number of keys, else as many as the memory allows. A key that is only the function has one value
 * for each: the kernel makes all entries at once, which takes 6 us an entry. */
static uint32_t keys_room(const struct aggregate *a, const struct expr_map *map)
{
	uint64_t each = map->key_size + (uint64_t)a->slot * 8 * a->cpus, fit = MEMORY / each;

	if (a->options.keys && !a->is_drained)
		return a->options.keys;
	if (a->point_count && a->point_count < KEYS_LEAST && a->table->has_source &&
	    a->table->key_size == sizeof(struct record_source))
		return KEYS_LEAST;
	return fit > EXPR_KEYS ? EXPR_KEYS : fit < KEYS_LEAST ? KEYS_LEAST : fit;
}

static int counts_create(struct aggregate *a, const struct expr_map *map)
{
	uint32_t keys;
	int fd;

	a->slot = map->value_size / 8 / (map->type == BPF_MAP_TYPE_HASH ? a->cpus : 1);
	keys = keys_room(a, map);
	fd = program_map_create(map, keys);
	a->maps[0] = fd;
	if (fd < 0 || !a->input.switched)
		return fd;
	a->maps[1] = a->spare = program_map_create(map, keys);
	if (a->spare >= 0)
		return fd;
	close(fd);
	return a->spare;
}

/* Creates the map that points to the table in use. */
static int counted_create(struct aggregate *a, const struct expr_map *map)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .inner_map_fd = a->maps[0]);
	uint32_t slot = 0;
	int fd = bpf_map_create(map->type, expr_map_name(map->kind), map->key_size, map->value_size,
				map->entries, &opts),
	    err;

	if (fd < 0)
		return -errno;
	a->counted = fd;
	if (!bpf_map_update_elem(fd, &slot, &a->maps[0], BPF_ANY))
		return fd;
	err = -errno;
	close(fd);
	return err;
}

static int map_create(struct aggregate *a, const struct expr_map *map)
{
	switch (map->kind) {
	case EXPR_MAP_COUNTS: return counts_create(a, map);
	case EXPR_MAP_COUNTED: return counted_create(a, map);
	default: return program_map_create(map, 0);
	}
}

/* Returns the map of that kind with the largest values that any program needs; NULL: none needs it. A program that
 * lacks it may still be compiled again, for another attach method, in a way that needs it. */
static const struct expr_map *map_largest(const struct expr_program *const *programs, size_t count,
					  enum expr_map_kind kind)
{
	const struct expr_map *largest = NULL;
	size_t maps;

	for (size_t i = 0; i < count; i++) {
		const struct expr_map *map = expr_maps(programs[i], &maps), *end = map + maps;

		for (; map < end; map++)
			if (map->kind == kind &&
			    (!largest || map->value_size > largest->value_size))
				largest = map;
	}
	return largest;
}

int aggregate_open(struct aggregate *a, const struct expr_program *const *programs, size_t count,
		   unsigned all, struct program_maps *maps)
{
	a->cpus = libbpf_num_possible_cpus();
	a->programs = all;
	for (int kind = EXPR_MAP_COUNTS; kind <= EXPR_MAP_CLAIMED; kind++) {
		const struct expr_map *map = map_largest(programs, count, kind);

		if (!map)
			continue;
		maps->fds[kind] = map_create(a, map);
		if (maps->fds[kind] < 0)
			return maps->fds[kind];
	}
	return 0;
}

/* ---- programs that share a table ---- */

static const char *keys_unlike(const struct expr_program *a, const struct expr_program *b)
{
	const struct schema *x = expr_schema(a), *y = expr_schema(b);
	bool alike = x->count == y->count;

	for (size_t i = 0; i < x->count && alike; i++)
		alike = !strcmp(x->fields[i].name, y->fields[i].name);
	return alike ? NULL : "their keys (--by) have other names";
}

const char *aggregate_unlike(const struct expr_program *a, const struct expr_program *b)
{
	const struct expr_table *x = expr_table(a), *y = expr_table(b);
	bool alike = x->key_size == y->key_size && x->words == y->words;

	for (size_t i = 0; i < x->count && alike; i++) {
		const struct expr_result *r = &x->results[i], *s = &y->results[i];

		alike = r->word == s->word &&
			(!r->is_own || !s->is_own || r->is_signed == s->is_signed || r->fits_both ||
			 s->fits_both);
	}
	return keys_unlike(a, b) ?: alike ? NULL : "their values have other types";
}

static const struct expr_result *result_find(const struct expr_program *const *programs,
					     size_t count, size_t measure)
{
	for (size_t i = 0; i < count; i++)
		if (expr_table(programs[i])->results[measure].is_own)
			return &expr_table(programs[i])->results[measure];
	return &expr_table(programs[0])->results[measure];
}

int aggregate_table_build(struct aggregate *a, const struct expr_program *const *programs,
			  size_t count)
{
	struct expr_result *results;

	free((void *)a->whole.results);
	a->whole = *expr_table(programs[0]);
	a->whole.results = results = calloc(a->whole.count, sizeof(*results));
	if (!results)
		return -ENOMEM;
	for (size_t i = 0; i < a->whole.count; i++)
		results[i] = *result_find(programs, count, i);
	a->table = &a->whole;
	return 0;
}
