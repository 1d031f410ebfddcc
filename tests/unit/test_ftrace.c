/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_ftrace.c - records as lines of the kernel's trace file: its columns, flags, names that would end
 * a line.
 */
#include <string.h>

#include "sample.h"

#include "output/field/trace_ctx.h"

static struct buf o;

#define FIELD_(member_, type_, ...) FIELD(struct sample, member_, type_, 0, NULL, ##__VA_ARGS__)
#define CPU			    FIELD_(u32, FIELD_UINT, .role = FIELD_ROLE_CPU, .flags = FIELD_PAIR)
#define PAIR			    .flags = FIELD_PAIR

static const char *line(const struct field *fields, const char *event, const struct sample *r)
{
	struct schema schema = sample_schema(fields);
	struct sink s = {
		.schema = &schema, .out = &o, .form = &sink_form_ftrace, .applet = "sample"
	};

	schema.event = event;
	assert_int_equal(sink_record(&s, r, SAMPLE_MIN), 0);
	sink_free(&s);
	return taken(&o);
}

#define LINE(event_, record_, ...)                                                                 \
	({                                                                                         \
		const struct field fields_[] = { __VA_ARGS__, { .name = NULL } };                  \
                                                                                                   \
		line(fields_, event_, record_);                                                    \
	})

static const struct sample sample = {
	.head = { .ts = 534996438999, .pid = 7, .tid = 822, .comm = "ls" },
	.u64 = 1 << TRACE_CTX_IRQS_OFF | 2,
	.u32 = 2,
	.s64 = -5,
	.name = "a\nb\"",
};

static void test_columns(void **state)
{
	struct sample r = sample;

	(void)state;
	assert_string_equal(
		LINE("vfs_read", &sample, CPU, FIELD(struct sample, head.pid, FIELD_UINT, 7, NULL),
		     FIELD_(s64, FIELD_INT, PAIR)),
		"              ls-822     [002] .....   534.996438: vfs_read: s64=-5\n");
	r.head.ts = 123456789012345678;
	r.head.tid = 12345678;
	r.u32 = 1234;
	memcpy(r.head.comm, "fifteen_letters", 16);
	assert_string_equal(LINE("e", &r, CPU),
			    " fifteen_letters-12345678 [1234] ..... 123456789.012345: e:\n");
}

/* $ctx is in the columns, not among the values. */
static void test_flags(void **state)
{
	(void)state;
	assert_string_equal(LINE("e", &sample, CPU, FIELD_(u64, FIELD_TRACE_CTX, PAIR),
				 FIELD_(s64, FIELD_INT, PAIR)),
			    "              ls-822     [002] d..2.   534.996438: e: s64=-5\n");
}

/* Nothing that a task or a user chose makes a line, or ends the name. */
static void test_hostile(void **state)
{
	struct sample r = sample;

	(void)state;
	assert_non_null(strstr(LINE("sched:sched_switch", &r, CPU), ": sched_switch:\n"));
	assert_non_null(strstr(LINE("/lib/a:b", &r, CPU), ": b:\n"));
	assert_non_null(strstr(LINE(":", &r, CPU), ": _:\n"));
	memcpy(r.head.comm, "a\n\x1b[0m", 7);
	assert_string_equal(LINE("hz:99 x", &r, CPU, FIELD_(name, FIELD_CSTR, PAIR)),
			    "      a\\n\\x1b[0m-822     [002] .....   534.996438: hz_99_x: "
			    "name=\"a\\nb\\\"\"\n");
}

static void test_header(void **state)
{
	const struct field fields[] = { CPU, { .name = NULL } };
	struct schema schema = sample_schema(fields);
	struct sink s = {
		.schema = &schema, .out = &o, .form = &sink_form_ftrace, .applet = "sample"
	};
	const char *text;

	(void)state;
	sink_header(&s);
	sink_free(&s);
	text = taken(&o);
	assert_int_equal(strncmp(text, "# tracer: nop\n#", 15), 0);
	for (const char *at = text; *at; at = strchr(at, '\n') + 1)
		assert_int_equal(*at, '#');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_columns),
		cmocka_unit_test(test_flags),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_header),
	};

	buf_init(&o, -1);
	return failed_tests(cmocka_run_group_tests(tests, NULL, NULL), &o);
}
