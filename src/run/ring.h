/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - reader of a BPF ring buffer map (kernel/bpf/ringbuf.c has the layout).
 *
 * Our own instead of libbpf's: it works with a plain map fd, reads everything that is committed in one batch,
 * delivers records in the order of their times, and reports how much is queued.
 *
 * The ring is in the order in which room was reserved. If a program is preempted, or its processor stops, between
 * reserving room and reading the clock, its record is out of order by that time.
 */
#ifndef CORETAP_RUN_RING_H
#define CORETAP_RUN_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#include "event.h"

struct ring;

/* Called for each record, which is valid during the call. A return other than 0 stops the batch (the record counts as
 * read). */
typedef int (*ring_fn)(void *ctx, const void *record, size_t size);

/* The caller closes map_fd; size is the map's max_entries. Returns 0 or -errno. */
int ring_open(struct ring **out, int map_fd, size_t size);
/* Returns a record's time in ns, by which it is ordered; 0: it has none, and keeps its place. The result for a record
 * must not change. */
typedef uint64_t (*ring_time_fn)(const void *record, size_t size);
/* From now on, records are ordered. NULL: their time is in their first 8 bytes, as in event_header. */
void ring_order(struct ring *r, ring_time_fn time);
/* Reads committed records, but not much more than one ring's worth, because new ones may arrive faster than fn
 * handles them. Ordered records are read only up to the time `until`, which should be so far back that no earlier
 * record can still come (UINT64_MAX: all); but at most RING_HELD bytes, and at most a quarter of the ring, stay
 * behind. Returns the number of records, or fn's negative return. After this call no record wakes the reader, unless
 * it was submitted with BPF_RB_FORCE_WAKEUP … */
int ring_consume(struct ring *r, uint64_t until, ring_fn fn, void *ctx);
#define RING_HELD (EVENT_WAKEUP_BYTES / 2)
/* Returns how many records no ring_consume has read: one that is still being written, and all after it. */
uint64_t ring_unread(const struct ring *r);
/* True if records were scanned but not delivered yet. */
bool ring_is_holding(const struct ring *r);
/* Returns how many records were delivered after a later one. */
uint64_t ring_disordered(const struct ring *r);
/* … until this enables it for the next record. Returns false if a record is already queued or being written. */
bool ring_arm_wakeup(struct ring *r);
/* True if more than a quarter of the ring is unread. */
bool ring_is_crowded(const struct ring *r);
bool ring_is_empty(const struct ring *r);
/* True if everything read so far takes at most half of the ring: then no record can have found it full. */
bool ring_fits(const struct ring *r);
/* Returns the most bytes that were unread at any time since the last call. */
size_t ring_peak(struct ring *r);
void ring_close(struct ring *r);

#endif
