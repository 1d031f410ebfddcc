/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * late.h - copies of records that came late, sorted by time: a queue that is nearly always empty.
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

/* Initially all zero. */
struct late {
	/* owned, as each record is; [first, end) are in use, sorted by time */
	struct late_record **records;
	size_t first, end, room;
};

/* Adds a copy after those of the same time. Returns 0 or -ENOMEM. */
int late_add(struct late *l, uint64_t time, const void *record, size_t size);
static inline __attribute__((always_inline)) const struct late_record *
late_first(const struct late *l)
{
	return l->first != l->end ? l->records[l->first] : NULL;
}
/* Drops the first record. */
void late_drop(struct late *l);
void late_free(struct late *l);

#endif
