/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wall.c - spans of time in which the clocks have one distance from real time (wall.h). It keeps no state.
 */
#include "output/field/wall.h"

#include <stdbool.h>
#include <string.h>
#include <time.h>

#include "util/clock.h"

#define MOVED_NS 1000000 /* smaller differences are errors of the readings */

/* Reads several times and uses the pair of readings that are closest: the process may be preempted between two. */
static void clock_get(clockid_t clock, uint64_t *now, uint64_t *offset)
{
	uint64_t best = UINT64_MAX;

	for (int i = 0; i < 5; i++) {
		uint64_t before = clock_ns(clock);
		uint64_t wall = clock_ns(CLOCK_REALTIME);
		uint64_t after = clock_ns(clock);

		if (after - before >= best)
			continue;
		best = after - before;
		*now = after;
		*offset = wall - before - best / 2;
	}
}

void wall_clocks_get(struct wall_reading *r)
{
	static const clockid_t clocks[WALL_CLOCKS] = { [WALL_MONOTONIC] = CLOCK_MONOTONIC,
						       [WALL_BOOT] = CLOCK_BOOTTIME,
						       [WALL_TAI] = CLOCK_TAI };

	memset(r, 0, sizeof(*r));
	for (int i = 0; i < WALL_CLOCKS; i++)
		clock_get(clocks[i], &r->now[i], &r->offset[i]);
}

static bool has_moved(const struct wall_reading *from, const struct wall_reading *to)
{
	for (int i = 0; i < WALL_CLOCKS; i++) {
		int64_t moved = (int64_t)(to->offset[i] - from->offset[i]);

		if (moved >= MOVED_NS || moved <= -MOVED_NS)
			return true;
	}
	return false;
}

void wall_spans_add(struct wall_spans *w, const struct wall_reading *r)
{
	if (w->count && !has_moved(&w->spans[w->count - 1], r))
		return;
	if (w->count == WALL_SPANS)
		memmove(w->spans, w->spans + 1, --w->count * sizeof(w->spans[0]));
	w->spans[w->count++] = *r;
}

uint64_t wall_spans_offset(const struct wall_spans *w, enum wall_clock clock, uint64_t ns)
{
	unsigned i = w->count - 1;

	while (i > 0 && ns < w->spans[i].now[clock])
		i--;
	return w->spans[i].offset[clock];
}
