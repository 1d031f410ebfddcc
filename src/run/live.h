/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.h - what the readers of /events get: rows, the state of the run, reports, the end (docs/live.md).
 *
 * While nobody reads, nothing is formatted for them.
 */
#ifndef CORETAP_RUN_LIVE_H
#define CORETAP_RUN_LIVE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/stream.h"

struct session;

/* Adds a reader, and writes what only it gets to `o`: what runs here and, if it comes back after row `last`, how many
 * rows it missed. Returns 0, -EBUSY or -ENOMEM. */
int live_join(struct session *s, struct stream_reader *r, const uint64_t *last, struct buf *o);
void live_leave(struct session *s, struct stream_reader *r);
/* True if there is a reader. */
bool live_is_watched(void);
/* Makes a row of a line of JSON, for a tracer whose records have sinks of their own. */
void live_row(const char *line, size_t size);
/* Makes the state and the report if they are due. */
void live_poll(struct session *s);
/* Returns when they are due: CLOCK_MONOTONIC ns; 0: never. */
uint64_t live_due(void);
/* Makes the last ones. */
void live_end(struct session *s);
void live_close(void);

#endif
