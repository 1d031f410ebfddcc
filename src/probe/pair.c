/* SPDX-License-Identifier: GPL-2.0-only */
/* pair.c - pairs of probes: which probe is which side, and the pairs that are open now. */
#include "probe/pair.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/bpf.h>

#include "cli/options.h"
#include "count/aggregate_read.h"
#include "probe/argdump.h"
#include "util/buf.h"
#include "util/clock.h"
#include "util/log.h"

/* Called for each pair; returns 0, or -errno to stop. */
typedef int pair_fn(void *ctx, const void *kept);

void pairs_close(struct argdump *a)
{
	for (struct argdump_pair *pair = a->pairs.list; pair < a->pairs.list + a->pairs.count;
	     pair++)
		program_maps_close(&pair->maps);
	free(a->pairs.list);
	a->pairs.list = NULL;
	a->pairs.count = 0;
}

/* ---- sides ---- */

static bool is_other(const struct argdump_probe *p, const struct argdump_probe *other)
{
	return other->request->pair == p->request->pair &&
	       other->request->is_end != p->request->is_end;
}

struct argdump_probe *pair_other(struct argdump *a, const struct argdump_probe *p)
{
	struct argdump_probe *first = NULL;

	if (!p->request->pair)
		return NULL;
	/* functions that do not fit the expressions are never attached */
	for (struct argdump_probe *other = a->probes + a->probe_count; other-- > a->probes;)
		if (is_other(p, other) && (other->variant || !first || !first->variant))
			first = other;
	return first ?: a->probes;
}

struct program_maps *pair_maps(const struct argdump_probe *p)
{
	return p->request->pair ? &p->request->pair->maps : NULL;
}

bool pair_writes(const struct argdump_probe *p)
{
	return !p->request->pair || p->request->is_end;
}

/* True if one event is both a begin and an end: the two probes see the same side of the same function. */
static bool same_event(const struct argdump_probe *p, const struct argdump_probe *other)
{
	return is_other(p, other) && other->request->spec.kind == p->request->spec.kind &&
	       other->kind->scope == p->kind->scope && !strcmp(other->name, p->name);
}

static bool is_begin_too(const struct argdump *a, const struct argdump_probe *first)
{
	const struct argdump_probe *end = a->probes + a->probe_count;

	for (const struct argdump_probe *p = first; p < end && p->request == first->request; p++)
		for (size_t i = 0; i < a->probe_count; i++)
			if (same_event(p, &a->probes[i]))
				return true;
	return false;
}

unsigned pair_rank(const struct argdump *a, const struct argdump_probe *first)
{
	if (!first->request->is_end)
		return 1;
	return first->request->spec.kind != PROBE_SPEC_TRACEPOINT && is_begin_too(a, first) ? 2 : 0;
}

void pair_match(const struct argdump *a, struct argdump_probe *p)
{
	for (size_t i = 0; p->request->pair && i < a->probe_count; i++)
		if (a->probes[i].variant && same_event(p, &a->probes[i]))
			p->limits.method = a->probes[i].variant->method;
}

int pair_check(const struct argdump *a, const struct argdump_probe *p, struct expr_error *error)
{
	const struct argdump_probe *other = a->probes, *end = other + a->probe_count;

	while (other < end &&
	       (other == p || !other->attempt.variant || other->request->pair != p->request->pair))
		other++;
	if (other == end || expr_keep_alike(other->expr, p->expr))
		return 0;
	*error = (struct expr_error){ .text = (size_t)-1 };
	snprintf(error->message, sizeof(error->message),
		 "the values of %s have other types than those of the other probes", p->name);
	snprintf(error->hint, sizeof(error->hint), "use a cast to make them equal: '(long)count'");
	return -EINVAL;
}

/*
 * Reads all open pairs while begins and ends continue.
 *
 * The array of slots is read several times: a slot counts if nobody was writing it in two consecutive readings, and
 * both are equal. A begin writes its time first, so two half-written slots are never equal. A slot that changes in
 * each reading began just now: it is skipped.
 */

enum { READINGS = 16 };

/* ---- the hash ---- */

/* Entries are read in batches: one by one, the successor of an entry that has been deleted would be the first entry
 * again. */
struct batch {
	uint32_t room, count, token;
	char *keys, *kept; /* owned */
};

static int batch_room(struct batch *b, const struct expr_program *p)
{
	b->room = b->room ? 2 * b->room : 256;
	free(b->keys);
	free(b->kept);
	b->keys = malloc(b->room * expr_kept_key_size(p));
	b->kept = malloc(b->room * expr_kept_size(p));
	return b->keys && b->kept ? 0 : -ENOMEM;
}

/* Returns 0, -ENOENT for the last batch, or -errno. */
static int batch_read(struct batch *b, const struct expr_program *p, int map, bool first)
{
	LIBBPF_OPTS(bpf_map_batch_opts, opts);
	uint32_t token = b->token;
	int err = b->room ? 0 : batch_room(b, p);

	for (; !err; err = batch_room(b, p)) {
		b->count = b->room;
		if (!bpf_map_lookup_batch(map, first ? NULL : &token, &b->token, b->keys, b->kept,
					  &b->count, &opts))
			return 0;
		if (errno != ENOSPC)
			return -errno;
	}
	return err;
}

static int hash_walk(int map, const struct expr_program *p, pair_fn *each, void *ctx)
{
	int err = 0, wrong = 0;
	struct batch b = { 0 };

	for (bool first = true; !err && !wrong; first = false) {
		err = batch_read(&b, p, map, first);
		if (err && err != -ENOENT)
			break;
		for (uint32_t i = 0; i < b.count && !wrong; i++)
			wrong = each(ctx, b.kept + i * expr_kept_size(p));
	}
	free(b.keys);
	free(b.kept);
	return wrong ? wrong : err == -ENOENT ? 0 : err;
}

/* ---- the array ---- */

struct places {
	size_t count, stride, size;
	char *now, *before; /* two readings; owned */
	bool *known;	    /* one for each slot; owned */
};

static int slots_read(struct places *l, int map)
{
	uint32_t key = 0;
	char *before = l->before;

	l->before = l->now;
	l->now = before;
	return bpf_map_lookup_elem(map, &key, l->now) ? -errno : 0;
}

static bool is_settled(const struct places *l, size_t at, const struct expr_program *p)
{
	return !expr_place_busy(l->now + at) && !expr_place_busy(l->before + at) &&
	       expr_place_taken(l->now + at) == expr_place_taken(l->before + at) &&
	       (!expr_place_taken(l->now + at) ||
		!memcmp(l->now + at, l->before + at, expr_kept_size(p)));
}

/* Reports slots that have settled. Returns how many have not yet, or -errno. */
static long slots_settle(struct places *l, const struct expr_program *p, pair_fn *each, void *ctx)
{
	long left = 0;
	int err = 0;

	for (size_t i = 0; i < l->count && !err; i++) {
		size_t at = i * l->stride;

		if (l->known[i])
			continue;
		l->known[i] = is_settled(l, at, p);
		left += !l->known[i];
		if (l->known[i] && expr_place_taken(l->now + at))
			err = each(ctx, l->now + at);
	}
	return err ? err : left;
}

static int slots_walk(int map, const struct expr_program *p, pair_fn *each, void *ctx)
{
	struct places l = { .stride = expr_places_stride(p), .size = expr_places_size(p) };
	long left = 1;
	int err;

	l.count = l.size / l.stride;
	l.now = malloc(l.size + 1);
	l.before = malloc(l.size + 1);
	l.known = calloc(l.count + 1, sizeof(*l.known));
	err = l.now && l.before && l.known ? slots_read(&l, map) : -ENOMEM;
	for (int i = 1; i < READINGS && left > 0 && !err; i++) {
		err = slots_read(&l, map);
		if (!err)
			left = slots_settle(&l, p, each, ctx);
	}
	free(l.now);
	free(l.before);
	free(l.known);
	return err ? err : left < 0 ? left : 0;
}

/* Calls `each` with the stored values of each open pair (expr_kept_size). Returns 0 or -errno. */
static int pair_walk(const struct program_maps *maps, const struct expr_program *p, pair_fn *each,
		     void *ctx)
{
	int err = slots_walk(maps->fds[EXPR_MAP_PAIR_PLACES], p, each, ctx);

	return err ? err : hash_walk(maps->fds[EXPR_MAP_PAIRS], p, each, ctx);
}

/*
 * Pairs that are open at the end (--open): printed as records, or counted.
 *
 * They are read from the maps in which begins store their values, so nothing is counted in the kernel.
 */

/* Called for each open pair; return -errno to stop. */
typedef int open_fn(struct session *s, const struct expr_program *p, const void *record, void *ctx);

/* ---- all open pairs ---- */

struct open_each {
	struct session *s;
	const struct expr_program *p;
	open_fn *each;
	void *ctx;
	void *record; /* owned: room for one record */
	long count;
};

static int open_one(void *ctx, const void *kept)
{
	struct open_each *e = ctx;
	const struct argdump *a = e->s->private;

	e->count++;
	if (expr_kept_record(e->p, kept, now_ns(), e->record) < a->pairs.older)
		return 0;
	return e->each(e->s, e->p, e->record, e->ctx);
}

/* Returns the program of an attached begin of the pair; all store the same values. NULL if none is attached. */
static const struct expr_program *begin_program(const struct argdump *a,
						const struct argdump_pair *pair)
{
	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++)
		if (p->variant && p->request->pair == pair && !p->request->is_end)
			return p->expr;
	return NULL;
}

/* Calls `each` for those that are old enough. Returns how many there are in all, or -errno. */
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

/* True if each event of a key ends what the last one began: the very last one then is not in progress. */
static bool is_chain(const struct argdump *a, const struct argdump_pair *pair)
{
	for (size_t i = 0; i < EXPR_PAIR_KEYS && pair->keys[i]; i++)
		if (strstr(pair->keys[i], "@end"))
			return false;
	for (const struct argdump_probe *p = a->probes; p < a->probes + a->probe_count; p++)
		if (p->request->pair == pair && p->request->is_end)
			return is_begin_too(a, p);
	return false;
}

void pair_rest(struct session *s)
{
	struct argdump *a = s->private;
	long left = 0;

	for (struct argdump_pair *pair = a->pairs.list; pair < a->pairs.list + a->pairs.count;
	     pair++) {
		bool is_open = pair->input.open;
		long count = is_open && aggregate_wanted(&a->aggregate) ?
				     0 :
				     open_walk(s, pair, open_show, pair);

		if (count < 0)
			log_error("cannot show what is still open: %s", strerror(-count));
		else if (!is_open && !is_chain(a, pair))
			left += count;
		/* what began and ended leaves nothing that is open */
		a->pairs.calls_unknown |= is_open;
		a->saw_calls |= count > 0;
	}
	if (left) {
		log_note("%ld still in progress when tracing stopped: not included", left);
		log_hint("--open shows them");
	}
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
	count = open_walk(s, a->pairs.list, row_add, &bytes);
	*rows = (struct aggregate_rows){ .bytes = bytes.data,
					 .stride = t->key_size + t->words * sizeof(uint64_t) };
	if (count < 0)
		return count;
	rows->count = bytes.len / rows->stride;
	aggregate_rows_merge_equal(&a->aggregate, rows);
	return 0;
}
