/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ring.h - reader of a BPF ring buffer map (kernel/bpf/ringbuf.c has the layout).
 *
 * Our own instead of libbpf's: it works with a plain map fd, reads everything that is committed in
 * one batch, and reports how much is queued.
 */
#ifndef CORETAP_SESSION_RING_H
#define CORETAP_SESSION_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring;

/* Called for one record, which is valid during the call. A return other than 0 stops the batch (the
 * record counts as read). */
typedef int (*ring_fn)(void *ctx, const void *record, size_t size);

/* The caller keeps map_fd; size is the map's max_entries. Returns 0 or -errno. */
int ring_open(struct ring **out, int map_fd, size_t size);
/* Reads committed records, but not much more than one ring's worth, because new ones may arrive
 * faster than fn handles them. Returns the number of records, or fn's negative return. After this
 * no record wakes the reader, unless it was submitted with BPF_RB_FORCE_WAKEUP … */
int ring_consume(struct ring *r, ring_fn fn, void *ctx);
/* … until this enables it for the next record. False if there is one already, or one being
 * written. */
bool ring_arm_wakeup(struct ring *r);
/* Is more than a quarter of the ring unread? Is it empty, without even a record being written? */
bool ring_is_crowded(const struct ring *r);
bool ring_is_empty(const struct ring *r);
/* Bytes that at most were unread at any time since the last call, of `size`. */
size_t ring_peak(struct ring *r);
void ring_close(struct ring *r);

#endif
