/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ring.h - reader of a BPF ring buffer map (kernel/bpf/ringbuf.c has the layout).
 *
 * Our own instead of libbpf's: it works on a bare map fd, takes everything that is committed in
 * one batch, and tells how much is queued.
 */
#ifndef CORETAP_RING_H
#define CORETAP_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ring;

/* One record; it is valid during the call. A return other than 0 stops the batch (the record
 * counts as read). */
typedef int (*ring_fn)(void *ctx, const void *record, size_t size);

/* map_fd stays the caller's; size is the map's max_entries. Returns 0 or -errno. */
int ring_open(struct ring **out, int map_fd, size_t size);
/* Reads what is committed. Returns the number of records, or fn's negative return. From here on no
 * record wakes the reader, unless it was submitted with BPF_RB_FORCE_WAKEUP … */
int ring_drain(struct ring *r, ring_fn fn, void *ctx);
/* … until this lets the next one do so. False where there is one already, or being written. */
bool ring_rest(struct ring *r);
void ring_close(struct ring *r);

#endif
