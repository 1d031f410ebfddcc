/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wall.h - converts times of the clocks that BPF programs read to real time.
 *
 * The distance of the clocks changes when the clock is set, and while the machine is suspended. Each time is converted
 * with the distance that was valid at that time.
 */
#ifndef CORETAP_OUTPUT_FIELD_WALL_H
#define CORETAP_OUTPUT_FIELD_WALL_H

#include <stdint.h>

enum wall_clock { WALL_MONOTONIC, WALL_BOOT, WALL_TAI, WALL_CLOCKS };

/* One reading of all clocks: each, and the ns from it to real time. */
struct wall_reading {
	uint64_t now[WALL_CLOCKS], offset[WALL_CLOCKS];
};

enum { WALL_SPANS = 16 };

/* Readings since which the distances are as they are, oldest first. The first one counts from time 0 on. */
struct wall_spans {
	struct wall_reading spans[WALL_SPANS];
	unsigned count;
};

void wall_clocks_get(struct wall_reading *r);
/* Begins a span if the distances have changed since the last one. Forgets the oldest span if there are too many. */
void wall_spans_add(struct wall_spans *w, const struct wall_reading *r);
/* Returns the offset to add to `ns` of that clock. There must be a span. */
uint64_t wall_spans_offset(const struct wall_spans *w, enum wall_clock clock, uint64_t ns);

#endif
