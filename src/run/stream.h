/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.h - a ring of the last events that were made for the readers of /events, as server-sent events.
 *
 * Each reader has its own place in the ring. One that is so slow that its place would be overwritten gets the rest of
 * the event that it was reading and how many rows follow that it does not get; then it has to go.
 */
#ifndef CORETAP_RUN_STREAM_H
#define CORETAP_RUN_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "util/buf.h"

enum { STREAM_BYTES = 1 << 20, STREAM_READERS = 4 };

/* Initially all zero. */
struct stream_reader {
	uint64_t at;	 /* bytes of the stream that were sent to it or that it did not ask for */
	int fd;		 /* where it is sent to; 0: stream_send was not called yet */
	bool is_late;	 /* gets only `tail` */
	struct buf tail; /* owned */
	size_t tail_sent;
};

/* Adds a reader of what comes from now on. Returns 0, -EBUSY if there are STREAM_READERS, or -ENOMEM. */
int stream_join(struct stream_reader *r);
void stream_leave(struct stream_reader *r);
unsigned stream_readers(void);
/* Appends an event: `type` (NULL: a row, whose number is `id`), and its data, which are lines. Every so many bytes, sends
 * what sockets take: a batch of rows may be larger than the ring. */
void stream_append(const char *type, uint64_t id, const char *data, size_t size);
/* Writes an event to `o`. */
void stream_write_event(struct buf *o, const char *type, uint64_t id, const char *data,
			size_t size);
/* Sends what a socket takes. Returns 0, -EAGAIN if it takes no more for now, -EPIPE if a late reader has got all that
 * it gets, or another -errno. */
int stream_send(struct stream_reader *r, int fd);
/* True if it was sent everything that was made. */
bool stream_is_read(const struct stream_reader *r);
/* Returns how many rows were not sent to late readers. */
uint64_t stream_unsent(void);
void stream_close(void);

#endif
