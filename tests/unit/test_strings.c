/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_strings.c - strings that expressions read: of all lengths, ending with their page, cut, damaged,
 * and arrays of characters, for every target.
 */
#include "run.h"

/* A string of `len` bytes that ends with its page; behind it is nothing. */
static void check_string(const char *target, size_t len, unsigned max, uint64_t page)
{
	char text[256], *want = text;
	size_t shown = len < max ? len : max - 1;
	struct value v;
	struct harness r;

	memset(text, 0, sizeof(text));
	for (size_t i = 0; i < len; i++)
		text[i] = (char)(0x80 + i * 7 % 0x7f);
	things_init(&r, target);
	r.in.run.string_max = max;
	memset(r.vm.record, 0xaa, sizeof(r.vm.record));
	vm_region_add(&r.vm, page + 4096 - len - 1, text, len + 1);
	things[0].text = page + 4096 - len - 1;
	run_one(&r, "thing->text");
	v = value_of(&r, 0);
	if (!r.in.target.probe_read && (int64_t)page < 0) /* needs no NUL in the slot */
		shown = len < max ? len : max;
	assert_int_equal(v.status, shown < len ? EVENT_CUT : 0);
	assert_int_equal(v.len, shown);
	assert_memory_equal(v.bytes, want, shown);
	harness_free(&r);
}

/* Under lockdown nothing reads kernel memory where there are no casts. */
static bool can_read_kernel(const char *target)
{
	struct expr_target t = target_of(things_btf, target);

	return t.probe_read || t.rdonly_cast_id;
}

static void test_strings(void **state)
{
	static const unsigned sizes[] = { 5, 8, 13, 16, 48, 56, 128 };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		const char *target = target_name(t);

		for (size_t i = 0; i < COUNT(sizes); i++) {
			for (size_t len = 0; len < 140; len++) {
				check_string(target, len, sizes[i], 0x7f0000100000);
				if (can_read_kernel(target))
					check_string(target, len, sizes[i], 0xffff888020000000);
			}
		}
	}
}

/* Kernel memory behind the NUL is nothing that the reader sees. */
static void test_behind_the_string(void **state)
{
	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		for (size_t len = 0; len < 140; len++) {
			char memory[256];
			struct value v;
			struct harness r;

			things_init(&r, target_name(t));
			if (!r.in.target.probe_read && !r.in.target.rdonly_cast_id)
				continue;
			memset(r.vm.record, 0xaa, sizeof(r.vm.record));
			memset(memory, 0xee, sizeof(memory));
			memset(memory, 'x', len);
			memory[len] = 0;
			vm_region_add(&r.vm, THING_AT(9), memory, sizeof(memory));
			things[0].text = THING_AT(9);
			run_one(&r, "thing->text");
			v = value_of(&r, 0);
			assert_int_equal(v.len, len < 128	       ? len :
						r.in.target.probe_read ? 127 :
									 128);
			assert_null(memchr(v.bytes, 0xee, v.len));
			harness_free(&r);
		}
	}
}

static void test_bad_strings(void **state)
{
	static const uint64_t bad[] = { NOWHERE, 0x1234, (uint64_t)-14 };
	char half[8] = { 'h', 'a', 'l', 'f', 'h', 'a', 'l', 'f' };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		for (unsigned i = 0; i <= COUNT(bad); i++) {
			struct harness r;

			things_init(&r, target_name(t));
			if (!r.in.target.probe_read)
				continue;
			/* the last one has no NUL before its memory ends */
			vm_region_add(&r.vm, THING_AT(9), half, sizeof(half));
			things[0].text = i < COUNT(bad) ? bad[i] : THING_AT(9);
			run_one(&r, "thing->text");
			check_blame(&r, 0, EVENT_FAULT, "thing->text");
			harness_free(&r);
		}
	}
}

/* char arrays: short ones whole, long ones as strings; an array that is full has no NUL. */
static void test_arrays(void **state)
{
	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		for (size_t len = 0; len <= 20; len++) {
			static const char *const texts[] = { "thing->array", "thing->tail",
							     "thing->array:5", "thing->any:ustr" };
			struct harness r;

			things_init(&r, target_name(t));
			if (!r.in.target.probe_read && !r.in.target.rdonly_cast_id)
				continue;
			memset(things[0].array, 'x', len);
			memset(things[0].tail, 'y', len * 9);
			things[0].any = USER_AT;
			run_texts(&r, texts, r.in.target.probe_read ? 4 : 1);
			assert_int_equal(value_of(&r, 0).len, len);
			assert_memory_equal(value_of(&r, 0).bytes, things[0].array, len);
			if (r.in.target.probe_read) {
				size_t shown = len * 9 < 127 ? len * 9 : 127;

				assert_int_equal(value_of(&r, 1).len, shown);
				assert_int_equal(value_of(&r, 1).status,
						 len * 9 > 127 ? EVENT_CUT : 0);
				assert_int_equal(value_of(&r, 2).len, len < 5 ? len : 5);
				assert_string_equal(value_of(&r, 3).bytes, user_text);
			}
			harness_free(&r);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),
		cmocka_unit_test(test_behind_the_string),
		cmocka_unit_test(test_bad_strings),
		cmocka_unit_test(test_arrays),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
