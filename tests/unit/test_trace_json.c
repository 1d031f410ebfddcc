/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_trace_json.c - records as Chrome's trace events: what is a span, an instant, two ends; names of
 * tasks; names that fight back.
 */
#include <string.h>

#include "sample.h"
#include "output/field/value.h"

static struct buf o;

#define NAMES(comm)                                                                                          \
	",\n{\"name\":\"process_name\",\"ph\":\"M\",\"ts\":0,\"pid\":7,\"tid\":8,\"args\":{\"name\":\"" comm \
	"\"}}"                                                                                               \
	",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"ts\":0,\"pid\":7,\"tid\":8,\"args\":{\"name\":\"" comm  \
	"\"}}"
#define THREAD			    ",\"pid\":7,\"tid\":8"
#define FIELD_(member_, type_, ...) FIELD(struct sample, member_, type_, 0, NULL, ##__VA_ARGS__)

static void put(struct sink *s, const struct sample *r)
{
	assert_int_equal(sink_record(s, r, SAMPLE_MIN), 0);
}

/* The text of one record behind the header, of these fields. */
static const char *event(struct schema *schema, const struct sample *r)
{
	struct sink s = {
		.schema = schema, .out = &o, .form = &sink_form_trace_json, .applet = "sam\"ple"
	};

	put(&s, r);
	sink_free(&s);
	return taken(&o);
}

#define EVENT(record_, ...)                                                                        \
	({                                                                                         \
		const struct field fields_[] = { __VA_ARGS__, { .name = NULL } };                  \
		struct schema schema_ = sample_schema(fields_);                                    \
                                                                                                   \
		event(&schema_, record_);                                                          \
	})

static const struct sample sample = {
	.head = { .ts = 5000001234, .pid = 7, .tid = 8, .comm = "c\"\n" },
	.u64 = 4000001000,
	.s64 = 234,
	.u32 = 9,
	.u8 = 1,
};

static void test_instant(void **state)
{
	(void)state;
	assert_string_equal(
		EVENT(&sample, FIELD_(u32, FIELD_UINT)),
		NAMES("c\\\"\\n") ",\n{\"name\":\"sam\\\"ple\",\"cat\":\"sam\\\"ple\","
				  "\"ph\":\"i\",\"ts\":5000001.234" THREAD
				  ",\"s\":\"t\",\"args\":{\"comm\":\"c\\\"\\n\",\"u32\":9}}");
}

/* What has a role is not an argument, too; how long it took is one. */
static void test_span(void **state)
{
	static const char begin[] = "\"ph\":\"X\",\"ts\":4000001.000" THREAD ",\"dur\":1000000.234,"
				    "\"args\":{\"comm\":\"c\\\"\\n\",\"u32\":9}}";
	static const char lasted[] = "\"ph\":\"X\",\"ts\":5000001.000" THREAD ",\"dur\":0.234,"
				     "\"args\":{\"comm\":\"c\\\"\\n\",\"s64\":234}}";

	(void)state;
	assert_non_null(strstr(EVENT(&sample, FIELD_(u32, FIELD_UINT),
				     FIELD_(u64, FIELD_UINT, .role = FIELD_ROLE_BEGIN)),
			       begin));
	assert_non_null(
		strstr(EVENT(&sample, FIELD_(s64, FIELD_INT, .role = FIELD_ROLE_LASTED)), lasted));
}

/* A time after the end, or none, is none. */
static void test_no_span(void **state)
{
	struct sample r = sample;

	(void)state;
	r.u64 = r.head.ts + 1;
	assert_non_null(strstr(EVENT(&r, FIELD_(u64, FIELD_UINT, .role = FIELD_ROLE_BEGIN)),
			       "\"ph\":\"i\""));
	r.head.ts = 0; /* it has begun */
	r.u64 = 5000;
	assert_non_null(strstr(EVENT(&r, FIELD_(u64, FIELD_UINT, .role = FIELD_ROLE_BEGIN)),
			       "\"ph\":\"i\",\"ts\":5.000,"));
	r.u64 = UINT64_MAX;
	assert_non_null(strstr(EVENT(&r, FIELD_(u64, FIELD_NS, .role = FIELD_ROLE_LASTED_BESIDE,
						.flags = FIELD_MAYBE)),
			       "\"ph\":\"i\""));
}

static void test_beside(void **state)
{
	const struct field fields[] = { FIELD_(s64, FIELD_INT, .role = FIELD_ROLE_LASTED_BESIDE),
					{ .name = NULL } };
	struct schema schema = sample_schema(fields);
	struct sink s = {
		.schema = &schema, .out = &o, .form = &sink_form_trace_json, .applet = "s"
	};

	(void)state;
	schema.event = "a\\b";
	put(&s, &sample);
	o.len = 0;
	put(&s, &sample); /* its task has its name */
	assert_string_equal(
		taken(&o),
		",\n{\"name\":\"a\\\\b\",\"cat\":\"s\",\"ph\":\"b\",\"ts\":5000001.000" THREAD
		",\"id\":\"0x2\",\"args\":{\"comm\":\"c\\\"\\n\",\"s64\":234}}"
		",\n{\"name\":\"a\\\\b\",\"cat\":\"s\",\"ph\":\"e\",\"ts\":5000001.234" THREAD
		",\"id\":\"0x2\"}");
	assert_int_equal(s.rows, 2);
	sink_free(&s);
}

/* The user's names are the user's. */
static void test_names(void **state)
{
	const struct field_name points[] = { { 0, "zero", 0 }, { 1, "o\"ne", 0 }, { 0, NULL, 0 } };
	struct field comm = FIELD_(u32, FIELD_UINT, .flags = FIELD_PAIR), func = comm;
	struct field hidden = FIELD_(ret, FIELD_INT);
	const char *text;

	(void)state;
	hidden.name = "comm";
	comm.name = "comm";
	func.name = "func";
	text = EVENT(&sample,
		     { .name = "func",
		       FIELD_AT(struct sample, u8),
		       .type = FIELD_ENUM,
		       .names = points,
		       .name_count = 2,
		       .role = FIELD_ROLE_EVENT },
		     hidden, comm, func);
	assert_non_null(strstr(text, "{\"name\":\"o\\\"ne\""));
	assert_non_null(strstr(text, "\"args\":{\"#comm\":\"c\\\"\\n\",\"comm\":9,\"func\":9}}"));
}

static void test_flaws(void **state)
{
	static const char *const links[] = { "file", NULL };
	const struct field name = FIELD_(name, FIELD_CSTR, .links = links,
					 .status = offsetof(struct sample, status) + 1);
	struct sample r = sample;

	(void)state;
	r.status = FIELD_STATUS_NULL;
	assert_non_null(
		strstr(EVENT(&r, name), "\"name\":null,\"#errors\":{\"name\":\"NULL: file\"}}}"));
}

/* A task is named again when its name changes; a process is called as its leader. */
static void test_tasks(void **state)
{
	const struct field fields[] = { FIELD_(u32, FIELD_UINT), { .name = NULL } };
	struct schema schema = sample_schema(fields);
	struct sink s = {
		.schema = &schema, .out = &o, .form = &sink_form_trace_json, .applet = "s"
	};
	struct sample r = sample;
	size_t named = 0;

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		r.head.tid = i % 500;
		put(&s, &r);
		named += strstr(taken(&o), "thread_name") != NULL;
	}
	assert_int_equal(named, 500);
	strcpy(r.head.comm, "other");
	r.head.tid = r.head.pid;
	put(&s, &r);
	put(&s, &r);
	named = 0;
	for (const char *at = taken(&o); (at = strstr(at, "{\"name\":\"other\"}")); at++)
		named++;
	assert_int_equal(named, 2); /* the thread, the process */
	sink_free(&s);
}

static void test_array(void **state)
{
	const struct field fields[] = { FIELD_(u32, FIELD_UINT), { .name = NULL } };
	struct schema schema = sample_schema(fields);
	struct sink s = {
		.schema = &schema, .out = &o, .form = &sink_form_trace_json, .applet = "s"
	};
	size_t units = o.unit_count;
	const char *text;

	(void)state;
	sink_header(&s);
	sink_lost(&s, &schema, &sample, sizeof(sample));
	assert_int_equal(o.unit_count, units);
	sink_end(&s);
	text = taken(&o);
	assert_int_equal(strncmp(text, "[\n{\"name\":\"coretap\",\"ph\":\"M\"", 28), 0);
	assert_non_null(strstr(
		text, "\"applet\":\"s\",\"clock\":\"CLOCK_MONOTONIC\"}},\n{\"name\":\"lost\""));
	assert_string_equal(text + strlen(text) - 4, "}\n]\n");
	sink_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_instant), cmocka_unit_test(test_span),
		cmocka_unit_test(test_no_span), cmocka_unit_test(test_beside),
		cmocka_unit_test(test_names),	cmocka_unit_test(test_flaws),
		cmocka_unit_test(test_tasks),	cmocka_unit_test(test_array),
	};

	buf_init(&o, -1);
	return failed_tests(cmocka_run_group_tests(tests, NULL, NULL), &o);
}
