/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_show.c - columns that are computed from a row (--show): their numbers, which fields are left,
 * and what is said of mistakes.
 */
#include <errno.h>

#include "count/show.h"
#include "unit.h"
#include "output/field/value.h"

static const struct row {
	char name[8];
	uint64_t all, bad, none, large;
	int64_t below;
	uint32_t pid;
} row = { "cat", 7, 2, 0, UINT64_MAX, -9, 42 };

static void nothing(const struct field *f, const void *record, struct value *v)
{
	(void)f, (void)record;
	v->status = EVENT_NONE;
}

#define NUMBER(member_, type_, ...)                                                                \
	{                                                                                          \
		.name = #member_, FIELD_AT(struct row, member_), .type = type_, ##__VA_ARGS__      \
	}
static const struct field fields[] = {
	NUMBER(name, FIELD_CSTR, .object = "by"),
	NUMBER(pid, FIELD_UINT, .object = "by"),
	NUMBER(all, FIELD_UINT, .flags = FIELD_TOTAL | FIELD_JSON_ONLY),
	NUMBER(bad, FIELD_UINT, .flags = FIELD_SORT),
	NUMBER(none, FIELD_UINT),
	NUMBER(large, FIELD_UINT, .flags = FIELD_COUNTER),
	NUMBER(below, FIELD_INT),
	{ .name = "avg_ns", .type = FIELD_NS, .unit = FIELD_UNIT_NONE, FIELD_AT(struct row, all) },
	{ .name = "nothing", .type = FIELD_UINT, .value = nothing },
	NUMBER(none, FIELD_UINT, .flags = FIELD_SPARSE),
};
static const struct schema schema = {
	.fields = fields, .count = COUNT(fields), .record_min = sizeof(struct row), .bare = true
};
enum { KEYS = 2 };

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
	} cases[] = {
		{ "x=100*bad/all", 28 },
		{ "x=all % bad == 1 && !none", 1 },
		{ "x=none ? all : -bad", -2 },
		{ "x=none || 0", 0 },
		{ "x=(all - bad) << 3 | 1", 41 },
		{ "x=~bad & 0xff", 253 },
		{ "x=below / 2", -4 },
		{ "x=below >> 1", -5 },
		{ "x=below < none", 1 },
		{ "x=large * 100 / large", 100 },
		{ "x=large > all", 1 },
		{ "x=2K + 3us", 2048 + 3000 },
		{ "x=avg * 2", 14 },
		{ "x=$pid + pid", 84 },
		{ "x=none ? all / none : 5", 5 },
		{ "x=1 << 200", 0 },
		{ "x=below >> 200", -1 },
		{ "x=below % -1", 0 },
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct show s = { 0 };
		struct schema shown;
		struct value v;

		assert_int_equal(show_parse(&s, &cases[i].text, 1), 0);
		assert_int_equal(show_schema(&s, &schema, KEYS, &shown), 0);
		assert_int_equal(field_load(&shown.fields[KEYS], &row, sizeof(row), &v), 0);
		assert_int_equal(v.status, EVENT_OK);
		if ((int64_t)v.u != cases[i].value)
			fail_msg("%s: %lld", cases[i].text, (long long)v.u);
		show_free(&s);
	}
}

static void test_no_value(void **state)
{
	static const char *const texts[] = { "a=all/none", "b=1+all%none", "c=nothing",
					     "d=nothing == 0", "e=nothing*0" };
	struct show s = { 0 };
	struct schema shown;
	struct value v;

	(void)state;
	assert_int_equal(show_parse(&s, texts, COUNT(texts)), 0);
	assert_int_equal(show_schema(&s, &schema, KEYS, &shown), 0);
	for (size_t i = 0; i < COUNT(texts); i++) {
		assert_int_equal(field_load(&shown.fields[KEYS + i], &row, sizeof(row), &v), 0);
		assert_int_equal(v.status, EVENT_NONE);
	}
	show_free(&s);
}

/* Keys stay, and the total; a key that is chosen is a column at its place. */
static void test_fields(void **state)
{
	static const char *const texts[] = { "$pid", "below", "p=all:ns", "again=bad" };
	static const struct {
		const char *name;
		unsigned flags;
	} wanted[] = {
		{ "name", 0 },
		{ "pid", FIELD_JSON_ONLY },
		{ "pid", FIELD_TEXT_ONLY },
		{ "below", FIELD_SORT },
		{ "p", FIELD_GAUGE },
		{ "again", 0 },
		{ "all", FIELD_TOTAL | FIELD_JSON_ONLY },
		{ "large", FIELD_COUNTER | FIELD_JSON_ONLY | FIELD_TEXT_ONLY }, /* for metrics */
		{ "none", FIELD_SPARSE },
	};
	struct show s = { 0 };
	struct schema shown;

	(void)state;
	assert_int_equal(show_parse(&s, texts, COUNT(texts)), 0);
	assert_int_equal(show_schema(&s, &schema, KEYS, &shown), 0);
	assert_int_equal(shown.count, COUNT(wanted));
	for (size_t i = 0; i < COUNT(wanted); i++) {
		assert_string_equal(shown.fields[i].name, wanted[i].name);
		assert_int_equal(shown.fields[i].flags, wanted[i].flags);
	}
	assert_int_equal(shown.fields[4].type, FIELD_NS);
	assert_null(shown.fields[2].object);
	show_free(&s);
}

static void test_mistakes(void **state)
{
	static const char *const unparsed[] = { "all/bad",	 "x=",	       "x=f(all)",
						"x=all->bad",	 "x=(int)all", "x=all ~ \"x\"",
						"x=@jiffies",	 "x=*all",     "x=\"text\"",
						"x=sizeof(int)", "x=all[1]",   "x=all ?? bad",
						"x=&all" };
	static const char *const unknown[] = { "x=al",	   "x=name+1",	"nosuch",
					       "x=name:x", "x=all:mac", "x=1 ? nosuch : 2" };
	struct schema shown;

	(void)state;
	for (size_t i = 0; i < COUNT(unparsed); i++) {
		struct show s = { 0 };

		if (show_parse(&s, &unparsed[i], 1) != -EINVAL)
			fail_msg("%s", unparsed[i]);
		show_free(&s);
	}
	for (size_t i = 0; i < COUNT(unknown); i++) {
		struct show s = { 0 };

		assert_int_equal(show_parse(&s, &unknown[i], 1), 0);
		if (show_schema(&s, &schema, KEYS, &shown) != -EINVAL)
			fail_msg("%s", unknown[i]);
		show_free(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_no_value),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_mistakes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
