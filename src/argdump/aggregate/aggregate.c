/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate.c - options → what is measured and by which key; the maps that hold the results.
 *
 * With --clear there are two maps, and the programs find the one in use through a third. Switching
 * maps waits for programs that still run, so no call is lost between reading and clearing.
 */
#include "argdump/aggregate/aggregate.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "argdump/aggregate/aggregate_schema.h"
#include "argdump/expr_list.h"
#include "util/log.h"

enum {
	KEYS_DEFAULT = 16384,
	KEYS_LEAST = 256,
	MEMORY = 64 << 20, /* bytes that keys may take on all CPUs, unless their number is given */
};

/* ---- options ---- */

static enum expr_measure_kind kind_of(const char *option)
{
	static const char *const names[] = { "count", "sum", "avg", "min", "max", "hist", "lhist" };
	int kind = 0;

	while (strcmp(names[kind], option))
		kind++;
	return kind;
}

/* Cuts ",0,100,10" off the end of `text`. */
static int steps_take(char *text, struct expr_measure *m)
{
	long long low, high, step;
	char *comma = text + strlen(text);
	int used = 0;

	for (int i = 0; i < 3; i++) {
		while (comma > text && *--comma != ',')
			;
	}
	if (sscanf(comma, ",%lld,%lld,%lld%n", &low, &high, &step, &used) != 3 || comma[used] ||
	    comma == text || step <= 0 || low >= high)
		return -EINVAL;
	*comma = '\0';
	m->low = low;
	m->high = high;
	m->step = step;
	return 0;
}

static int measure_add(struct aggregate *a, const char *option, char *text)
{
	struct expr_measure *m = &a->measures[a->input.count++];

	*m = (struct expr_measure){ .kind = kind_of(option), .text = text };
	if (m->kind != EXPR_LHIST || !steps_take(text, m))
		return 0;
	log_error(
		"--lhist '%s': expected an expression, the lowest value, the highest and the step",
		text);
	log_hint("--lhist 'count,0,4096,512'");
	return -EINVAL;
}

static int options_check(const struct aggregate_options *o, const struct options *common)
{
	const char *alone = o->by.count		? "by" :
			    common->top		? "top" :
			    common->interval_ns ? "interval" :
			    o->keys		? "keys" :
			    common->clear	? "clear" :
						  NULL;

	if (!o->measures.count && alone) {
		log_error("--%s needs a counting option", alone);
		log_hint("add --count, --sum, --avg, --min, --max, --hist or --lhist");
		return -EINVAL;
	}
	return 0;
}

/* Copies of the option texts, to be cut into pieces. */
static int texts_copy(struct aggregate *a, const struct option_list *l, char **copies)
{
	for (size_t i = 0; i < l->count; i++) {
		copies[i] = l->items[i].text ? strdup(l->items[i].text) : NULL;
		if (l->items[i].text && !copies[i])
			return -ENOMEM;
		a->texts[a->text_count++] = copies[i];
	}
	return 0;
}

int aggregate_set(struct aggregate *a, const struct aggregate_options *o,
		  const struct options *common)
{
	char *copies[OPTION_LIST_MAX];
	int err = options_check(o, common);

	a->options = o;
	a->maps[0] = a->maps[1] = a->spare = -1;
	a->input = (struct expr_aggregate){ .measures = a->measures, .switched = common->clear };
	if (!err)
		err = texts_copy(a, &o->measures, copies);
	for (size_t i = 0; i < o->measures.count && !err; i++)
		err = measure_add(a, o->measures.items[i].spec->name, copies[i]);
	if (!err)
		err = texts_copy(a, &o->by, copies);
	for (size_t i = 0; i < o->by.count && !err; i++)
		err = expr_list_cut("by", copies[i], a->keys, OPTION_LIST_MAX, &a->key_count);
	return err;
}

/* ---- maps ---- */

/* As many keys as the memory allows, unless the user gave a number. */
static uint32_t keys_room(const struct aggregate *a, const struct expr_map *map)
{
	uint64_t each = map->key_size + (uint64_t)map->value_size * a->cpus, fit = MEMORY / each;

	if (a->options->keys)
		return a->options->keys;
	return fit > KEYS_DEFAULT ? KEYS_DEFAULT : fit < KEYS_LEAST ? KEYS_LEAST : fit;
}

static int counts_create(struct aggregate *a, const struct expr_map *map)
{
	uint32_t keys = keys_room(a, map);
	int fd = program_map_create(map, keys);

	a->maps[0] = fd;
	if (fd < 0 || !a->input.switched)
		return fd;
	a->maps[1] = a->spare = program_map_create(map, keys);
	if (a->spare >= 0)
		return fd;
	close(fd);
	return a->spare;
}

/* The map that points to the table in use. */
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

static bool is_counting(enum expr_map_kind kind)
{
	return kind >= EXPR_MAP_COUNTS && kind <= EXPR_MAP_SCRATCH;
}

int aggregate_open(struct aggregate *a, const struct expr_program *p, unsigned programs,
		   struct program_maps *maps)
{
	size_t count;
	const struct expr_map *map = expr_maps(p, &count), *end = map + count;

	a->cpus = libbpf_num_possible_cpus();
	a->programs = programs;
	for (; map < end; map++) {
		if (!is_counting(map->kind))
			continue;
		maps->fds[map->kind] = map_create(a, map);
		if (maps->fds[map->kind] < 0)
			return maps->fds[map->kind];
	}
	return 0;
}

static const struct expr_map *map_of(const struct expr_program *p, enum expr_map_kind kind)
{
	size_t count;
	const struct expr_map *maps = expr_maps(p, &count);

	for (size_t i = 0; i < count; i++)
		if (maps[i].kind == kind)
			return &maps[i];
	return NULL;
}

static uint32_t scratch_size(const struct expr_program *p)
{
	const struct expr_map *map = map_of(p, EXPR_MAP_SCRATCH);

	return map ? map->value_size : 0;
}

bool aggregate_alike(const struct expr_program *a, const struct expr_program *b)
{
	const struct expr_table *x = expr_table(a), *y = expr_table(b);
	bool alike = x->key_size == y->key_size && x->words == y->words &&
		     scratch_size(a) == scratch_size(b) &&
		     expr_schema(a)->count == expr_schema(b)->count;

	for (size_t i = 0; i < x->count && alike; i++)
		alike = x->results[i].word == y->results[i].word &&
			x->results[i].is_signed == y->results[i].is_signed;
	return alike;
}

void aggregate_close(struct aggregate *a)
{
	if (a->options && a->spare >= 0)
		close(a->spare);
	a->spare = -1;
	aggregate_schemas_free(a);
	for (size_t i = 0; i < a->text_count; i++)
		free(a->texts[i]);
	a->text_count = 0;
}
