/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_hist.c - histograms as text and in JSON, and the percentiles that are read from them.
 */
#include "unit.h"
#include "output/hist.h"

static void test_hist_text(void **state)
{
	uint64_t buckets[66] = { [0] = 2, [1] = 1, [13] = 4, [65] = 3 };
	struct hist h = { .buckets = buckets, .count = 66 };
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	hist_put_json(&o, &h);
	assert_string_equal(taken(&o), "[[null,0,2],[0,1,1],[2048,4096,4],"
				       "[9223372036854775808,18446744073709551616,3]]");
	hist_put(&o, &h);
	assert_non_null(strstr(taken(&o), "      (..., 0)                         2 |@@@@@@@@@@"
					  "@@@@@@@@@@                    |\n"
					  "      [0, 1)                           1 |@@@@@@@@@@"));
	hist_put(&o, &h);
	assert_non_null(strstr(taken(&o), "[2K, 4K) "));
	hist_put(&o, &h);
	assert_non_null(strstr(taken(&o), "[8E, 16E) "));
	h = (struct hist){ .buckets = buckets + 10, .count = 6, .low = -5, .high = 4, .step = 3 };
	hist_put_json(&o, &h);
	assert_string_equal(taken(&o), "[[1,4,4]]");
	h.count = 66;
	h.buckets = buckets + 20;
	buckets[65] = 0;
	h.count = 40;
	hist_put_json(&o, &h);
	assert_string_equal(taken(&o), "[]");
	hist_put(&o, &h);
	assert_string_equal(taken(&o), "");
	buf_free(&o);
}

static void test_percentiles(void **state)
{
	uint64_t buckets[66] = { [1] = 50, [12] = 40, [14] = 10 };
	struct hist h = { .buckets = buckets, .count = 66 };
	double v;

	(void)state;
	assert_true(hist_percentile(&h, 50, &v));
	assert_int_equal(v, 0);
	assert_true(hist_percentile(&h, 51, &v));
	assert_true(v >= 1024 && v < 1100);
	assert_true(hist_percentile(&h, 90, &v));
	assert_true(v > 2000 && v < 2048);
	assert_true(hist_percentile(&h, 99, &v));
	assert_true(v >= 4096 && v < 8192);
	buckets[0] = 1000;
	assert_false(hist_percentile(&h, 50, &v));
	memset(buckets, 0, sizeof(buckets));
	assert_false(hist_percentile(&h, 50, &v));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hist_text),
		cmocka_unit_test(test_percentiles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
