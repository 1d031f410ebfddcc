/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_chars.c - arrays of unsigned char: names are text, addresses are numbers.
 */
#include "unit.h"

#include "output/field/timestamp.h"
#include "output/field/value.h"
#include "output/field/value_json.h"
#include "output/field/value_text.h"

static struct buf o;

static const struct {
	const char *name, *bytes;
	unsigned size;
	const char *text, *json;
} cases[] = {
	{ "d_iname", "version\0\0\0\0\0", 12, "\"version\"", "\"version\"" },
	{ "d_iname", "de\0left over", 12, "\"de\"", "\"de\"" },
	{ "label", "de\0\0\0\0", 6, "\"de\"", "\"de\"" },
	{ "d_iname", "\xc3\xa4\0\0", 4, "\"\xc3\xa4\"", "\"\xc3\xa4\"" },
	{ "full", "abcd", 4, "\"abcd\"", "\"abcd\"" },
	{ "addr", "RT\0\x12\x34\x56", 6, "{82, 84, 0, 18, 52, 86}", "[82,84,0,18,52,86]" },
	{ "d_iname", "a\x1b[2J\0\0", 7, "{97, 27, 91, 50, 74, 0, 0}", "[97,27,91,50,74,0,0]" },
	{ "hash", "\xff\xfe", 2, "{255, 254}", "[255,254]" },
	{ "d_iname", "\0\0\0", 3, "{0, 0, 0}", "[0,0,0]" },
};

static void test_cases(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct field f = { .name = cases[i].name,
				   .type = FIELD_CHARS,
				   .flags = FIELD_PAIR,
				   .size = cases[i].size };
		struct value v;

		assert_int_equal(field_load(&f, cases[i].bytes, f.size, &v), 0);
		text_chars(&o, &f, &v, TIMESTAMP_NONE);
		assert_string_equal(taken(&o), cases[i].text);
		json_chars(&o, &f, &v);
		assert_string_equal(taken(&o), cases[i].json);
	}
}

/* Bytes that were not captured are counted after numbers; text that ended before them is complete. */
static void test_left_out(void **state)
{
	struct field f = { .name = "b", .type = FIELD_CHARS, .flags = FIELD_PAIR, .left_out = 7 };
	struct value v;

	(void)state;
	f.size = 2;
	assert_int_equal(field_load(&f, "\1\2", 2, &v), 0);
	text_chars(&o, &f, &v, TIMESTAMP_NONE);
	assert_string_equal(taken(&o), "{1, 2, …(+7)}");
	f.size = 8;
	assert_int_equal(field_load(&f, "captured", 8, &v), 0);
	text_chars(&o, &f, &v, TIMESTAMP_NONE);
	assert_string_equal(taken(&o), "\"captured\"…(+7 bytes)");
	assert_int_equal(field_load(&f, "whole\0\0\0", 8, &v), 0);
	text_chars(&o, &f, &v, TIMESTAMP_NONE);
	assert_string_equal(taken(&o), "\"whole\"");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cases),
		cmocka_unit_test(test_left_out),
	};

	buf_init(&o, -1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
