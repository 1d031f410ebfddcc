/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stream.c - the ring of events (stream.h). Positions count all bytes ever appended.
 */
#include "run/stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#define ROW_BEGIN "id: "
enum { SEND_BYTES = STREAM_BYTES / 16 };

static struct {
	char *bytes; /* owned; NULL: nobody has joined yet */
	uint64_t end;
	uint64_t unsent;
	struct stream_reader *readers[STREAM_READERS];
	unsigned count;
	struct buf event; /* owned: the event being appended */
} ring;

/* ---- readers ---- */

int stream_join(struct stream_reader *r)
{
	if (ring.count == STREAM_READERS)
		return -EBUSY;
	if (!ring.bytes) {
		ring.bytes = malloc(STREAM_BYTES);
		buf_init(&ring.event, -1);
	}
	if (!ring.bytes)
		return -ENOMEM;
	*r = (struct stream_reader){ .at = ring.end };
	buf_init(&r->tail, -1);
	ring.readers[ring.count++] = r;
	return 0;
}

void stream_leave(struct stream_reader *r)
{
	for (unsigned i = 0; i < ring.count; i++)
		if (ring.readers[i] == r)
			ring.readers[i] = ring.readers[--ring.count];
	buf_free(&r->tail);
}

unsigned stream_readers(void)
{
	return ring.count;
}

bool stream_is_read(const struct stream_reader *r)
{
	return r->at == ring.end;
}

uint64_t stream_unsent(void)
{
	return ring.unsent;
}

void stream_close(void)
{
	free(ring.bytes);
	buf_free(&ring.event);
	memset(&ring, 0, sizeof(ring));
}

/* ---- readers that are late ---- */

static char byte_at(uint64_t at)
{
	return ring.bytes[at % STREAM_BYTES];
}

static bool is_begin(uint64_t at)
{
	return !at || (at >= 2 && byte_at(at - 1) == '\n' && byte_at(at - 2) == '\n');
}

/* Returns the position after the event that contains the byte before `at`; if an event begins there, `at`. */
static uint64_t event_end(uint64_t at)
{
	while (at < ring.end && !is_begin(at))
		at++;
	return at;
}

/* Returns how many rows begin from position `at` on, where an event begins. */
static uint64_t rows_from(uint64_t at)
{
	uint64_t rows = 0;

	for (; at < ring.end; at = event_end(at + 1)) {
		size_t same = 0;

		while (same < strlen(ROW_BEGIN) && byte_at(at + same) == ROW_BEGIN[same])
			same++;
		rows += same == strlen(ROW_BEGIN);
	}
	return rows;
}

/* `id` is the number of the event that finds no room, `rows` 1 if it is a row. */
static void reader_cut(struct stream_reader *r, uint64_t id, uint64_t rows)
{
	uint64_t end = event_end(r->at);
	char text[64];

	for (uint64_t at = r->at; at < end; at++)
		buf_char(&r->tail, byte_at(at));
	rows += rows_from(end);
	ring.unsent += rows;
	snprintf(text, sizeof(text), "{\"rows\":%llu}", (unsigned long long)rows);
	buf_printf(&r->tail, "id: %llu\n", (unsigned long long)id);
	stream_write_event(&r->tail, "missed", 0, text, strlen(text));
	r->is_late = true;
}

/* ---- events ---- */

void stream_write_event(struct buf *o, const char *type, uint64_t id, const char *data, size_t size)
{
	const char *end = data + size;

	if (type)
		buf_printf(o, "event: %s\n", type);
	else
		buf_printf(o, ROW_BEGIN "%llu\n", (unsigned long long)id);
	while (data < end) {
		const char *newline = memchr(data, '\n', end - data) ?: end;

		buf_str(o, "data: ");
		buf_bytes(o, data, newline - data);
		buf_char(o, '\n');
		data = newline + 1;
	}
	buf_char(o, '\n');
}

static void bytes_append(const char *bytes, size_t size)
{
	size_t at = ring.end % STREAM_BYTES;
	size_t first = size < STREAM_BYTES - at ? size : STREAM_BYTES - at;

	memcpy(ring.bytes + at, bytes, first);
	memcpy(ring.bytes, bytes + first, size - first);
	ring.end += size;
}

/* An event that is larger than half of the ring is not sent to anybody: each reader would be too slow for it. */
void stream_append(const char *type, uint64_t id, const char *data, size_t size)
{
	static const char lost[] = "{\"rows\":1}";

	if (!ring.count)
		return;
	buf_rewind(&ring.event, 0);
	stream_write_event(&ring.event, type, id, data, size);
	if (ring.event.error || ring.event.len > STREAM_BYTES / 2) {
		buf_free(&ring.event);
		buf_init(&ring.event, -1);
		stream_write_event(&ring.event, "missed", 0, lost, strlen(lost));
		ring.unsent++;
	}
	for (unsigned i = 0; i < ring.count; i++) {
		struct stream_reader *r = ring.readers[i];

		/* errors return when the reader's turn comes */
		if (r->fd && !r->is_late &&
		    ring.end / SEND_BYTES != (ring.end + ring.event.len) / SEND_BYTES)
			stream_send(r, r->fd);
		/* two bytes before its place are needed to find whether an event begins there */
		if (!r->is_late && ring.end + ring.event.len - r->at > STREAM_BYTES - 2)
			reader_cut(r, id, !type);
	}
	bytes_append(ring.event.data, ring.event.len);
}

/* ---- sending ---- */

static int bytes_send(int fd, const char *bytes, size_t size)
{
	ssize_t n = send(fd, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);

	return n < 0 ? -errno : (int)n;
}

static int tail_send(struct stream_reader *r, int fd)
{
	while (r->tail_sent < r->tail.len) {
		int n = bytes_send(fd, r->tail.data + r->tail_sent, r->tail.len - r->tail_sent);

		if (n < 0)
			return n;
		r->tail_sent += n;
	}
	return -EPIPE;
}

int stream_send(struct stream_reader *r, int fd)
{
	r->fd = fd;
	if (r->is_late)
		return tail_send(r, fd);
	while (r->at < ring.end) {
		size_t at = r->at % STREAM_BYTES, rest = STREAM_BYTES - at;
		int n = bytes_send(fd, ring.bytes + at,
				   ring.end - r->at < rest ? ring.end - r->at : rest);

		if (n < 0)
			return n;
		r->at += n;
	}
	return 0;
}
