/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * aggregate_merge.c - merges rows whose keys differ only in what is not shown.
 *
 * A socket address is read with the greatest length it can have; the bytes after a shorter address
 * are undefined. And each program, and each of its functions, has entries of its own.
 * Stacks differ in the frames of the tracing itself, and by process.
 */
#include "count/aggregate_merge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/field/value_json.h"

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

/* The last words of a result, which are not added up: the better value stays. */
static unsigned best_count(const struct expr_result *r)
{
	return result_is_best(r) ? 1 : result_is_hist(r) ? EXPR_HIST_ENDS : 0;
}

/* Adds the words of one CPU; for minima and maxima the better value stays. */
void aggregate_words_add(const struct expr_table *t, uint64_t *sum, const uint64_t *one)
{
	for (const struct expr_result *r = t->results; r < t->results + t->count; r++) {
		for (unsigned end = r->word + r->words, i = end - best_count(r); i < end; i++) {
			if (sum[i] < one[i])
				sum[i] = one[i];
			sum[i] -= one[i]; /* added again below */
		}
	}
	for (unsigned i = 0; i < t->words; i++)
		sum[i] += one[i];
}

/* Are rows told apart by the function or event that was counted? A key that names it has it. */
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
		    type == FIELD_PEER || type == FIELD_PEER_IP || type == FIELD_KERNEL_STACK ||
		    type == FIELD_USER_STACK)
			return true;
	}
	return false;
}

/* All that is shown of a key, and its row. */
static void key_look(struct merge *m, size_t row)
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
		json_put_value_or_null(&m->texts, f, &v);
	}
	buf_char(&m->texts, '\0');
}

static int looks_compare(const void *x, const void *y, void *ctx)
{
	const struct merge *m = ctx;
	const struct look *a = x, *b = y;

	return strcmp(m->texts.data + a->text, m->texts.data + b->text);
}

/* Rows that look the same are adjacent: each run is added to its first row, and its other rows are
 * left with no calls. */
static void runs_add(struct merge *m)
{
	size_t first = 0;

	for (size_t i = 1; i < m->rows->count; i++) {
		uint64_t *to, *from;

		if (looks_compare(&m->looks[first], &m->looks[i], m)) {
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
		key_look(&m, i);
	err = m.texts.error;
	if (!err) {
		qsort_r(m.looks, rows->count, sizeof(*m.looks), looks_compare, &m);
		runs_add(&m);
		rows_drop(&m);
	}
	buf_free(&m.texts);
	free(m.looks);
	return err;
}
