/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_wall.c - times are converted with the distance of the clocks that was valid then: the clock is set forward and
 * back, the machine is suspended, and more happens than is remembered.
 */
#include <string.h>

#include "output/field/wall.h"
#include "unit.h"

#define SECOND 1000000000ull
#define REAL   1000000 /* the wall clock's second when the machine was started */
#define TAI    37

static struct wall_spans spans;

/* All clocks `up` seconds after the start, of which the machine was suspended for `slept`; the wall clock was set
 * forward by `set`. */
static void pass(uint64_t up, uint64_t slept, int64_t set)
{
	struct wall_reading r = { .now = { up - slept, up, REAL + set + TAI + up } };

	for (int i = 0; i < WALL_CLOCKS; i++) {
		r.offset[i] = (REAL + set + up - r.now[i]) * SECOND;
		r.now[i] *= SECOND;
	}
	wall_spans_add(&spans, &r);
}

static uint64_t wall_of(enum wall_clock clock, uint64_t second)
{
	uint64_t ns = second * SECOND + 5;
	uint64_t wall = ns + wall_spans_offset(&spans, clock, ns);

	assert_int_equal(wall % SECOND, 5);
	return wall / SECOND - REAL;
}

static int begin(void **state)
{
	(void)state;
	memset(&spans, 0, sizeof(spans));
	pass(100, 0, 0);
	return 0;
}

static void one_distance(void **state)
{
	(void)state;
	pass(200, 0, 0);
	assert_int_equal(spans.count, 1);
	assert_int_equal(wall_of(WALL_MONOTONIC, 150), 150);
	assert_int_equal(wall_of(WALL_BOOT, 50), 50); /* before the first reading */
	assert_int_equal(wall_of(WALL_TAI, REAL + TAI + 150), 150);
}

static void errors_of_readings(void **state)
{
	struct wall_reading r = spans.spans[0];

	(void)state;
	r.offset[WALL_BOOT] += 999999;
	wall_spans_add(&spans, &r);
	assert_int_equal(spans.count, 1);
	r.offset[WALL_BOOT] += 1;
	wall_spans_add(&spans, &r);
	assert_int_equal(spans.count, 2);
}

static void clock_is_set(void **state)
{
	(void)state;
	pass(200, 0, 5000);
	pass(300, 0, -700);
	assert_int_equal(spans.count, 3);
	for (int clock = WALL_MONOTONIC; clock <= WALL_BOOT; clock++) {
		assert_int_equal(wall_of(clock, 199), 199);
		assert_int_equal(wall_of(clock, 200), 5200);
		assert_int_equal(wall_of(clock, 299), 5299);
		assert_int_equal(wall_of(clock, 301), -700 + 301);
	}
	assert_int_equal(wall_of(WALL_TAI, REAL + 5000 + TAI + 250), 5250);
}

/* CLOCK_MONOTONIC stands still meanwhile, the others go on. */
static void machine_is_suspended(void **state)
{
	(void)state;
	pass(4000, 3600, 0);
	assert_int_equal(spans.count, 2);
	assert_int_equal(wall_of(WALL_MONOTONIC, 399), 399);
	assert_int_equal(wall_of(WALL_MONOTONIC, 401), 4001);
	assert_int_equal(wall_of(WALL_BOOT, 399), 399);
	assert_int_equal(wall_of(WALL_BOOT, 4001), 4001);
	assert_int_equal(wall_of(WALL_TAI, REAL + TAI + 4001), 4001);
}

static void more_than_is_kept(void **state)
{
	(void)state;
	for (int i = 1; i < 3 * WALL_SPANS; i++)
		pass(100 + i, 0, i * 10);
	assert_int_equal(spans.count, WALL_SPANS);
	for (int i = 2 * WALL_SPANS; i < 3 * WALL_SPANS; i++)
		assert_int_equal(wall_of(WALL_BOOT, 100 + i), 100 + i + i * 10);
	/* older ones have the oldest distance that is known */
	assert_int_equal(wall_of(WALL_BOOT, 101), 101 + 2 * WALL_SPANS * 10);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(one_distance, begin),
		cmocka_unit_test_setup(errors_of_readings, begin),
		cmocka_unit_test_setup(clock_is_set, begin),
		cmocka_unit_test_setup(machine_is_suspended, begin),
		cmocka_unit_test_setup(more_than_is_kept, begin),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
