/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_call_counts.c - calls that are counted by what their entry knew, on the simulated machine, in every
 * way: keys and numbers of both sides, calls in calls, and what cannot be read.
 */
#include <string.h>

#include "call_run.h"

static struct expr_aggregate aggregate;

static void counting_init(struct harness *r, const struct way *way,
			  const struct expr_measure *measures, size_t count,
			  const char *const *keys, size_t key_count)
{
	run_init(r, way);
	aggregate = (struct expr_aggregate){ .measures = measures, .count = count };
	r->in.run.aggregate = &aggregate;
	run_compile(r, keys, key_count);
	vm_map_fill(&r->vm, EXPR_MAP_SCRATCH, 0xaa);
}

/* The words of the entry that has that number in its key, from byte `at` on. */
static const uint64_t *entry_of(struct harness *r, int32_t number, uint32_t at)
{
	const struct vm_map *counts = vm_map_of(&r->vm, EXPR_MAP_COUNTS);
	int32_t key;

	for (unsigned i = 0; i < counts->room; i++) {
		if (!counts->used[i])
			continue;
		memcpy(&key, counts->keys + i * counts->asked->key_size + at, sizeof(key));
		if (key == number)
			return (const uint64_t *)(counts->values + i * counts->stride);
	}
	fail_msg("no entry for %d", number);
	return NULL;
}

static uint64_t number_of(struct harness *r, const uint64_t *words, unsigned measure)
{
	return words[expr_table(r->program)->results[measure].word];
}

/* Memory has changed when they return, and they return in another order than that of their numbers. */
static void test_nested(void **state)
{
	static const struct expr_measure measures[] = {
		{ EXPR_COUNT },
		{ EXPR_SUM, "count" },
		{ EXPR_SUM, "$ret" },
		{ EXPR_SUM, "$lat" },
		{ EXPR_SUM, "was=thing->number" },
		{ EXPR_SUM, "is=@ret(thing->number)" },
	};
	static const char *const keys[] = { "thing->number", "thing->text", "$comm" };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		uint64_t cookies[3] = { 0 };
		struct harness r;
		unsigned depth = strstr(ways[i].target, "kprobe") ? 3 : 1; /* else: one context */

		counting_init(&r, &ways[i], measures, COUNT(measures), keys, COUNT(keys));
		for (unsigned n = 0; n < depth; n++) {
			thing.number = 10 + n;
			r.vm.now = 1000 * n;
			assert_true(enter(&r, STACK_AT - 0x100 * n, n + 1));
			cookies[n] = r.vm.cookie;
		}
		assert_int_equal(kept(&r), depth);
		thing.number = -1;
		strcpy(text, "gone");
		for (unsigned n = depth; n-- > 0;) {
			r.vm.cookie = cookies[n];
			r.vm.now = 10000;
			leave(&r, STACK_AT - 0x100 * n, n + 1, 100 + n);
		}
		assert_int_equal(kept(&r), 0);
		assert_int_equal(vm_map_of(&r.vm, EXPR_MAP_COUNTS)->count, depth);
		for (unsigned n = 0; n < depth; n++) {
			const uint64_t *words = entry_of(&r, 10 + n, 0);

			assert_int_equal(words[0], 1);
			assert_int_equal(number_of(&r, words, 1), n + 1);
			assert_int_equal(number_of(&r, words, 2), 100 + n);
			assert_int_equal(number_of(&r, words, 3), 10000 - 1000 * n);
			assert_int_equal(number_of(&r, words, 4), 10 + n);
			assert_int_equal((int64_t)number_of(&r, words, 5), -1);
		}
		harness_free(&r);
	}
}

/* The same key is one entry, whatever the place held before, or memory after the text's end. */
static void test_same_key(void **state)
{
	static const struct expr_measure measures[] = { { EXPR_SUM, "thing->number" } };
	static const char *const keys[] = { "thing->text", "@ret(count)", "$pid" };
	static const char *const texts[] = { "a", "a much longer text", "a" };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;

		counting_init(&r, &ways[i], measures, 1, keys, COUNT(keys));
		for (unsigned n = 0; n < COUNT(texts); n++) {
			strcpy(text, texts[n]);
			assert_true(enter(&r, STACK_AT, 5));
			strcpy(text, "gone");
			leave(&r, STACK_AT, 5, 0);
		}
		assert_int_equal(vm_map_of(&r.vm, EXPR_MAP_COUNTS)->count, 2);
		assert_int_equal(kept(&r), 0);
		harness_free(&r);
	}
}

/* A value that the entry cannot read is a key, but not a number; one that the return cannot read is counted
 * separately. */
static void test_unreadable(void **state)
{
	static const struct expr_measure measures[] = {
		{ EXPR_COUNT },
		{ EXPR_SUM, "thing->number" },
		{ EXPR_SUM, "@ret(thing->number)" },
	};
	static const char *const keys[] = { "count", "thing->text" };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		const struct expr_result *results;
		const uint64_t *words;
		struct harness r;

		counting_init(&r, &ways[i], measures, COUNT(measures), keys, COUNT(keys));
		results = expr_table(r.program)->results;
		thing.text = 0;
		assert_true(enter(&r, STACK_AT, 5));
		leave(&r, STACK_AT, 5, 0);
		words = entry_of(&r, 5, 0);
		assert_int_equal(words[0], 1);
		assert_int_equal(number_of(&r, words, 1), 7);
		assert_int_equal(number_of(&r, words, 2), 7);
		assert_int_equal(words[results[1].unread], 0);
		r.args[0] = 0; /* no thing at all */
		assert_true(enter(&r, STACK_AT, 6));
		leave(&r, STACK_AT, 6, 0);
		words = entry_of(&r, 6, 0);
		assert_int_equal(words[0], 1);
		assert_int_equal(words[results[1].unread], 1);
		assert_int_equal(words[results[2].unread], 1);
		assert_int_equal(number_of(&r, words, 1), 0);
		harness_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_same_key),
		cmocka_unit_test(test_unreadable),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
