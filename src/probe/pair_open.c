/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair_open.c - what began and has not ended (--open): printed as records, or counted.
 *
 * It is read out of the maps in which the begins keep it, so nothing is counted in the kernel.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "count/aggregate_read.h"
#include "probe/argdump.h"
#include "probe/pair_walk.h"
#include "util/buf.h"
#include "util/clock.h"
#include "util/log.h"

/* What is done with each: returns 0, or -errno to stop. */
typedef int open_fn(struct session *s, const struct expr_program *p, const void *record, void *ctx);

/* ---- all of them ---- */

struct open_each {
	struct session *s;
	const struct expr_program *p;
	open_fn *each;
	void *ctx;
	void *record; /* room for one; owned */
	long count;
};

static int open_one(void *ctx, const void *kept)
{
	struct open_each *e = ctx;
	const struct argdump *a = e->s->private;

	e->count++;
	if (expr_kept_record(e->p, kept, now_ns(), e->record) < a->pair.older)
		return 0;
	return e->each(e->s, e->p, e->record, e->ctx);
}

/* What a begin of the pair that is attached keeps; all keep the same. NULL: none is. */
static const struct expr_program *begin_program(const struct argdump *a,
						const struct argdump_pair *pair)
{
	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++)
		if (p->variant && p->request->pair == pair && !p->request->is_end)
			return p->expr;
	return NULL;
}

/* Those that are old enough. Returns how many there are in all, or -errno. */
static long open_walk(struct session *s, const struct argdump_pair *pair, open_fn *each, void *ctx)
{
	const struct expr_program *p = begin_program(s->private, pair);
	struct open_each e = { s, p, each, ctx, NULL, 0 };
	int err;

	if (!p || pair->maps.fds[EXPR_MAP_PAIRS] < 0)
		return 0;
	e.record = malloc(expr_kept_size(p));
	err = e.record ? pair_walk(&pair->maps, p, open_one, &e) : -ENOMEM;
	free(e.record);
	return err ? err : e.count;
}

/* ---- as records ---- */

static int open_show(struct session *s, const struct expr_program *p, const void *record, void *ctx)
{
	const struct argdump_pair *pair = ctx;

	if (!pair->input.open || session_limit_reached(s))
		return 0;
	return sink_record(&s->sink, record, expr_record_size(p));
}

void pair_rest(struct session *s)
{
	const struct argdump *a = s->private;
	long left = 0;

	for (struct argdump_pair *pair = a->pairs; pair < a->pairs + a->pair_count; pair++) {
		bool is_open = pair->input.open;
		long count = is_open && aggregate_wanted(&a->aggregate) ?
				     0 :
				     open_walk(s, pair, open_show, pair);

		if (count < 0)
			log_error("cannot show what has not ended: %s", strerror(-count));
		else if (!is_open)
			left += count;
	}
	if (left)
		log_note("%ld begin%s without an end when tracing stopped: --open shows such", left,
			 left == 1 ? "" : "s");
}

/* ---- counted ---- */

static int row_add(struct session *s, const struct expr_program *p, const void *record, void *ctx)
{
	const struct argdump *a = s->private;
	const struct expr_table *t = a->aggregate.table;
	struct buf *rows = ctx;
	size_t size = t->key_size + t->words * sizeof(uint64_t);
	char *row = buf_reserve(rows, size);

	if (!row)
		return -ENOMEM;
	memset(row, 0, size);
	memcpy(row, record, t->key_size);
	expr_kept_words(p, a->aggregate.measures, record, (uint64_t *)(row + t->key_size));
	rows->len += size;
	return 0;
}

int pair_open_count(struct session *s, struct aggregate_rows *rows)
{
	const struct argdump *a = s->private;
	const struct expr_table *t = a->aggregate.table;
	struct buf bytes;
	long count;

	buf_init(&bytes, -1);
	count = open_walk(s, a->pairs, row_add, &bytes);
	*rows = (struct aggregate_rows){ .bytes = bytes.data,
					 .stride = t->key_size + t->words * sizeof(uint64_t) };
	if (count < 0)
		return count;
	rows->count = bytes.len / rows->stride;
	aggregate_rows_unite(&a->aggregate, rows);
	return 0;
}
