/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_call.c - entry and return in one record, on the simulated machine, in every way: what each side
 * computes, and what conditions and a full ring do. Which calls are paired: test_call_pairs.c.
 */
#include <errno.h>
#include <string.h>

#include "call_run.h"

static void test_all(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;

		run_init(&r, &ways[i]);
		run_compile(&r, NULL, 0);
		assert_true(enter(&r, STACK_AT, -3));
		assert_false(r.vm.submitted);
		r.vm.now = 3500;
		leave(&r, STACK_AT, -3, 0xdeadbeef00000000ull | (uint32_t)-2);
		assert_value(&r, "thing", THING_AT);
		assert_value(&r, "count", -3);
		assert_value(&r, "ret", -2);
		assert_value(&r, "lat", 2500);
		assert_int_equal(kept(&r), 0);
		harness_free(&r);
	}
}

/* Memory as it was at the entry, and at the return; strings of all lengths. */
static void test_memory(void **state)
{
	static const char *const texts[] = { "thing->number",
					     "@ret(thing->number)",
					     "thing->text",
					     "after=@ret(thing->text)",
					     "thing->name",
					     "count",
					     "sum=@ret(thing->number + count)",
					     "$lat" };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;

		run_init(&r, &ways[i]);
		strcpy(thing.name, "a name");
		run_compile(&r, texts, COUNT(texts));
		assert_true(enter(&r, STACK_AT, 5));
		assert_int_equal(kept(&r), 1);
		thing.number = -8;
		strcpy(text, "another text that is much longer than the one before");
		strcpy(thing.name, "gone");
		r.vm.now = 1001;
		leave(&r, STACK_AT, 5, 0);
		assert_value(&r, "number", 7);
		assert_value(&r, "@ret(thing->number)", -8);
		assert_text(&r, "text", "before");
		assert_text(&r, "after", text);
		assert_text(&r, "name", "a name");
		assert_value(&r, "count", 5);
		assert_value(&r, "sum", -3);
		assert_value(&r, "lat", 1);
		assert_int_equal(kept(&r), 0);
		harness_free(&r);
	}
}

/* An unreadable value at one side is marked, and does not harm the other side. */
static void test_bad_memory(void **state)
{
	static const char *const texts[] = { "e=thing->text", "r=@ret(thing->text)", "$ret" };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		for (int side = 0; side < 2; side++) {
			struct harness r;

			run_init(&r, &ways[i]);
			run_compile(&r, texts, COUNT(texts));
			thing.text = side ? TEXT_AT : 0;
			enter(&r, STACK_AT, 5);
			thing.text = side ? 0 : TEXT_AT;
			leave(&r, STACK_AT, 5, 9);
			assert_int_equal(value_of(&r, "e").status, side ? EVENT_OK : EVENT_NIL);
			assert_int_equal(value_of(&r, "r").status, side ? EVENT_NIL : EVENT_OK);
			assert_value(&r, "ret", 9);
			harness_free(&r);
		}
	}
}

/* Conditions of the entry, of the return, and filters. */
static void test_refused(void **state)
{
	static const char *const texts[] = { "thing->number", "$ret" };
	static const char *const conditions[] = { "thing->number == 7", "$ret == 3 && $lat > 10" };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		for (int refuse = 0; refuse < 4; refuse++) {
			struct harness r;
			bool looks;

			run_init(&r, &ways[i]);
			r.in.conditions = conditions;
			r.in.condition_count = 2;
			run_compile(&r, texts, COUNT(texts));
			thing.number = 7 + (refuse == 1);
			looks = enter(&r, STACK_AT, 0);
			assert_int_equal(looks, !(refuse == 1 && r.in.session &&
						  r.in.target.method == EXPR_CTX_KPROBE));
			assert_int_equal(kept(&r), refuse != 1);
			r.vm.now += refuse == 2 ? 10 : 11;
			if (looks)
				leave(&r, STACK_AT, 0, 3 + (refuse == 3));
			assert_int_equal(r.vm.submitted, !refuse);
			assert_int_equal(kept(&r), 0);
			assert_int_equal(vm_loss(&r.vm, LOSS_NO_ENTRY), 0);
			harness_free(&r);
		}
	}
}

static void test_ring_full(void **state)
{
	static const char *const texts[] = { "thing->number" };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;

		run_init(&r, &ways[i]);
		run_compile(&r, texts, COUNT(texts));
		r.vm.ring_full = true;
		enter(&r, STACK_AT, 0);
		leave(&r, STACK_AT, 0, 0);
		assert_false(r.vm.submitted);
		assert_int_equal(vm_loss(&r.vm, LOSS_RING_FULL), 1);
		assert_int_equal(kept(&r), 0);
		harness_free(&r);
	}
}

/* Values that fexit knows need no entry. */
static void test_nothing_kept(void **state)
{
	static const char *const texts[] = { "count + 1", "$ret" };
	struct harness r;
	size_t count;

	(void)state;
	run_init(&r, &ways[0]);
	run_compile(&r, texts, COUNT(texts));
	expr_insns(r.program, &count);
	assert_int_equal(count, 0);
	leave(&r, STACK_AT, 4, 6);
	assert_value(&r, "count+1", 5);
	assert_value(&r, "ret", 6);
	harness_free(&r);
}

static void test_void(void **state)
{
	static const char *const texts[] = { "$ret" };
	struct harness r;

	(void)state;
	run_init(&r, &ways[0]);
	r.in.site.func_id = void_id;
	run_compile(&r, NULL, 0);
	assert_int_equal(expr_schema(r.program)->count, 3 + 2); /* count, lat */
	harness_free(&r);
	r.in.texts = texts;
	r.in.count = 1;
	assert_int_equal(expr_compile(&r.in, &r.program, &r.error), -EINVAL);
	harness_free(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),	   cmocka_unit_test(test_memory),
		cmocka_unit_test(test_bad_memory), cmocka_unit_test(test_refused),
		cmocka_unit_test(test_ring_full),  cmocka_unit_test(test_nothing_kept),
		cmocka_unit_test(test_void),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
