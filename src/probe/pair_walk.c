/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pair_walk.c - all that began and has not ended (pair_walk.h), while begins and ends go on.
 *
 * The array of places is read several times: a place counts when nobody was at it in two readings
 * one after the other, and it is the same in both. A begin writes its time first, so two that are half
 * written are never the same. What changes in each of many readings began just now: it is left out.
 */
#include "probe/pair_walk.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { READINGS = 16 };

/* ---- the hash ---- */

/* Some entries at a time: one by one, the next to one that has ended meanwhile would be the first. */
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

/* Returns 0, -ENOENT for the last ones, or -errno. */
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
	char *now, *before; /* readings; owned */
	bool *known;	    /* by place; owned */
};

static int places_read(struct places *l, int map)
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

/* Returns how many are not known yet, or -errno. */
static long places_look(struct places *l, const struct expr_program *p, pair_fn *each, void *ctx)
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

static int places_walk(int map, const struct expr_program *p, pair_fn *each, void *ctx)
{
	struct places l = { .stride = expr_places_stride(p), .size = expr_places_size(p) };
	long left = 1;
	int err;

	l.count = l.size / l.stride;
	l.now = malloc(l.size + 1);
	l.before = malloc(l.size + 1);
	l.known = calloc(l.count + 1, sizeof(*l.known));
	err = l.now && l.before && l.known ? places_read(&l, map) : -ENOMEM;
	for (int i = 1; i < READINGS && left > 0 && !err; i++) {
		err = places_read(&l, map);
		if (!err)
			left = places_look(&l, p, each, ctx);
	}
	free(l.now);
	free(l.before);
	free(l.known);
	return err ? err : left < 0 ? left : 0;
}

int pair_walk(const struct program_maps *maps, const struct expr_program *p, pair_fn *each,
	      void *ctx)
{
	int err = places_walk(maps->fds[EXPR_MAP_PAIR_PLACES], p, each, ctx);

	return err ? err : hash_walk(maps->fds[EXPR_MAP_PAIRS], p, each, ctx);
}
