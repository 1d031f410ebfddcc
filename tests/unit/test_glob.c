/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_glob.c - patterns as tables, against fnmatch(3).
 */
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>

#include "unit.h"
#include "util/glob.h"

static glob_table table;

/* As programs walk it. */
static bool table_match(const char *text)
{
	unsigned state = GLOB_START;

	do
		state = table[state][(unsigned char)*text++];
	while (state > GLOB_YES);
	return state == GLOB_YES;
}

static void check(const char *pattern, const char *text)
{
	bool want = !fnmatch(pattern, text, 0);

	if (table_match(text) != want)
		fail_msg("'%s' ~ '%s' is %d", text, pattern, !want);
}

static void test_given(void **state)
{
	static const char *const patterns[] = { "*",	 "",	  "a",	    "a*",	   "*a",
						"*a*",	 "a*b",	  "?",	    "??",	   "*?",
						"?*a",	 "[abc]", "[!abc]", "[a-c]*[0-9]", "*ab*ab",
						"a\\*b", "**a",	  "[]a]",   "[a-]" };
	static const char *const texts[] = { "",     "a",   "b",      "ab",  "ba",
					     "abab", "aXb", "a*b",    "c7",  "]",
					     "-",    "aab", "ababab", "xyz", "\x80\xff" };

	(void)state;
	for (size_t i = 0; i < COUNT(patterns); i++) {
		assert_int_equal(glob_compile(patterns[i], strlen(patterns[i]), table), 0);
		for (size_t j = 0; j < COUNT(texts); j++)
			check(patterns[i], texts[j]);
	}
}

static void letters_take(char *text, const char *letters, unsigned max)
{
	unsigned len = rand() % max;

	for (unsigned i = 0; i < len; i++)
		text[i] = letters[rand() % strlen(letters)];
	text[len] = '\0';
}

static void test_random(void **state)
{
	char pattern[12], text[24];

	(void)state;
	srand(1);
	for (int i = 0; i < 3000; i++) {
		letters_take(pattern, "ab*?", sizeof(pattern));
		assert_int_equal(glob_compile(pattern, strlen(pattern), table), 0);
		for (int j = 0; j < 20; j++) {
			letters_take(text, "ab", sizeof(text));
			check(pattern, text);
		}
	}
}

static void test_prefix(void **state)
{
	char bytes[16];
	size_t count;
	bool open_end;

	(void)state;
	assert_true(glob_is_prefix("/tmp/*", 6, bytes, &count, &open_end));
	assert_true(open_end);
	assert_int_equal(count, 5);
	assert_true(glob_is_prefix("a\\*b", 4, bytes, &count, &open_end));
	assert_false(open_end);
	assert_memory_equal(bytes, "a*b", 3);
	assert_false(glob_is_prefix("*a", 2, bytes, &count, &open_end));
	assert_false(glob_is_prefix("a?", 2, bytes, &count, &open_end));
	assert_false(glob_is_prefix("a**", 3, bytes, &count, &open_end));
}

/* One machine for several patterns agrees with a machine for each. */
static void test_several(void **state)
{
	static const char *const sets[][4] = { { "cat", "dog" },
					       { "a*", "*b", "" },
					       { "*", "x" },
					       { "k?r*", "[c-e]at", "kw*", "\\*" } };
	static const char *const texts[] = { "",      "cat", "dog", "cats",  "do",	    "a",
					     "ab",    "xb",  "x",   "eat",   "kworker/0:1", "kxr",
					     "kar12", "*",   "bat", "catdog" };

	(void)state;
	for (size_t s = 0; s < sizeof(sets) / sizeof(sets[0]); s++) {
		struct glob_pattern patterns[4];
		size_t count = 0;

		for (; count < 4 && sets[s][count]; count++)
			patterns[count] = (struct glob_pattern){ sets[s][count],
								 strlen(sets[s][count]) };
		assert_int_equal(glob_compile_any(patterns, count, table), 0);
		assert_in_range(glob_rows(table), GLOB_START + 1, GLOB_STATES);
		for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++) {
			bool want = false;

			for (size_t i = 0; i < count; i++)
				want |= !fnmatch(sets[s][i], texts[t], 0);
			if (table_match(texts[t]) != want)
				fail_msg("set %zu on '%s': %d", s, texts[t], !want);
		}
	}
}

/* 32 names of 15 bytes have no place among 255, 15 of them have. */
static void test_many(void **state)
{
	struct glob_pattern patterns[32];

	(void)state;
	for (size_t i = 0; i < 32; i++)
		patterns[i] = (struct glob_pattern){ "fifteen-bytes-x", 15 };
	assert_int_equal(glob_compile_any(patterns, 15, table), 0);
	assert_int_equal(glob_compile_any(patterns, 16, table), 0);
	assert_int_equal(glob_compile_any(patterns, 17, table), -E2BIG);
	assert_int_equal(glob_compile_any(patterns, 32, table), -E2BIG);
}

static void test_errors(void **state)
{
	char stars[400];

	(void)state;
	assert_int_equal(glob_compile("a[b", 3, table), -EINVAL);
	assert_int_equal(glob_compile("[", 1, table), -EINVAL);
	memset(stars, 'a', sizeof(stars));
	assert_int_equal(glob_compile(stars, sizeof(stars), table), -E2BIG);
	/* each ? behind a star doubles what has to be told apart */
	assert_int_equal(glob_compile("*a??????????", 12, table), -E2BIG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_given),  cmocka_unit_test(test_random),
		cmocka_unit_test(test_prefix), cmocka_unit_test(test_several),
		cmocka_unit_test(test_many),   cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
