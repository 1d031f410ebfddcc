/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_lost.c - the ledger's lines in JSON: what is there once something was lost, and when.
 */
#include "unit.h"

#include "output/rows/sink.h"
#include "run/lost.h"

static void test_json(void **state)
{
	struct lost l = { .map_fd = -1 };
	struct buf o;
	struct sink s = { .out = &o, .json = true };

	(void)state;
	buf_init(&o, -1);
	assert_int_equal(lost_read(&l), 0);
	lost_report(&l, &s, 7, true);
	assert_int_equal(o.len, 0);
	l.local[LOSS_RING_FULL] = 3;
	l.local[LOSS_CUT] = 2;
	assert_int_equal(lost_read(&l), 0);
	lost_report(&l, &s, 7, false);
	assert_string_equal(taken(&o),
			    "{\"type\":\"lost\",\"final\":false,\"records\":7,\"lost\":3,"
			    "\"ring_full\":3,\"cut\":2}\n");
	lost_report(&l, &s, 8, false); /* it did not grow */
	assert_int_equal(o.len, 0);
	assert_int_equal(o.unit_count, 0); /* it is no record */
	l.local[LOSS_MISSED] = 1;
	l.filtered = true;
	assert_int_equal(lost_read(&l), 0);
	lost_report(&l, &s, 8, true);
	assert_string_equal(taken(&o),
			    "{\"type\":\"lost\",\"final\":true,\"records\":8,\"lost\":4,"
			    "\"ring_full\":3,\"cut\":2,\"missed\":1,\"at_most\":true}\n");
	buf_free(&o);
}

static void test_over(void **state)
{
	struct lost l = { .map_fd = -1 };

	(void)state;
	l.local[LOSS_OUTPUT] = 2;
	l.kept[LOSS_RING_FULL] = 5;
	l.is_over = true;
	assert_int_equal(lost_read(&l), 0);
	assert_int_equal(lost_records(&l), 7);
	l = (struct lost){ .map_fd = -1 };
	l.kept[LOSS_RING_FULL] = 5;
	lost_over(&l, true);
	l.kept[LOSS_KEYS_FULL] = 1;
	lost_over(&l, true); /* only the first time counts */
	assert_int_equal(lost_read(&l), 0);
	assert_int_equal(lost_records(&l), 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_json),
					    cmocka_unit_test(test_over) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
