/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_hist.c - histograms as text and in JSON, and the percentiles that are read from them.
 */
#include <string.h>

#include "unit.h"
#include "output/field/field.h"
#include "output/field/hist.h"
#include "output/field/value.h"

static void test_hist_text(void **state)
{
	uint64_t buckets[66] = { [0] = 2, [1] = 1, [13] = 4, [65] = 3 };
	struct hist h = { .buckets = buckets, .count = 66 };
	struct buf o;

	(void)state;
	buf_init(&o, -1);
	hist_write_json(&o, &h);
	assert_string_equal(taken(&o), "[[null,0,2],[0,1,1],[2048,4096,4],"
				       "[9223372036854775808,18446744073709551616,3]]");
	hist_write(&o, &h);
	assert_non_null(strstr(taken(&o), "      (..., 0)                         2 |@@@@@@@@@@"
					  "@@@@@@@@@@                    |\n"
					  "      [0]                              1 |@@@@@@@@@@"));
	hist_write(&o, &h);
	assert_non_null(strstr(taken(&o), "[2K, 4K) "));
	hist_write(&o, &h);
	assert_non_null(strstr(taken(&o), "[8E, 16E) "));
	h = (struct hist){ .buckets = buckets + 10, .count = 6, .low = -5, .high = 4, .step = 3 };
	hist_write_json(&o, &h);
	assert_string_equal(taken(&o), "[[1,4,4]]");
	h.count = 66;
	h.buckets = buckets + 20;
	buckets[65] = 0;
	h.count = 40;
	hist_write_json(&o, &h);
	assert_string_equal(taken(&o), "[]");
	hist_write(&o, &h);
	assert_string_equal(taken(&o), "");
	buf_free(&o);
}

static void expect_percentile(const struct hist *h, unsigned percent, const char *text,
			      const char *json)
{
	struct hist_percentile p;
	struct buf o;

	buf_init(&o, -1);
	assert_true(hist_percentile(h, percent * 1000, &p));
	hist_percentile_write(&o, h, &p);
	assert_string_equal(taken(&o), text);
	hist_percentile_write_json(&o, &p);
	assert_string_equal(taken(&o), json);
	buf_free(&o);
}

/* Without ends: between the bounds of the bucket; a bucket of one value is exact. */
static void test_percentiles(void **state)
{
	uint64_t buckets[66] = { [1] = 50, [12] = 40, [14] = 10 }, twos[66] = { [3] = 3 };
	struct hist h = { .buckets = buckets, .count = 66 };
	struct hist_percentile p;

	(void)state;
	expect_percentile(&h, 50, "0", "0");
	expect_percentile(&h, 51, "~1.01K", "1037");
	expect_percentile(&h, 90, "~1.99K", "2034");
	expect_percentile(&h, 99, "~7.4K", "7577");
	assert_true(hist_percentile(&h, 99001, &p) && p.value > 7577 && p.value < 8192);
	assert_true(hist_percentile(&h, 100000, &p) && p.value > 7577 && p.value < 8192);
	buckets[0] = 1000;
	assert_false(hist_percentile(&h, 50, &p));
	memset(buckets, 0, sizeof(buckets));
	assert_false(hist_percentile(&h, 50, &p));
	h.buckets = twos;
	expect_percentile(&h, 90, "~3", "3");
	h.is_time = true;
	expect_percentile(&h, 90, "~3ns", "3");
	h = (struct hist){
		.buckets = twos + 2, .count = 4, .low = 100, .high = 3000, .step = 1500
	};
	expect_percentile(&h, 50, "~850", "850");
}

/* With the least and the largest value. */
static void test_ends(void **state)
{
	uint64_t words[68] = { [18] = 2, [66] = 65536, [67] = ~65536ull };
	struct hist_axis axis = { .has_ends = true };
	struct field f = { .type = FIELD_HIST, .axis = &axis };
	struct value v = { .bytes = (const char *)words, .len = sizeof(words) };
	struct hist h = hist_of(&f, &v);

	(void)state;
	assert_int_equal(h.count, 66);
	expect_percentile(&h, 50, "64K", "65536");
	expect_percentile(&h, 99, "64K", "65536");
	words[66] = 70000;
	h = hist_of(&f, &v);
	expect_percentile(&h, 50, "64K", "65536"); /* the first and the last are known */
	expect_percentile(&h, 99, "70000", "70000");
	words[18] = 1000;
	expect_percentile(&h, 50, "~66.2K", "67766");
	axis.is_signed = true;
	memset(words, 0, sizeof(words));
	words[0] = 3;
	words[1] = 3;
	words[66] = 0 ^ 1ull << 63;
	words[67] = ~(-7ull ^ 1ull << 63);
	h = hist_of(&f, &v);
	expect_percentile(&h, 10, "-7", "-7");
	expect_percentile(&h, 30, "~-4", "-4");
	expect_percentile(&h, 50, "~-2", "-2");
	expect_percentile(&h, 99, "0", "0");
	axis = (struct hist_axis){ .low = 0, .high = 10, .step = 5, .has_ends = true };
	v.len = 6 * 8;
	memcpy(words, (uint64_t[]){ 0, 0, 1, 2, 60, ~6ull }, v.len);
	h = hist_of(&f, &v);
	expect_percentile(&h, 50, "~23", "23");
	expect_percentile(&h, 99, "60", "60");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hist_text),
		cmocka_unit_test(test_percentiles),
		cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
