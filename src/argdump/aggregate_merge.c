// SPDX-License-Identifier: GPL-2.0
/*
 * aggregate_merge.c - rows whose keys differ only in bytes that nobody sees become one.
 *
 * A socket's address is read as long as the longest one may be, and what lies behind a shorter one
 * is anything.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "argdump/aggregate.h"

struct look {
	size_t text; /* of the key: offset */
	size_t row;
};

struct merge {
	const struct aggregate *a;
	struct aggregate_rows *rows;
	struct out texts;
	struct look *looks;
};

static bool has_unseen(const struct aggregate *a)
{
	const struct schema *schema = a->schema(a->ctx, 0);

	for (size_t i = 0; i < schema->count; i++) {
		if (schema->fields[i].type == FIELD_SOCKADDR)
			return true;
	}
	return false;
}

/* All that can be seen of a key, and what it is of. */
static void key_look(struct merge *m, size_t row)
{
	const char *key = row_key(m->rows, row);
	const struct schema *schema = row_schema(m->a, key);
	struct value v;

	m->looks[row] = (struct look){ m->texts.len, row };
	for (size_t i = 0; m->a->table->has_source && i < 2 * sizeof(uint32_t); i++)
		out_hex_pad(&m->texts, (uint8_t)key[i], 2);
	for (size_t i = 0; i < schema->count; i++) {
		const struct field *f = &schema->fields[i];

		if (field_load(f, key, m->a->table->key_size, &v))
			continue;
		out_hex(&m->texts, v.status << 8 | v.link);
		json_put_value_or_null(&m->texts, f, &v);
	}
	out_char(&m->texts, '\0');
}

static int looks_compare(const void *x, const void *y, void *ctx)
{
	const struct merge *m = ctx;
	const struct look *a = x, *b = y;

	return strcmp(m->texts.data + a->text, m->texts.data + b->text);
}

/* Equal looks stand together: each run is added to its first row; others have no calls then. */
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
			memmove(rows->bytes + rows->stride * kept++, row_key(rows, i), rows->stride);
	}
	rows->count = kept;
}

int aggregate_merge(const struct aggregate *a, struct aggregate_rows *rows)
{
	struct merge m = { .a = a, .rows = rows };
	int err;

	if (!has_unseen(a) || rows->count < 2)
		return 0;
	m.looks = calloc(rows->count, sizeof(*m.looks));
	if (!m.looks)
		return -ENOMEM;
	out_init(&m.texts, -1);
	for (size_t i = 0; i < rows->count; i++)
		key_look(&m, i);
	err = m.texts.error;
	if (!err) {
		qsort_r(m.looks, rows->count, sizeof(*m.looks), looks_compare, &m);
		runs_add(&m);
		rows_drop(&m);
	}
	out_free(&m.texts);
	free(m.looks);
	return err;
}
