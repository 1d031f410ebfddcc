/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_shell_words.c - lines into words, and back: what escape_write_shell writes is read as it was.
 */
#include <errno.h>
#include <stdlib.h>

#include "unit.h"
#include "util/escape.h"
#include "util/shell_words.h"

static void check(const char *text, const char *joined)
{
	char line[256], all[256] = "", *words[16];
	size_t at;
	int count;

	strcpy(line, text);
	count = shell_words_split(line, words, 16, &at);
	for (int i = 0; i < count; i++) {
		strcat(all, i ? "|" : "");
		strcat(all, words[i]);
	}
	if (count < 0 || strcmp(all, joined))
		fail_msg("%s: %d words, %s", text, count, all);
}

static void test_words(void **state)
{
	(void)state;
	check("", "");
	check("  \n", "");
	check("a b\tc\n", "a|b|c");
	check("'a b' \"c d\" e\\ f", "a b|c d|e f");
	check("a'b'\"c\"$'d'", "abcd");
	check("'' x", "|x");
	check("$'\\n\\x41\\101\\'\\\\\\u20ac'", "\nAA'\\\xe2\x82\xac");
	check("\"a\\\"b\\n\"", "a\"b\\n");
	check("a # b", "a");
	check("a#b", "a#b");
	check("# nothing", "");
}

static void test_errors(void **state)
{
	char open[] = "a 'b c", many[] = "a b c", *words[2];
	size_t at;

	(void)state;
	assert_int_equal(shell_words_split(open, words, 2, &at), -EINVAL);
	assert_int_equal(at, 2);
	assert_int_equal(shell_words_split(many, words, 2, &at), -E2BIG);
}

/* Any bytes but NUL. */
static void test_back(void **state)
{
	(void)state;
	srand(7);
	for (int i = 0; i < 5000; i++) {
		char word[32], *words[4];
		size_t len = rand() % 24, at;
		struct buf o;

		for (size_t j = 0; j < len; j++)
			word[j] = rand() % 3 ? 1 + rand() % 255 : " '\"\\$#\n\x1b"[rand() % 8];
		word[len] = 0;
		buf_init(&o, -1);
		escape_write_shell(&o, word, len);
		buf_char(&o, 0);
		assert_int_equal(shell_words_split(o.data, words, 4, &at), 1);
		assert_string_equal(words[0], word);
		buf_free(&o);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words),
		cmocka_unit_test(test_errors),
		cmocka_unit_test(test_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
