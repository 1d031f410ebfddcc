/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recorder.c - stores copies of the last records as they came from the kernel, which is cheaper than formatting
 * lines.
 *
 * Records are numbered; number n is in slot n % most, whose memory the next record of that slot reuses. The total of
 * bytes is also bounded, because a record with stacks may have tens of kilobytes.
 */
#include "run/recorder.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "run/session.h"
#include "util/log.h"

struct recorder_record {
	void *bytes; /* owned */
	size_t size, room;
};

static struct recorder_record *slot_of(struct recorder *r, uint64_t number)
{
	return &r->kept[number % r->most];
}

static void slot_free(struct recorder *r, struct recorder_record *k)
{
	r->bytes -= k->room;
	free(k->bytes);
	*k = (struct recorder_record){ 0 };
}

/* Allocates `size` bytes in the next slot; drops the oldest records if the total would be too large. */
static int room_reserve(struct recorder *r, struct recorder_record *k, size_t size)
{
	void *bytes;

	if (k->room >= size)
		return 0;
	slot_free(r, k);
	while (r->first < r->next && r->bytes + size > RECORDER_BYTES_MAX)
		slot_free(r, slot_of(r, r->first++));
	bytes = malloc(size);
	if (!bytes)
		return -ENOMEM;
	*k = (struct recorder_record){ .bytes = bytes, .room = size };
	r->bytes += size;
	return 0;
}

int recorder_add(struct recorder *r, const void *record, size_t size)
{
	struct recorder_record *k;

	if (!r->kept)
		r->kept = calloc(r->most, sizeof(*r->kept));
	if (!r->kept)
		return -ENOMEM;
	if (r->next - r->first == r->most)
		r->first++;
	k = slot_of(r, r->next);
	if (room_reserve(r, k, size))
		return -ENOMEM;
	memcpy(k->bytes, record, size);
	k->size = size;
	r->next++;
	return 0;
}

int recorder_show(struct recorder *r, struct session *s, recorder_show_fn *show)
{
	int err = 0;

	r->left_out += r->first - r->written;
	while (r->first < r->next && !err && !session_count_reached(s)) {
		const struct recorder_record *k = slot_of(r, r->first++);

		err = show(s, k->bytes, k->size);
	}
	r->written = r->first;
	return err;
}

void recorder_close(struct recorder *r)
{
	for (size_t i = 0; r->kept && i < r->most; i++)
		free(r->kept[i].bytes);
	free(r->kept);
	r->kept = NULL;
}

/* ---- --ring ---- */

static volatile sig_atomic_t is_asked;

static void signal_caught(int number)
{
	(void)number;
	is_asked = 1;
}

void recorder_signal_catch(void)
{
	struct sigaction action = { .sa_handler = signal_caught, .sa_flags = SA_RESTART };

	sigaction(SIGUSR1, &action, NULL);
}

bool recorder_is_asked(void)
{
	bool was = is_asked;

	is_asked = 0;
	return was;
}

int recorder_output(struct session *s, const void *record, size_t size)
{
	const char *text = s->options.rows.contains;

	if (text && !sink_contains(&s->sink, record, size, text))
		return 0;
	if (s->end.where.count && !condition_holds(&s->end.where, record, size))
		return 0;
	if (s->end.until.count && !s->end.is_over)
		s->end.is_over = condition_holds(&s->end.until, record, size);
	if (s->recorder.most)
		return recorder_add(&s->recorder, record, size);
	return rotate_write(s, record, size);
}

static int line_write(struct session *s, const void *record, size_t size)
{
	return rotate_write(s, record, size) ?: s->out.error;
}

/* A note, not a loss: the user chose how many to keep. */
static void written_report(const struct recorder *r, uint64_t kept, uint64_t all)
{
	const char *since = r->writes > 1 ? " since then" : "";

	log_note("kept the last %llu of %llu record%s%s%s", (unsigned long long)kept,
		 (unsigned long long)all, all == 1 ? "" : "s", since,
		 kept < all && kept < r->most ? ": more than 256 MiB are not kept" : "");
}

int recorder_write(struct session *s)
{
	struct recorder *r = &s->recorder;
	uint64_t kept = r->next - r->first, all = r->next - r->written;
	int err;

	if (!r->most)
		return 0;
	r->writes++;
	err = recorder_show(r, s, line_write);
	if (s->out.error != -EPIPE) /* the output failed before */
		s->losses.local[LOSS_OUTPUT] += r->next - r->first;
	r->first = r->written = r->next;
	buf_flush(&s->out);
	written_report(r, kept, all);
	return err == s->out.error ? 0 : err;
}
