/* SPDX-License-Identifier: GPL-2.0-only */
/* aggregate_read.c - reads the contents of the maps as rows, summed over the CPUs. */
#include "count/aggregate_read.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>

#include "output/field/value.h"
#include "output/field/value_json.h"

static inline bool result_is_best(const struct expr_result *r)
{
	return r->kind == EXPR_MIN || r->kind == EXPR_MAX;
}

/*
 * Merges rows whose keys differ only in parts that are not shown.
 *
 * A socket address is captured with the greatest length it can have; bytes after a shorter address are undefined.
 * Each program, and each of its functions, has its own entries. Stacks differ in the frames of the tracing itself,
 * and by process.
 */

struct look {
	size_t text; /* offset of the key's text */
	size_t row;
};

struct merge {
	const struct aggregate *a;
	struct aggregate_rows *rows;
	struct buf texts;
	struct look *looks;
};

/* Returns how many words at the end of a result are not added up: of these, the better value is kept. */
static unsigned best_count(const struct expr_result *r)
{
	return result_is_best(r) ? 1 : result_is_hist(r) ? EXPR_HIST_ENDS : 0;
}

/* Adds the words of one CPU; of minima and maxima, keeps the better value. */
void aggregate_words_add(const struct expr_table *t, uint64_t *sum, const uint64_t *one)
{
	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		for (unsigned end = r->word + r->words, i = end - best_count(r); i < end; i++) {
			if (sum[i] < one[i])
				sum[i] = one[i];
			sum[i] -= one[i]; /* the loop below adds it again */
		}
	}
	for (unsigned i = 0; i < t->words; i++)
		sum[i] += one[i];
}

/* True if rows are told apart by the counted function or event, and no key already names it. */
static bool has_point(const struct aggregate *a)
{
	return a->table->has_source && a->source == AGGREGATE_SOURCE_COLUMN;
}

static bool has_unseen(const struct aggregate *a)
{
	const struct schema *schema = a->key_schemas[0];

	if (a->table->has_source && !has_point(a))
		return true;
	for (size_t i = 0; i < schema->count; i++) {
		enum field_type type = schema->fields[i].type;

		if (type == FIELD_SOCKADDR || type == FIELD_SOCK || type == FIELD_LOCAL ||
		    type == FIELD_PEER || type == FIELD_LOCAL_IP || type == FIELD_PEER_IP ||
		    type == FIELD_KERNEL_STACK || type == FIELD_USER_STACK)
			return true;
	}
	return false;
}

/* Writes everything that is shown of a key, and records its row. */
static void key_visit(struct merge *m, size_t row)
{
	const char *key = row_key(m->rows, row);
	const struct schema *schema = row_key_schema(m->a, key);
	struct value v;

	m->looks[row] = (struct look){ m->texts.len, row };
	for (size_t i = 0; has_point(m->a) && i < 2 * sizeof(uint32_t); i++)
		buf_hex_pad(&m->texts, (uint8_t)key[i], 2);
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *f = &schema->fields[i];

		if (field_load(f, key, m->a->table->key_size, &v))
			continue;
		buf_hex(&m->texts, v.status << 8 | v.link);
		json_write_value_or_null(&m->texts, f, &v);
	}
	buf_char(&m->texts, '\0');
}

static int rows_compare_as_shown(const void *x, const void *y, void *ctx)
{
	const struct merge *m = ctx;
	const struct look *a = x, *b = y;

	return strcmp(m->texts.data + a->text, m->texts.data + b->text);
}

/* Rows that look the same are adjacent: adds each run to its first row, and sets the calls of its other rows to 0. */
static void runs_add(struct merge *m)
{
	size_t first = 0;

	for (size_t i = 1; i < m->rows->count; i++) {
		uint64_t *to, *from;

		if (rows_compare_as_shown(&m->looks[first], &m->looks[i], m)) {
			first = i;
			continue;
		}
		to = (uint64_t *)row_words(m->a, m->rows, m->looks[first].row);
		from = (uint64_t *)row_words(m->a, m->rows, m->looks[i].row);
		aggregate_words_add(m->a->table, to, from);
		from[0] = 0;
	}
}

static void rows_drop(struct merge *m)
{
	struct aggregate_rows *rows = m->rows;
	size_t kept = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (row_words(m->a, rows, i)[0])
			memmove(rows->bytes + rows->stride * kept++, row_key(rows, i),
				rows->stride);
	}
	rows->count = kept;
}

int aggregate_merge(const struct aggregate *a, struct aggregate_rows *rows)
{
	struct merge m = { .a = a, .rows = rows };
	int err;

	if (!has_unseen(a) || !rows->count)
		return 0;
	m.looks = calloc(rows->count, sizeof(*m.looks));
	if (!m.looks)
		return -ENOMEM;
	buf_init(&m.texts, -1);
	for (size_t i = 0; i < rows->count; i++)
		key_visit(&m, i);
	err = m.texts.error;
	if (!err) {
		qsort_r(m.looks, rows->count, sizeof(*m.looks), rows_compare_as_shown, &m);
		runs_add(&m);
		rows_drop(&m);
	}
	buf_free(&m.texts);
	free(m.looks);
	return err;
}

/* ---- values ---- */

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

static int row_add(struct reader *r, const void *key, const uint64_t *values)
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
		aggregate_words_add(t, sum, values + (size_t)cpu * r->a->slot);
	return 0;
}

static int each_read(struct reader *r, int map)
{
	char key[512], *before = NULL;
	int err = 0;

	while (!err && !bpf_map_get_next_key(map, before, key)) {
		before = key;
		if (!bpf_map_lookup_elem(map, key, r->values))
			err = row_add(r, key, r->values);
	}
	return err;
}

enum { BATCH_KEYS = 4096, BATCH_BYTES = 8 << 20 };

/* Memory for many entries at once. */
struct batch {
	char *keys;	  /* owned */
	uint64_t *values; /* owned */
	size_t words;	  /* of the values of an entry */
	uint32_t room;
};

/* Returns 0 at the end of the map, 1 if there is more, or -errno. A key that is added meanwhile may be read, no key is read
 * twice. */
static int batch_read(struct reader *r, int map, struct batch *b, uint32_t *at, bool is_first)
{
	uint32_t count = b->room;
	bool is_last = bpf_map_lookup_batch(map, is_first ? NULL : at, at, b->keys, b->values,
					    &count, NULL) != 0;
	int err = 0;

	if (is_last && errno != ENOENT)
		return -errno;
	for (uint32_t i = 0; i < count && !err; i++)
		err = row_add(r, b->keys + (size_t)i * r->a->table->key_size,
			      b->values + i * b->words);
	return err ?: !is_last;
}

/* One call for many entries is four times as fast as two calls for each. Kernels before 5.6 have none, nor is there one
 * that holds more entries of one bucket than fit. */
static int keys_read(struct reader *r, int map)
{
	struct batch b = { .words = (size_t)r->a->cpus * r->a->slot };
	uint32_t at;
	int more;

	b.room = BATCH_BYTES / 8 / b.words < BATCH_KEYS ? BATCH_BYTES / 8 / b.words + 1 :
							  BATCH_KEYS;
	b.keys = malloc((size_t)b.room * r->a->table->key_size);
	b.values = malloc(b.room * b.words * sizeof(*b.values));
	more = b.keys && b.values ? batch_read(r, map, &b, &at, true) : -ENOMEM;
	while (more > 0)
		more = batch_read(r, map, &b, &at, false);
	free(b.keys);
	free(b.values);
	if (more >= 0 || more == -ENOMEM)
		return more;
	r->rows->count = 0;
	return each_read(r, map);
}

/* Reads the array: each program has one entry, which together are one row. */
static int array_read(struct reader *r, int map)
{
	const struct expr_table *t = r->a->table;
	uint64_t *sum;
	int err = 0;

	for (uint32_t i = 0; i < r->a->programs && !err; i++) {
		if (bpf_map_lookup_elem(map, &i, r->values))
			return -errno;
		if (!i) {
			err = row_add(r, "", r->values);
			continue;
		}
		sum = (uint64_t *)r->rows->bytes;
		for (int cpu = 0; cpu < r->a->cpus; cpu++)
			aggregate_words_add(t, sum, r->values + (size_t)cpu * r->a->slot);
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
	memset(r->values, 0, (size_t)r->a->cpus * r->a->slot * sizeof(*r->values));
	for (uint32_t i = 0; i < r->a->programs && !t->key_size; i++)
		if (bpf_map_update_elem(map, &i, r->values, BPF_ANY))
			return -errno;
	return 0;
}

/* From here on the programs use the other map, and none uses this one: the kernel waits for running programs
 * (maybe_wait_bpf_programs in kernel/bpf/syscall.c). */
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
	r.values = calloc((size_t)a->cpus * a->slot, sizeof(*r.values));
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

void aggregate_rows_merge_equal(const struct aggregate *a, struct aggregate_rows *rows)
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
