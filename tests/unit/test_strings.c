/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_strings.c - strings that expressions read: of all lengths, ending with their page, cut, damaged,
 * and arrays of characters, for every target.
 */
#include <string.h>

#include "run.h"
#include "output/field/value.h"

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

/* As many bytes as another value says: NULs too, nothing behind them is touched, and no more than there
 * is room for. */
static void check_counted(const char *target, int64_t count, uint64_t page)
{
	static const char *const texts[] = { "thing->text:str[thing->big]:40",
					     "thing->text:hex[thing->big + 1 - 1]:8" };
	size_t shown = count < 0 ? 0 : count < 40 ? count : 40;
	char memory[64];
	struct value v;
	struct harness r;

	for (size_t i = 0; i < sizeof(memory); i++)
		memory[i] = i % 3 ? 0x80 + i : 0;
	things_init(&r, target);
	memset(r.vm.record, 0xaa, sizeof(r.vm.record));
	vm_region_add(&r.vm, page + 4096 - shown, memory, shown ?: 1);
	things[0].text = shown ? page + 4096 - shown : 0; /* nothing is read then */
	things[0].big = count;
	run_texts(&r, texts, COUNT(texts));
	v = value_of(&r, 0);
	assert_int_equal(v.status, count > 40 ? EVENT_CUT : EVENT_OK);
	assert_int_equal(v.left_out, count > 40 ? count - 40 : 0);
	assert_int_equal(v.len, shown);
	assert_memory_equal(v.bytes, memory, shown);
	assert_int_equal(value_of(&r, 1).len, shown < 8 ? shown : 8);
	harness_free(&r);
}

static void check_uncounted(const char *target, const char *text, unsigned status, const char *link)
{
	struct harness r;

	things_init(&r, target);
	things[0].big = 3;
	things[0].text = status == EVENT_FAULT ? 0x7e0000100000 : 0;
	run_one(&r, text);
	check_blame(&r, 0, status, link);
	harness_free(&r);
}

static void test_counted(void **state)
{
	static const int64_t counts[] = { 0, 1, 7, 8, 9, 39, 40, 41, 5000, -1, -4095, INT64_MIN };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		const char *target = target_name(t);

		for (size_t i = 0; i < COUNT(counts); i++) {
			check_counted(target, counts[i], 0x7f0000100000);
			if (target_of(things_btf, target).probe_read)
				check_counted(target, counts[i], 0xffff888020000000);
		}
		check_uncounted(target, "thing->text:str[thing->big]", EVENT_NIL, "thing->text");
		check_uncounted(target, "thing->text:ustr[thing->big]", EVENT_FAULT, "thing->text");
		check_uncounted(target, "thing->text:str[thing->next->next->next->next->big]",
				EVENT_NULL, "thing->next->next->next->next");
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_strings),	    cmocka_unit_test(test_behind_the_string),
		cmocka_unit_test(test_bad_strings), cmocka_unit_test(test_arrays),
		cmocka_unit_test(test_counted),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
