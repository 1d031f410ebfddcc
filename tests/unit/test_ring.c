/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_ring.c - the ring's reader against a memory file laid out as the kernel lays out a ring
 * buffer: consumer page, producer page, data.
 */
#include <sys/mman.h>
#include <unistd.h>
#include <linux/bpf.h>

#include "session/ring.h"
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
static void produce(struct fake *f, const char *bytes, uint32_t flags)
{
	uint32_t len = strlen(bytes) + 1;
	size_t at = *f->producer & (SIZE - 1);

	*(uint32_t *)(f->data + at) = len | flags;
	for (uint32_t i = 0; i < len; i++)
		f->data[(at + BPF_RINGBUF_HDR_SZ + i) & (SIZE - 1)] = bytes[i];
	*f->producer += (len + BPF_RINGBUF_HDR_SZ + 7) & ~7u;
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
	assert_int_equal(ring_consume(f->ring, note, &s), 3);
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
		assert_int_equal(ring_consume(f->ring, note, &s), 1);
		assert_true(*f->consumer < *f->producer);
		assert_true(*f->producer - *f->consumer < 16);
		assert_int_equal(ring_consume(f->ring, note, &s), 0);
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
	assert_int_equal(ring_consume(f->ring, note, &s), 1);
	assert_string_equal(s.text, "done ");
	assert_false(ring_arm_wakeup(f->ring));
	*busy &= ~BPF_RINGBUF_BUSY_BIT;
	assert_int_equal(ring_consume(f->ring, note, &s), 1);
	assert_string_equal(s.text, "done late");
}

static void stops_when_told_and_goes_on_after_it(void **state)
{
	struct fake *f = *state;
	struct seen s = { .text = "", .stop_after = 1 };

	produce(f, "a", 0);
	produce(f, "b", 0);
	assert_int_equal(ring_consume(f->ring, note, &s), 1);
	assert_string_equal(s.text, "a");
	assert_int_equal(ring_consume(f->ring, note, &s), 1);
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
		assert_int_equal(ring_consume(f->ring, note, &s), 1);
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
	assert_int_equal(ring_consume(f->ring, refuse, NULL), -71);
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
	n = ring_consume(f->ring, refill, f);
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
	assert_int_equal(ring_consume(f->ring, note, &s), 2);
	assert_int_equal(ring_peak(f->ring), 32);
	/* what is read when more arrives is counted, but no more than the reader's lag of 8 bytes */
	assert_int_equal(ring_peak(f->ring), 8);
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
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
