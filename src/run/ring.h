/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - reader of a BPF ring buffer map (kernel/bpf/ringbuf.c has the layout).
 *
 * Our own instead of libbpf's: it works with a plain map fd, reads everything that is committed in
 * one batch, gives records in the order of their times, and reports how much is queued.
 *
 * The order in the ring is that in which room was reserved. A program that was preempted, or whose
 * processor stood still, between that and the moment when it took the time is out of line by so long.
 */
#ifndef CORETAP_RUN_RING_H
#define CORETAP_RUN_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/types.h>

#include "event.h"

struct ring;

/* Called for one record, which is valid during the call. A return other than 0 stops the batch (the
 * record counts as read). */
typedef int (*ring_fn)(void *ctx, const void *record, size_t size);

/* The caller keeps map_fd; size is the map's max_entries. Returns 0 or -errno. */
int ring_open(struct ring **out, int map_fd, size_t size);
/* A record's time in ns, by which it is ordered; 0: it has none, and keeps its place. The same record
 * always has the same one. */
typedef uint64_t (*ring_time_fn)(const void *record, size_t size);
/* From now on records are ordered. NULL: their time is in their first 8 bytes, as in event_header. */
void ring_order(struct ring *r, ring_time_fn time);
/* Reads committed records, but not much more than one ring's worth, because new ones may arrive
 * faster than fn handles them. Of ordered ones only those up to the time `until`: it should lie so far
 * back that none before it will come (UINT64_MAX: all); but no more than RING_HELD bytes stay, and no
 * more than a quarter of the ring. Returns the number of records, or fn's negative return. After this
 * no record wakes the reader, unless it was submitted with BPF_RB_FORCE_WAKEUP … */
int ring_consume(struct ring *r, uint64_t until, ring_fn fn, void *ctx);
#define RING_HELD (EVENT_WAKEUP_BYTES / 2)
/* Records that no ring_consume has read: one that is still being written, and all behind it. */
uint64_t ring_unread(const struct ring *r);
/* Are there records that were seen but not given yet? */
bool ring_is_holding(const struct ring *r);
/* Records that came behind one that is younger and was given already. */
uint64_t ring_disordered(const struct ring *r);
/* … until this enables it for the next record. False if there is one already, or one being
 * written. */
bool ring_arm_wakeup(struct ring *r);
/* Is more than a quarter of the ring unread? Is it empty, without even a record being written? */
bool ring_is_crowded(const struct ring *r);
bool ring_is_empty(const struct ring *r);
/* True if all that was read takes at most half of the ring: nothing before it can have found no room. */
bool ring_fits(const struct ring *r);
/* Bytes that at most were unread at any time since the last call, of `size`. */
size_t ring_peak(struct ring *r);
void ring_close(struct ring *r);

#endif
