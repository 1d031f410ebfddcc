/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * maps.c - the maps of a program (expr_maps).
 *
 * Nothing here knows what a map is used for.
 */
#include "expr/compile.h"

#include <string.h>

#include "util/glob.h"

static const char *const names[EXPR_MAP_KINDS] = {
	[EXPR_MAP_RING] = "ring",
	[EXPR_MAP_LOSSES] = "losses",
	[EXPR_MAP_FOLLOWED] = "followed",
	[EXPR_MAP_CGROUPS] = "cgroups",
	[EXPR_MAP_NAMES] = "names",
	[EXPR_MAP_TEXT] = "text",
	[EXPR_MAP_COUNTS] = "counts",
	[EXPR_MAP_COUNTED] = "counted",
	[EXPR_MAP_BLANK] = "blank",
	[EXPR_MAP_SCRATCH] = "scratch",
	[EXPR_MAP_CLAIMED] = "claimed",
	[EXPR_MAP_PAIRS] = "pairs",
	[EXPR_MAP_PAIR] = "pair",
	[EXPR_MAP_STACKS] = "stacks",
	[EXPR_MAP_STACK] = "stack",
	[EXPR_MAP_NEWS] = "news",
	[EXPR_MAP_TABLE] = "table",
	[EXPR_MAP_CALLS] = "calls",
	[EXPR_MAP_PLACES] = "places",
	[EXPR_MAP_PATHS] = "paths",
	[EXPR_MAP_WITHIN] = "within",
	[EXPR_MAP_TRIGGER] = "trigger",
	[EXPR_MAP_PAIR_PLACES] = "pair_places",
	[EXPR_MAP_SCRIPT] = "script",
	[EXPR_MAP_WORK] = "work",
	[EXPR_MAP_WALK] = "walk",
};

const char *expr_map_name(enum expr_map_kind kind)
{
	return names[kind];
}

const char *expr_fact_name(enum expr_fact fact)
{
	static const char *const facts[EXPR_FACTS] = {
		[EXPR_FACT_PREEMPT] = "preempt",
		[EXPR_FACT_MIGRATE] = "migrate",
		[EXPR_FACT_RESCHED_BIT] = "resched",
		[EXPR_FACT_LAZY_BIT] = "lazy",
	};

	return facts[fact];
}

bool expr_map_is_own(enum expr_map_kind kind)
{
	return kind >= EXPR_MAP_TABLE;
}

bool expr_map_is_of_pair(enum expr_map_kind kind)
{
	return kind >= EXPR_MAP_PAIRS && kind <= EXPR_MAP_PAIR;
}

const struct expr_map *expr_maps(const struct expr_program *p, size_t *count)
{
	*count = p->maps.count;
	return p->maps.items;
}

/* Returns 0 after an error, which the stage checks for. */
static uint32_t map_add(struct compile *c, const struct expr_map *map)
{
	struct expr_program *p = c->p;
	struct expr_map *maps = compile_grown(c, p->maps.items, p->maps.count, &p->maps.room,
					      sizeof(*maps));

	if (!maps)
		return 0;
	p->maps.items = maps;
	p->maps.items[p->maps.count] = *map;
	return p->maps.count++;
}

uint32_t map_index(struct compile *c, const struct expr_map *map)
{
	for (size_t i = 0; i < c->p->maps.count; i++) {
		if (c->p->maps.items[i].kind == map->kind &&
		    c->p->maps.items[i].number == map->number)
			return i;
	}
	return map_add(c, map);
}

const struct expr_map *expr_map_of_run(enum expr_map_kind kind)
{
	static const struct expr_map known[] = {
		{ EXPR_MAP_RING, BPF_MAP_TYPE_RINGBUF, 0, 0, 0, NULL },
		{ EXPR_MAP_LOSSES, BPF_MAP_TYPE_PERCPU_ARRAY, 4, 8, LOSS_MAX, NULL },
		{ EXPR_MAP_FOLLOWED, BPF_MAP_TYPE_HASH, 4, 1, 0, NULL },
		{ EXPR_MAP_CGROUPS, BPF_MAP_TYPE_CGROUP_ARRAY, 4, 4, EVENT_CGROUPS_MAX, NULL },
		{ EXPR_MAP_NAMES, BPF_MAP_TYPE_ARRAY, 4, sizeof(glob_table), 1, NULL },
		{ EXPR_MAP_TEXT, BPF_MAP_TYPE_PERCPU_ARRAY, 4, EXPR_TEXT_SIZE + EXPR_TEXT_CLAIM,
		  EXPR_TEXTS, NULL },
	};

	return &known[kind];
}

uint32_t map_index_shared(struct compile *c, enum expr_map_kind kind)
{
	return map_index(c, expr_map_of_run(kind));
}

uint32_t map_add_table(struct compile *c, const void *bytes, uint32_t size)
{
	const struct expr_map map = { EXPR_MAP_TABLE, BPF_MAP_TYPE_ARRAY, 4, size, 1, bytes };

	return map_add(c, &map);
}

void map_print_name(const struct expr_program *p, uint32_t map, struct buf *o)
{
	unsigned number = 1;

	for (uint32_t i = 0; i < map; i++)
		number += p->maps.items[i].kind == p->maps.items[map].kind;
	buf_str(o, names[p->maps.items[map].kind]);
	if (number > 1)
		buf_printf(o, "%u", number);
}
