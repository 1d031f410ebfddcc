/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * late.h - copies of the records that came late, by their times: a queue that is nearly always empty.
 */
#ifndef CORETAP_RUN_LATE_H
#define CORETAP_RUN_LATE_H

#include <stddef.h>
#include <stdint.h>

struct late_record {
	uint64_t time;
	size_t size;
	char bytes[] __attribute__((aligned(8)));
};

/* All zero: empty. */
struct late {
	struct late_record **records; /* owned, and so is each: first … end, by time */
	size_t first, end, room;
};

/* Keeps a copy, behind those of the same time. 0 or -ENOMEM. */
int late_keep(struct late *l, uint64_t time, const void *record, size_t size);
static inline __attribute__((always_inline)) const struct late_record *
late_first(const struct late *l)
{
	return l->first != l->end ? l->records[l->first] : NULL;
}
/* Drops the first. */
void late_drop(struct late *l);
void late_free(struct late *l);

#endif
