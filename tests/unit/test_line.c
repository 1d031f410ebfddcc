/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_line.c - records as a text: each conversion against printf(3) of C, what is no text, and how a line
 * ends.
 */
#include <string.h>

#include "sample.h"
#include "output/field/timestamp.h"
#include "output/rows/line.h"

static struct buf o;

static const struct field fields[] = {
	FIELD(struct sample, u64, FIELD_UINT, 0, ""),
	FIELD(struct sample, name, FIELD_CSTR, 0, ""),
	{ .name = NULL },
};

/* What the text is for this number; NULL: it is no text. */
static const char *printed(const char *text, uint64_t u)
{
	struct sample r = { .u64 = u, .name = "reader" };
	struct schema s = sample_schema(fields);
	struct line_error error;
	struct line *line = line_build(text, &s, &error);

	if (!line)
		return NULL;
	assert_int_equal(line_write(&o, line, &r, sizeof(r), TIMESTAMP_NONE), 0);
	line_free(line);
	return taken(&o);
}

static void number_check(const char *conversion, const char *plain, uint64_t u)
{
	char text[64], want[256];

	snprintf(text, sizeof(text), "<{u64:%s}>\\c", conversion);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(want, sizeof(want), plain, (long long)u);
#pragma GCC diagnostic pop
	assert_string_equal(printed(text, u), want);
}

static void test_numbers(void **state)
{
	static const uint64_t numbers[] = { 0,	     7, 10, 2000, UINT64_MAX, (uint64_t)INT64_MIN,
					    0xabcdef };

	(void)state;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		number_check("%d", "<%lld>", numbers[i]);
		number_check("%05d", "<%05lld>", numbers[i]);
		number_check("%+ld", "<%+lld>", numbers[i]);
		number_check("%-30lld", "<%-30lld>", numbers[i]);
		number_check("%u", "<%llu>", numbers[i]);
		number_check("%x", "<%llx>", numbers[i]);
		number_check("%#X", "<%#llX>", numbers[i]);
		number_check("%08x", "<%08llx>", numbers[i]);
		number_check("%.12o", "<%.12llo>", numbers[i]);
	}
	assert_string_equal(printed("{u64:%hhd} {u64:%hhu} {u64:%hd}\\c", 0x1ff80),
			    "-128 128 -128");
	assert_string_equal(printed("{u64:%c}|{u64:%3c}|{u64:%-3c}|\\c", 'A'), "A|  A|A  |");
}

static void test_texts(void **state)
{
	(void)state;
	assert_string_equal(printed("{name:%.3s}|{name:%8s}|{name:%-8.2s}|{name:8}|", 0),
			    "rea|  reader|re      |  reader|\n");
	assert_string_equal(printed("a\\nb\\c", 0), "a\nb");
	assert_string_equal(printed("{name:+, }\\c", 0), ", reader");
	assert_int_equal(strlen(printed("{u64:@%H:%M:%S.%f}\\c", 5)), strlen("00:00:00.000000"));
}

static void test_mistakes(void **state)
{
	static const char *const wrong[] = { "{u64:%}",	    "{u64:%y}",	   "{u64:%5}",
					     "{u64:%999d}", "{u64:%*d}",   "{u64:%dd}",
					     "{u64:x}",	    "{name:%d}",   "{name:@%H}",
					     "{nobody:%d}", "{u64:%.999d}" };

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_null(printed(wrong[i], 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_mistakes),
	};

	buf_init(&o, -1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
