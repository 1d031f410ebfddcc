/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_wall.c - converts what a program has read from a clock to real time, as it was at that time
 * (output/field/timestamp.h).
 */
#include "front/bt/show_parts.h"
#include "output/field/timestamp.h"

/* The clock of nsecs; nsecs(sw_tai) is the same with an offset added by the program. */
static enum wall_clock nsecs_clock(const struct script_world *w)
{
	return w->has_boot_clock ? WALL_BOOT : WALL_MONOTONIC;
}

uint64_t bt_wall(const struct bt_show *s, uint32_t clock, uint64_t ns)
{
	static const struct script_world none = { .has_boot_clock = true };
	const struct script_world *w = s->world ?: &none;

	switch (clock) {
	case SCRIPT_CLOCK_BOOT: return timestamp_wall_of(nsecs_clock(w), ns);
	case SCRIPT_CLOCK_SW_TAI: return timestamp_wall_of(nsecs_clock(w), ns - w->tai_offset);
	case SCRIPT_CLOCK_TAI: return timestamp_wall_of(WALL_TAI, ns);
	case SCRIPT_CLOCK_MONOTONIC: return timestamp_wall(ns);
	default: return ns;
	}
}

uint64_t bt_series_wall(const struct bt_show *s, uint64_t ns)
{
	bool is_clock = s->world && !(s->script && s->script->config.time_map);

	return is_clock ? bt_wall(s, SCRIPT_CLOCK_BOOT, ns - s->world->real_offset) : ns;
}
