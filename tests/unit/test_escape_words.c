/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_escape_words.c - escape_write_shell_words: many words at once are what escape_write_shell makes of each.
 */
#include "unit.h"

#include "util/escape.h"

enum { WORDS = 5, WORD_MOST = 40, ROUNDS = 20000 };

static struct buf got, want;

static unsigned next(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
	return *seed >> 33;
}

/* Of usual characters, in a third of the words also spaces, in another third anything. */
static size_t word_make(uint64_t *seed, char *to)
{
	static const char usual[] = "abcxyzABCXYZ0189+,-./:_=%@ ";
	unsigned len = next(seed) % WORD_MOST, kind = next(seed) % 3;

	for (unsigned i = 0; i < len; i++)
		to[i] = kind == 2 && !(next(seed) % 8) ?
				(char)(1 + next(seed) % 255) :
				usual[next(seed) % (sizeof(usual) - 1 - !kind)];
	to[len] = 0;
	return len;
}

static void test_random(void **state)
{
	uint64_t seed = 3;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		char words[WORDS * (WORD_MOST + 1)], *exact;
		size_t size = 0, columns = 0, count = next(&seed) % (WORDS + 1);

		for (size_t i = 0; i < count; i++) {
			size_t len = word_make(&seed, words + size);

			if (i)
				buf_char(&want, ' ');
			columns += escape_write_shell(&want, words + size, len) + !!i;
			size += len + 1;
		}
		exact = malloc(size ?: 1); /* as ASAN sees it: nothing behind it is read */
		memcpy(exact, words, size);
		assert_int_equal(escape_write_shell_words(&got, exact, size), columns);
		free(exact);
		assert_int_equal(got.len, want.len);
		assert_memory_equal(got.data, want.data, want.len);
		got.len = want.len = 0;
	}
}

static void check(const char *words, size_t size, const char *text)
{
	escape_write_shell_words(&got, words, size);
	assert_string_equal(taken(&got), text);
}

#define CHECK(words, text) check(words, sizeof(words), text)

static void test_forms(void **state)
{
	(void)state;
	check("", 0, "");
	CHECK("", "''");
	CHECK("gcc\0-o\0/usr/lib/x86_64-linux-gnu/a.out\0-DX=1",
	      "gcc -o /usr/lib/x86_64-linux-gnu/a.out -DX=1");
	CHECK("sh\0-c\0echo 0123456789 abcdef", "sh -c 'echo 0123456789 abcdef'");
	CHECK("0123456789abcde\0 0123456789abcdef\0it's",
	      "0123456789abcde ' 0123456789abcdef' $'it\\'s'");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_random),
					    cmocka_unit_test(test_forms) };
	int failed;

	buf_init(&got, -1);
	buf_init(&want, -1);
	failed = failed_tests(cmocka_run_group_tests(tests, NULL, NULL), &got);
	buf_free(&want);
	return failed;
}
