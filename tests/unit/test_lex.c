/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_lex.c - text → tokens: kinds, spans, numbers, and what is no token.
 */
#include <string.h>

#include "unit.h"
#include "expr/syntax/syntax.h"

static struct expr_program program;
static struct expr_input input = { .count = 1 };
static struct expr_error error;
static struct slot slot;

/* The tokens of `text` in slot; returns c->err. */
static int lex(const char *text)
{
	struct compile c = { .in = &input, .p = &program, .error = &error, .slot = &slot };

	memset(&error, 0, sizeof(error));
	slot = (struct slot){ .text = text };
	program.slots = &slot;
	expr_lex(&c, &slot);
	return c.err;
}

static void check_token(size_t i, enum token_kind kind, const char *text)
{
	const struct token *t = &slot.tokens[i];

	assert_true(i < slot.token_count);
	assert_int_equal(t->kind, kind);
	assert_int_equal(t->span.end - t->span.start, strlen(text));
	assert_memory_equal(slot.text + t->span.start, text, strlen(text));
}

static void test_kinds(void **state)
{
	(void)state;
	assert_int_equal(lex("a1_->B.$pid[0x1f]"), 0);
	assert_int_equal(slot.token_count, 9);
	check_token(0, TOKEN_NAME, "a1_");
	check_token(1, TOKEN_PUNCT, "->");
	check_token(2, TOKEN_NAME, "B");
	check_token(3, TOKEN_PUNCT, ".");
	check_token(4, TOKEN_BUILTIN, "$pid");
	check_token(5, TOKEN_PUNCT, "[");
	check_token(6, TOKEN_NUMBER, "0x1f");
	check_token(7, TOKEN_PUNCT, "]");
	check_token(8, TOKEN_END, "");
}

static void test_blanks(void **state)
{
	(void)state;
	assert_int_equal(lex(" \t a \n . b "), 0);
	assert_int_equal(slot.token_count, 4);
	assert_int_equal(slot.tokens[0].span.start, 3);
	assert_int_equal(lex(""), 0);
	assert_int_equal(slot.token_count, 1);
	check_token(0, TOKEN_END, "");
}

/* The longest operator wins. */
static void test_operators(void **state)
{
	static const char *const ops[] = { "<<=", ">>=", "->", "<<", ">>", "<=", ">=", "==", "!=",
					   "&&",  "||",	 "??", "*",  "&",  ".",	 "(",  ")",  "[",
					   "]",	  "=",	 ":",  "-",  "~",  "!",	 "+",  "/",  "%",
					   "|",	  "^",	 "<",  ">",  "?",  ",",	 "@" };

	(void)state;
	for (size_t i = 0; i < COUNT(ops); i++) {
		assert_int_equal(lex(ops[i]), 0);
		assert_int_equal(slot.token_count, 2);
		check_token(0, TOKEN_PUNCT, ops[i]);
	}
	assert_int_equal(lex("a==b=c->d-1"), 0);
	check_token(1, TOKEN_PUNCT, "==");
	check_token(3, TOKEN_PUNCT, "=");
	check_token(5, TOKEN_PUNCT, "->");
	check_token(7, TOKEN_PUNCT, "-");
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text;
		uint64_t value;
	} numbers[] = {
		{ "0", 0 },
		{ "7", 7 },
		{ "010", 8 },
		{ "0x10", 16 },
		{ "0XfF", 255 },
		{ "10u", 10 },
		{ "10ULL", 10 },
		{ "00", 0 },
		{ "10K", 10240 },
		{ "1KiB", 1024 },
		{ "3MB", 3 << 20 },
		{ "2G", 2ull << 30 },
		{ "7ns", 7 },
		{ "5ms", 5000000 },
		{ "10us", 10000 },
		{ "12s", 12000000000 },
		{ "18446744073709551615", UINT64_MAX },
		{ "0xffffffffffffffff", UINT64_MAX },
		{ "01777777777777777777777", UINT64_MAX },
	};
	static const char *const wrong[] = {
		"0x",
		"0xg",
		"08",
		"12a",
		"1x",
		"18446744073709551616",
		"0x10000000000000000",
		"99999999999999999999999",
		"1_0",
		"0x1K",
		"1Ks",
		"99999999999999999s",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(numbers); i++) {
		assert_int_equal(lex(numbers[i].text), 0);
		assert_int_equal(slot.tokens[0].number, numbers[i].value);
	}
	for (size_t i = 0; i < COUNT(wrong); i++) {
		assert_int_equal(lex(wrong[i]), -EINVAL);
		assert_int_equal(error.start, 0);
		assert_int_equal(error.end, strlen(wrong[i]));
	}
}

static void test_strange_bytes(void **state)
{
	(void)state;
	for (int byte = 1; byte < 256; byte++) {
		char text[] = { 'a', (char)byte, '\0' };
		int err = lex(text);

		assert_true(err == 0 || err == -EINVAL);
		if (byte < ' ' && !strchr("\t\n", byte))
			assert_int_equal(err, -EINVAL);
		if (byte >= 0x7f)
			assert_int_equal(err, -EINVAL);
		if (err) {
			assert_int_equal(error.start, 1);
			assert_int_equal(error.end, 2);
		}
	}
}

static void test_too_long(void **state)
{
	static char text[TEXT_MAX + 2];

	(void)state;
	memset(text, 'a', TEXT_MAX);
	assert_int_equal(lex(text), 0);
	memset(text, 'a', TEXT_MAX + 1);
	assert_int_equal(lex(text), -EINVAL);
}

static int teardown(void **state)
{
	(void)state;
	arena_free(&program.arena);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds),	      cmocka_unit_test(test_blanks),
		cmocka_unit_test(test_operators),     cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_strange_bytes), cmocka_unit_test(test_too_long),
	};

	return cmocka_run_group_tests(tests, NULL, teardown);
}
