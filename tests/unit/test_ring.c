/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_ring.c - the ring's reader against a memory file laid out as the kernel lays out a ring
 * buffer: consumer page, producer page, data.
 */
#include <sys/mman.h>
#include <unistd.h>
#include <linux/bpf.h>

#include "run/ring.h"
#include "unit.h"

#define PAGE 4096
#define SIZE (2 * PAGE)

struct fake {
	int fd;
	unsigned long *consumer, *producer;
	char *data;
	struct ring *ring;
};

static int fake_open(void **state)
{
	static struct fake f;
	char *p;

	f.fd = memfd_create("ring", 0);
	if (f.fd < 0 || ftruncate(f.fd, 2 * PAGE + SIZE))
		return -1;
	p = mmap(NULL, 2 * PAGE + SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, f.fd, 0);
	f.consumer = (void *)p;
	f.producer = (void *)(p + PAGE);
	f.data = p + 2 * PAGE;
	*state = &f;
	return ring_open(&f.ring, f.fd, SIZE);
}

static int fake_close(void **state)
{
	struct fake *f = *state;

	ring_close(f->ring);
	munmap(f->consumer, 2 * PAGE + SIZE);
	return close(f->fd);
}

/* As bpf_ringbuf_reserve and submit do. */
static void produce_bytes(struct fake *f, const char *bytes, uint32_t len, uint32_t flags)
{
	size_t at = *f->producer & (SIZE - 1);

	*(uint32_t *)(f->data + at) = len | flags;
	for (uint32_t i = 0; i < len; i++)
		f->data[(at + BPF_RINGBUF_HDR_SZ + i) & (SIZE - 1)] = bytes[i];
	*f->producer += (len + BPF_RINGBUF_HDR_SZ + 7) & ~7u;
}

static void produce(struct fake *f, const char *bytes, uint32_t flags)
{
	produce_bytes(f, bytes, strlen(bytes) + 1, flags);
}

struct seen {
	char text[256];
	int stop_after, count;
};

static int note(void *ctx, const void *record, size_t size)
{
	struct seen *s = ctx;

	assert_int_equal(size, strlen(record) + 1);
	strcat(s->text, record);
	return ++s->count == s->stop_after;
}

static void takes_what_is_committed(void **state)
{
	struct fake *f = *state;
	struct seen s = { .text = "" };

	assert_true(ring_arm_wakeup(f->ring));
	produce(f, "one ", 0);
	produce(f, "dropped ", BPF_RINGBUF_DISCARD_BIT);
	produce(f, "two", 0);
	assert_false(ring_arm_wakeup(f->ring));
	assert_int_equal(ring_consume(f->ring, UINT64_MAX, note, &s), 3);
	assert_string_equal(s.text, "one two");
	assert_true(ring_arm_wakeup(f->ring));
	assert_int_equal(*f->consumer, *f->producer);
}

/* It does at a record that begins where the consumer stands. */
static void lets_the_kernel_wake_it_when_it_rests(void **state)
{
	struct fake *f = *state;
	struct seen s = { .text = "" };

	assert_true(ring_arm_wakeup(f->ring));
	for (int i = 0; i < 100; i++) {
		assert_int_equal(*f->consumer, *f->producer);
		produce(f, "a", 0);
		assert_false(ring_arm_wakeup(f->ring));
		assert_int_equal(ring_consume(f->ring, UINT64_MAX, note, &s), 1);
		assert_true(*f->consumer < *f->producer);
		assert_true(*f->producer - *f->consumer < 16);
		assert_int_equal(ring_consume(f->ring, UINT64_MAX, note, &s), 0);
		assert_true(*f->consumer < *f->producer);
		assert_true(ring_arm_wakeup(f->ring));
	}
}

static void stops_at_a_record_being_written(void **state)
{
	struct fake *f = *state;
	struct seen s = { .text = "" };
	uint32_t *busy;

	produce(f, "done ", 0);
	busy = (uint32_t *)(f->data + (*f->producer & (SIZE - 1)));
	produce(f, "late", BPF_RINGBUF_BUSY_BIT);
	assert_int_equal(ring_consume(f->ring, UINT64_MAX, note, &s), 1);
	assert_string_equal(s.text, "done ");
	assert_false(ring_arm_wakeup(f->ring));
	produce(f, "dropped", BPF_RINGBUF_DISCARD_BIT);
	produce(f, "behind", 0);
	assert_int_equal(ring_unread(f->ring), 2);
	*busy &= ~BPF_RINGBUF_BUSY_BIT;
	assert_int_equal(ring_consume(f->ring, UINT64_MAX, note, &s), 3);
	assert_string_equal(s.text, "done latebehind");
	assert_int_equal(ring_unread(f->ring), 0);
}

static void stops_when_told_and_goes_on_after_it(void **state)
{
	struct fake *f = *state;
	struct seen s = { .text = "", .stop_after = 1 };

	produce(f, "a", 0);
	produce(f, "b", 0);
	assert_int_equal(ring_consume(f->ring, UINT64_MAX, note, &s), 1);
	assert_string_equal(s.text, "a");
	assert_int_equal(ring_consume(f->ring, UINT64_MAX, note, &s), 1);
	assert_string_equal(s.text, "ab");
}

/* Many laps, so that records wrap at each of their bytes, headers at the very end included. */
static void puts_wrapped_records_together(void **state)
{
	struct fake *f = *state;
	uint64_t seed = 7;
	char bytes[200];

	for (int i = 0; i < 5000; i++) {
		struct seen s = { .text = "" };
		size_t len = random_next(&seed) % (sizeof(bytes) - 1);

		for (size_t at = 0; at < len; at++)
			bytes[at] = 'a' + (at + i) % 26;
		bytes[len] = 0;
		produce(f, bytes, 0);
		assert_int_equal(ring_consume(f->ring, UINT64_MAX, note, &s), 1);
		assert_string_equal(s.text, bytes);
	}
	assert_true(*f->producer > 20 * SIZE);
}

static int refuse(void *ctx, const void *record, size_t size)
{
	(void)ctx, (void)record, (void)size;
	return -71;
}

static void passes_an_error_on(void **state)
{
	struct fake *f = *state;

	produce(f, "bad", 0);
	assert_int_equal(ring_consume(f->ring, UINT64_MAX, refuse, NULL), -71);
	assert_true(ring_arm_wakeup(f->ring));
}

static int refill(void *ctx, const void *record, size_t size)
{
	(void)record, (void)size;
	produce(ctx, "one for one", 0);
	return 0;
}

/* Each record that is read makes another. */
static void gives_up_a_flood_for_now(void **state)
{
	struct fake *f = *state;
	int n;

	produce(f, "the first", 0);
	assert_false(ring_is_empty(f->ring));
	assert_false(ring_is_crowded(f->ring));
	n = ring_consume(f->ring, UINT64_MAX, refill, f);
	assert_in_range(n, SIZE / 24, SIZE / 24 + 1);
	while (!ring_is_crowded(f->ring))
		produce(f, "more", 0);
	assert_false(ring_is_empty(f->ring));
}

/* Read since, but unread at some time. */
static void knows_how_full_it_was_at_most(void **state)
{
	struct fake *f = *state;
	struct seen s = { .stop_after = 100 };

	assert_int_equal(ring_peak(f->ring), 0);
	produce(f, "one", 0);
	produce(f, "two", 0);
	assert_int_equal(ring_consume(f->ring, UINT64_MAX, note, &s), 2);
	assert_int_equal(ring_peak(f->ring), 32);
	/* what is read when more arrives is counted, but no more than the reader's lag of 8 bytes */
	assert_int_equal(ring_peak(f->ring), 8);
}

/* ---- order ---- */

enum { TIMES = 40000 };

/* A record of a time: its number, and as many bytes behind it as it says. */
struct timed {
	uint64_t time;
	uint32_t number, more;
	char bytes[64];
};

static struct given {
	uint32_t numbers[TIMES];
	uint64_t times[TIMES];
	int count, stop_after;
} given;

static uint64_t timed_time(const void *record, size_t size)
{
	(void)size;
	return ((const struct timed *)record)->time;
}

static int timed_note(void *ctx, const void *record, size_t size)
{
	const struct timed *t = record;

	(void)ctx;
	assert_int_equal(size, offsetof(struct timed, bytes) + t->more);
	for (uint32_t i = 0; i < t->more; i++)
		assert_int_equal(t->bytes[i], (char)(t->number + i));
	given.numbers[given.count] = t->number;
	given.times[given.count++] = t->time;
	return given.count == given.stop_after;
}

static uint32_t *produce_timed(struct fake *f, uint64_t time, uint32_t number, uint32_t more,
			       uint32_t flags)
{
	uint32_t *head = (uint32_t *)(f->data + (*f->producer & (SIZE - 1)));
	struct timed t = { .time = time, .number = number, .more = more };

	for (uint32_t i = 0; i < more; i++)
		t.bytes[i] = (char)(number + i);
	produce_bytes(f, (const char *)&t, offsetof(struct timed, bytes) + more, flags);
	return head;
}

static int take(struct fake *f, uint64_t until)
{
	return ring_consume(f->ring, until, timed_note, NULL);
}

static void wants(const char *numbers)
{
	char text[256] = "";

	for (int i = 0; i < given.count; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%u ", given.numbers[i]);
	assert_string_equal(text, numbers);
}

static int timed_open(void **state)
{
	int err = fake_open(state);

	given = (struct given){ 0 };
	if (!err)
		ring_order(((struct fake *)*state)->ring, timed_time);
	return err;
}

static void gives_records_by_time_when_they_are_old_enough(void **state)
{
	struct fake *f = *state;

	produce_timed(f, 10, 1, 0, 0);
	produce_timed(f, 30, 3, 0, 0);
	produce_timed(f, 20, 2, 0, 0);
	assert_int_equal(take(f, 5), 0);
	assert_true(ring_is_holding(f->ring));
	assert_int_equal(take(f, 10), 1);
	assert_int_equal(take(f, 25), 1);
	wants("1 2 ");
	produce_timed(f, 25, 5, 0, 0);
	produce_timed(f, 25, 6, 0, 0);
	produce_timed(f, 0, 7, 0, 0); /* no time: its place */
	assert_int_equal(take(f, 30), 4);
	wants("1 2 5 6 3 7 ");
	assert_false(ring_is_holding(f->ring));
	assert_true(ring_arm_wakeup(f->ring));
	assert_int_equal(ring_disordered(f->ring), 0);
}

/* What comes when a younger one has been given is not lost, and counted. */
static void counts_what_came_too_late(void **state)
{
	struct fake *f = *state;

	produce_timed(f, 10, 1, 0, 0);
	assert_int_equal(take(f, 10), 1);
	produce_timed(f, 9, 2, 0, 0);
	produce_timed(f, 8, 3, 0, 0);
	produce_timed(f, 12, 4, 0, 0);
	assert_int_equal(take(f, 10), 2);
	assert_int_equal(take(f, 12), 1);
	wants("1 3 2 4 ");
	assert_int_equal(ring_disordered(f->ring), 2);
}

static void sees_nothing_behind_a_record_being_written(void **state)
{
	struct fake *f = *state;
	uint32_t *busy;

	produce_timed(f, 10, 1, 0, 0);
	busy = produce_timed(f, 5, 2, 0, BPF_RINGBUF_BUSY_BIT);
	produce_timed(f, 7, 3, 0, 0);
	assert_int_equal(take(f, 9), 0);
	*busy &= ~BPF_RINGBUF_BUSY_BIT;
	assert_int_equal(take(f, 9), 2);
	wants("2 3 ");
	assert_int_equal(take(f, UINT64_MAX), 1);
	wants("2 3 1 ");
}

/* The next call goes on behind it, whether it lay in the ring or was late. */
static void stops_between_late_ones_when_told(void **state)
{
	struct fake *f = *state;

	produce_timed(f, 10, 1, 0, 0);
	produce_timed(f, 40, 4, 0, 0);
	produce_timed(f, 20, 2, 0, 0);
	produce_timed(f, 30, 3, 0, BPF_RINGBUF_DISCARD_BIT);
	produce_timed(f, 30, 3, 0, 0);
	for (int i = 1; i <= 4; i++) {
		given.stop_after = i;
		take(f, UINT64_MAX);
		assert_int_equal(given.count, i);
	}
	wants("1 2 3 4 ");
}

/* What is young stays, but not more than a quarter of the ring. */
static void keeps_no_more_than_a_quarter(void **state)
{
	struct fake *f = *state;
	int n = SIZE / 24;

	for (int i = 0; i < n - 1; i++)
		produce_timed(f, 100 + i, i, 0, 0);
	take(f, 1);
	assert_in_range(given.count, n * 3 / 4 - 2, n * 3 / 4 + 1);
	assert_false(ring_is_crowded(f->ring));
	take(f, UINT64_MAX);
	assert_int_equal(given.count, n - 1);
}

/* As from processors that stand still now and then, in many laps; with a second reader's order to
 * compare with. */
static void gives_each_once_and_in_order(void **state)
{
	struct fake *f = *state;
	static bool was[TIMES];
	uint64_t seed = 5, now = 1000;
	int made = 0;

	memset(was, 0, sizeof(was));
	while (made < TIMES) {
		for (int n = random_next(&seed) % 20; n > 0 && made < TIMES; n--) {
			uint64_t stood = random_next(&seed) % 8 ? 0 : random_next(&seed) % 50;

			now += random_next(&seed) % 9;
			produce_timed(f, now - stood, made++, random_next(&seed) % 64, 0);
			if (random_next(&seed) % 9 == 0)
				produce(f, "dropped", BPF_RINGBUF_DISCARD_BIT);
		}
		take(f, now - 50);
	}
	take(f, UINT64_MAX);
	assert_int_equal(given.count, TIMES);
	assert_int_equal(ring_disordered(f->ring), 0);
	for (int i = 0; i < TIMES; i++) {
		assert_false(was[given.numbers[i]]);
		was[given.numbers[i]] = true;
		assert_true(!i || given.times[i] >= given.times[i - 1]);
	}
	assert_true(*f->producer > 20 * SIZE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(takes_what_is_committed, fake_open, fake_close),
		cmocka_unit_test_setup_teardown(lets_the_kernel_wake_it_when_it_rests, fake_open,
						fake_close),
		cmocka_unit_test_setup_teardown(stops_at_a_record_being_written, fake_open,
						fake_close),
		cmocka_unit_test_setup_teardown(stops_when_told_and_goes_on_after_it, fake_open,
						fake_close),
		cmocka_unit_test_setup_teardown(puts_wrapped_records_together, fake_open,
						fake_close),
		cmocka_unit_test_setup_teardown(passes_an_error_on, fake_open, fake_close),
		cmocka_unit_test_setup_teardown(gives_up_a_flood_for_now, fake_open, fake_close),
		cmocka_unit_test_setup_teardown(knows_how_full_it_was_at_most, fake_open,
						fake_close),
		cmocka_unit_test_setup_teardown(gives_records_by_time_when_they_are_old_enough,
						timed_open, fake_close),
		cmocka_unit_test_setup_teardown(counts_what_came_too_late, timed_open, fake_close),
		cmocka_unit_test_setup_teardown(sees_nothing_behind_a_record_being_written,
						timed_open, fake_close),
		cmocka_unit_test_setup_teardown(stops_between_late_ones_when_told, timed_open,
						fake_close),
		cmocka_unit_test_setup_teardown(keeps_no_more_than_a_quarter, timed_open,
						fake_close),
		cmocka_unit_test_setup_teardown(gives_each_once_and_in_order, timed_open,
						fake_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
