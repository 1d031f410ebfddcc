/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_openmetrics.c - rows as metrics: names, labels, escapes, units, histograms.
 */
#include <string.h>

#include "unit.h"

#include "output/field/hist.h"
#include "output/rows/openmetrics.h"

struct call {
	const char *name, *other;
	uint64_t calls, time, mean;
	int64_t level;
	uint64_t buckets[HIST_BUCKETS];
};

#define CALL(member_, type_, ...)                                                                  \
	{                                                                                          \
		.name = #member_, FIELD_AT(struct call, member_), .type = type_, ##__VA_ARGS__     \
	}

static void text_is(const struct schema *schema, const struct call *calls, size_t count,
		    const char *text)
{
	struct sink sink = { .schema = schema, .form = &sink_form_openmetrics, .applet = "a-b" };
	struct report r = { .sink = &sink, .form = &report_form_openmetrics };

	report_begin(&r, 1);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(report_row(&r, &calls[i], sizeof(calls[i])), 0);
	assert_int_equal(report_end(&r), 0);
	buf_char(&r.picture, '\0');
	assert_string_equal(r.picture.data, text);
	report_free(&r);
	sink_free(&sink);
}

#define SCHEMA(fields_)                                                                            \
	{                                                                                          \
		.fields = fields_, .count = COUNT(fields_), .bare = true,                          \
		.record_min = sizeof(struct call)                                                  \
	}

static void test_values(void **state)
{
	static const struct field fields[] = {
		CALL(name, FIELD_TEXT),
		CALL(calls, FIELD_UINT, .flags = FIELD_SORT | FIELD_TOTAL,
		     .help = "how \"many\"\\"),
		CALL(time, FIELD_NS, .flags = FIELD_COUNTER),
		CALL(mean, FIELD_NS, .flags = FIELD_GAUGE),
		CALL(level, FIELD_INT, .flags = FIELD_GAUGE),
		{ .name = "part",
		  FIELD_AT(struct call, level),
		  .type = FIELD_HUNDREDTHS,
		  .flags = FIELD_GAUGE },
	};
	static const struct schema schema = SCHEMA(fields);
	static const struct call calls[] = {
		{ .name = "one", .calls = 18446744073709551615u, .time = 1000000001, .mean = 500 },
		{ .name = " a\"b\\c\nd\xff", .calls = 1, .time = 2000000000, .level = -7 },
		{ .name = NULL },
	};

	(void)state;
	text_is(&schema, calls, COUNT(calls),
		"# HELP coretap_a_b_calls_total how \"many\"\\\\\n"
		"# TYPE coretap_a_b_calls_total counter\n"
		"coretap_a_b_calls_total{name=\"one\"} 18446744073709551615\n"
		"coretap_a_b_calls_total{name=\" a\\\"b\\\\\\\\c\\\\nd\\\\xff\"} 1\n"
		"coretap_a_b_calls_total{name=\"-\"} 0\n"
		"# HELP coretap_a_b_time_seconds_total time\n"
		"# TYPE coretap_a_b_time_seconds_total counter\n"
		"coretap_a_b_time_seconds_total{name=\"one\"} 1.000000001\n"
		"coretap_a_b_time_seconds_total{name=\" a\\\"b\\\\\\\\c\\\\nd\\\\xff\"} 2\n"
		"coretap_a_b_time_seconds_total{name=\"-\"} 0\n"
		"# HELP coretap_a_b_mean_seconds mean\n"
		"# TYPE coretap_a_b_mean_seconds gauge\n"
		"coretap_a_b_mean_seconds{name=\"one\"} 5e-07\n"
		"coretap_a_b_mean_seconds{name=\" a\\\"b\\\\\\\\c\\\\nd\\\\xff\"} 0\n"
		"coretap_a_b_mean_seconds{name=\"-\"} 0\n"
		"# HELP coretap_a_b_level level\n"
		"# TYPE coretap_a_b_level gauge\n"
		"coretap_a_b_level{name=\"one\"} 0\n"
		"coretap_a_b_level{name=\" a\\\"b\\\\\\\\c\\\\nd\\\\xff\"} -7\n"
		"coretap_a_b_level{name=\"-\"} 0\n"
		"# HELP coretap_a_b_part part\n"
		"# TYPE coretap_a_b_part gauge\n"
		"coretap_a_b_part{name=\"one\"} 0\n"
		"coretap_a_b_part{name=\" a\\\"b\\\\\\\\c\\\\nd\\\\xff\"} -0.07\n"
		"coretap_a_b_part{name=\"-\"} 0\n");
	text_is(&schema, calls, 0, "");
}

/* What a user has called something; one that only text or JSON shows; a key that is a time. */
static void test_names(void **state)
{
	static const struct field fields[] = {
		{ .name = "file->f_inode",
		  .object = "by",
		  FIELD_AT(struct call, name),
		  .type = FIELD_TEXT },
		{ .name = "file.f_inode",
		  .object = "by",
		  FIELD_AT(struct call, other),
		  .type = FIELD_TEXT },
		{ .name = "2nd",
		  .object = "by",
		  FIELD_AT(struct call, mean),
		  .type = FIELD_NS,
		  .flags = FIELD_JSON_ONLY },
		{ .name = "le", FIELD_AT(struct call, level), .type = FIELD_INT },
		{ .name = "func",
		  FIELD_AT(struct call, name),
		  .type = FIELD_TEXT,
		  .flags = FIELD_JSON_ONLY },
		{ .name = "sum(count)",
		  FIELD_AT(struct call, calls),
		  .type = FIELD_UINT,
		  .flags = FIELD_COUNTER },
		{ .name = "shown",
		  FIELD_AT(struct call, calls),
		  .type = FIELD_UINT,
		  .flags = FIELD_COUNTER | FIELD_TEXT_ONLY },
		{ .name = "lat_ns",
		  .unit = FIELD_UNIT_NONE,
		  FIELD_AT(struct call, time),
		  .type = FIELD_NS,
		  .flags = FIELD_COUNTER | FIELD_TEXT_ONLY | FIELD_JSON_ONLY },
	};
	static const struct schema schema = SCHEMA(fields);
	static const struct call call = {
		.name = "n", .other = "o", .mean = 1500, .level = -3, .calls = 5, .time = 1
	};
#define LABELS "{file_f_inode=\"n\",file_f_inode_2=\"o\",_2nd_seconds=\"0.000001500\",le_4=\"-3\"}"

	(void)state;
	text_is(&schema, &call, 1,
		"# HELP coretap_a_b_sum_count_total sum(count)\n"
		"# TYPE coretap_a_b_sum_count_total counter\n"
		"coretap_a_b_sum_count_total" LABELS " 5\n"
		"# HELP coretap_a_b_lat_seconds_total lat_ns\n"
		"# TYPE coretap_a_b_lat_seconds_total counter\n"
		"coretap_a_b_lat_seconds_total" LABELS " 0.000000001\n");
}

static void test_steps(void **state)
{
	static const struct hist_axis axis = { .low = -10, .high = 10, .step = 10 };
	static const struct field fields[] = { { .name = "size",
						 .offset = offsetof(struct call, buckets),
						 .size = 4 * sizeof(uint64_t),
						 .type = FIELD_HIST,
						 .axis = &axis } };
	static const struct schema schema = SCHEMA(fields);
	static const struct call call = { .buckets = { 1, 2, 3, 4 } };

	(void)state;
	text_is(&schema, &call, 1,
		"# HELP coretap_a_b_size size\n"
		"# TYPE coretap_a_b_size histogram\n"
		"coretap_a_b_size_bucket{le=\"-11\"} 1\n"
		"coretap_a_b_size_bucket{le=\"-1\"} 3\n"
		"coretap_a_b_size_bucket{le=\"9\"} 6\n"
		"coretap_a_b_size_bucket{le=\"+Inf\"} 10\n"
		"coretap_a_b_size_count 10\n");
}

static bool has(const char *text, const char *line)
{
	const char *at = strstr(text, line);

	return at && (at == text || at[-1] == '\n');
}

/* All bounds up to a limit, whatever there is; beyond it as far as there is something. */
static void hist_text(const struct hist_axis *axis, size_t bucket, struct buf *text)
{
	const struct field fields[] = {
		{ .name = "h", FIELD_AT(struct call, buckets), .type = FIELD_HIST, .axis = axis }
	};
	const struct schema schema = SCHEMA(fields);
	struct sink sink = { .schema = &schema, .form = &sink_form_openmetrics, .applet = "x" };
	struct report r = { .sink = &sink, .form = &report_form_openmetrics };
	struct call call = { .buckets = { 0 } };

	call.buckets[bucket] = 6;
	report_begin(&r, 1);
	assert_int_equal(report_row(&r, &call, sizeof(call)), 0);
	assert_int_equal(report_end(&r), 0);
	*text = r.picture;
	r.picture = (struct buf){ .fd = -1 };
	buf_char(text, '\0');
	report_free(&r);
	sink_free(&sink);
}

static void test_powers(void **state)
{
	struct buf t;

	(void)state;
	hist_text(NULL, 14, &t); /* 4096 … 8191 */
	assert_true(has(t.data, "coretap_x_h_bucket{le=\"4095\"} 0\n"));
	assert_true(has(t.data, "coretap_x_h_bucket{le=\"8191\"} 6\n"));
	assert_true(has(t.data, "coretap_x_h_bucket{le=\"0\"} 0\n"));
	assert_true(has(t.data, "coretap_x_h_bucket{le=\"1099511627775\"} 6\n"));
	assert_null(strstr(t.data, "le=\"2199023255551\""));
	assert_null(strstr(t.data, "le=\"-1\""));
	buf_free(&t);
	hist_text(&hist_ns, 12, &t); /* 1024 … 2047 ns */
	assert_true(has(t.data, "coretap_x_h_seconds_bucket{le=\"0.000001024\"} 0\n"));
	assert_true(has(t.data, "coretap_x_h_seconds_bucket{le=\"0.000002048\"} 6\n"));
	assert_true(has(t.data, "coretap_x_h_seconds_bucket{le=\"137.438953472\"} 6\n"));
	assert_null(strstr(t.data, "le=\"274."));
	buf_free(&t);
	hist_text(NULL, 65, &t);
	assert_true(has(t.data, "coretap_x_h_bucket{le=\"9223372036854775807\"} 0\n"));
	assert_true(has(t.data, "coretap_x_h_bucket{le=\"+Inf\"} 6\n"));
	buf_free(&t);
	hist_text(NULL, 0, &t);
	assert_true(has(t.data, "coretap_x_h_bucket{le=\"-1\"} 6\n"));
	assert_true(has(t.data, "coretap_x_h_count 6\n"));
	buf_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_steps),
		cmocka_unit_test(test_powers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
