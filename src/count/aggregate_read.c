/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_read.c - contents of the maps → rows, summed over the CPUs.
 */
#include "count/aggregate_read.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count/aggregate_merge.h"

/* ---- numbers ---- */

int64_t aggregate_value(const struct expr_result *r, const uint64_t *words, uint64_t *n)
{
	uint64_t value = words[r->word];

	*n = words[r->calls] - (r->unread ? words[r->unread] : 0);
	if (result_is_hist(r))
		return *n;
	if (r->kind == EXPR_MIN)
		value = ~value;
	if (result_is_best(r) && r->is_signed)
		value ^= 1ull << 63;
	return value;
}

/* ---- reading ---- */

struct reader {
	struct aggregate *a;
	struct aggregate_rows *rows;
	size_t room;
	uint64_t *values; /* owned: one entry, for all CPUs */
};

static int row_add(struct reader *r, const void *key)
{
	const struct expr_table *t = r->a->table;
	struct aggregate_rows *rows = r->rows;
	uint64_t *sum;
	char *bytes;

	if (rows->count == r->room) {
		r->room = r->room ? r->room * 2 : 64;
		bytes = realloc(rows->bytes, r->room * rows->stride);
		if (!bytes)
			return -ENOMEM;
		rows->bytes = bytes;
	}
	bytes = rows->bytes + rows->count++ * rows->stride;
	memcpy(bytes, key, t->key_size);
	sum = (uint64_t *)(bytes + t->key_size);
	memset(sum, 0, t->words * sizeof(*sum));
	for (int cpu = 0; cpu < r->a->cpus; cpu++)
		aggregate_words_add(t, sum, r->values + (size_t)cpu * t->words);
	return 0;
}

static int keys_read(struct reader *r, int map)
{
	char key[512], *before = NULL;
	int err = 0;

	while (!err && !bpf_map_get_next_key(map, before, key)) {
		before = key;
		if (!bpf_map_lookup_elem(map, key, r->values))
			err = row_add(r, key);
	}
	return err;
}

/* Each program has one entry; they make one row together. */
static int array_read(struct reader *r, int map)
{
	const struct expr_table *t = r->a->table;
	uint64_t *sum;
	int err = 0;

	for (uint32_t i = 0; i < r->a->programs && !err; i++) {
		if (bpf_map_lookup_elem(map, &i, r->values))
			return -errno;
		if (!i) {
			err = row_add(r, "");
			continue;
		}
		sum = (uint64_t *)r->rows->bytes;
		for (int cpu = 0; cpu < r->a->cpus; cpu++)
			aggregate_words_add(t, sum, r->values + (size_t)cpu * t->words);
	}
	return err;
}

/* ---- clearing ---- */

static int map_clear(struct reader *r, int map)
{
	const struct expr_table *t = r->a->table;
	char key[512];

	while (t->key_size && !bpf_map_get_next_key(map, NULL, key))
		if (bpf_map_delete_elem(map, key))
			return -errno;
	memset(r->values, 0, (size_t)r->a->cpus * t->words * sizeof(*r->values));
	for (uint32_t i = 0; i < r->a->programs && !t->key_size; i++)
		if (bpf_map_update_elem(map, &i, r->values, BPF_ANY))
			return -errno;
	return 0;
}

/* From here on the programs use the other map, and none still uses this one: the kernel waits for
 * running programs (maybe_wait_bpf_programs in kernel/bpf/syscall.c). */
static int maps_exchange(struct aggregate *a)
{
	int used = a->maps[0];
	uint32_t slot = 0;

	if (!a->input.switched)
		return 0;
	if (bpf_map_update_elem(a->counted, &slot, &a->maps[1], BPF_ANY))
		return -errno;
	a->maps[0] = a->maps[1];
	a->maps[1] = used;
	return 0;
}

int aggregate_rows_read(struct aggregate *a, struct aggregate_rows *rows)
{
	const struct expr_table *t = a->table;
	struct reader r = { .a = a, .rows = rows };
	int map, err;

	*rows = (struct aggregate_rows){ .stride = t->key_size + t->words * sizeof(uint64_t) };
	r.values = calloc((size_t)a->cpus * t->words, sizeof(*r.values));
	if (!r.values)
		return -ENOMEM;
	err = maps_exchange(a);
	map = a->maps[a->input.switched ? 1 : 0];
	if (!err)
		err = t->key_size ? keys_read(&r, map) : array_read(&r, map);
	if (!err && a->input.switched)
		err = map_clear(&r, map);
	free(r.values);
	return err;
}

static int keys_compare(const void *x, const void *y, void *table)
{
	return memcmp(x, y, ((const struct expr_table *)table)->key_size);
}

void aggregate_rows_unite(const struct aggregate *a, struct aggregate_rows *rows)
{
	size_t last = 0;

	if (!rows->count)
		return;
	qsort_r(rows->bytes, rows->count, rows->stride, keys_compare, (void *)a->table);
	for (size_t i = 1; i < rows->count; i++) {
		if (!keys_compare(row_key(rows, last), row_key(rows, i), (void *)a->table))
			aggregate_words_add(a->table, (uint64_t *)row_words(a, rows, last),
					    row_words(a, rows, i));
		else if (++last < i)
			memcpy(rows->bytes + last * rows->stride, row_key(rows, i), rows->stride);
	}
	rows->count = last + 1;
}

int aggregate_report(struct aggregate *a, struct aggregate_rows *rows, struct report *out)
{
	int err = aggregate_merge(a, rows);

	for (size_t i = 0; i < rows->count && !err; i++)
		err = report_row(out, row_key(rows, i), rows->stride);
	return err;
}
