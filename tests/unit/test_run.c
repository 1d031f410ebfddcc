/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_run.c - what compiled expressions compute: values, blamed links, bytes, results, on the made-up
 * machine for every target. Single expressions and their values are in tests/cases.
 */
#include <errno.h>
#include <string.h>

#include "run.h"
#include "output/field/value.h"

static void test_pointers_to_numbers(void **state)
{
	int numbers[3] = { 1, 22, 333 };
	uint64_t table[2] = { THING_AT(2), THING_AT(3) };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		static const char *const texts[] = { "*thing->numbers", "thing->numbers[2]",
						     "thing->table[1]->number", "thing[0].number",
						     "string" };
		struct harness r;

		things_init(&r, target_name(t));
		if (!r.in.target.probe_read && !r.in.target.rdonly_cast_id)
			continue;
		vm_region_add(&r.vm, THING_AT(8), numbers, sizeof(numbers));
		vm_region_add(&r.vm, THING_AT(9), table, sizeof(table));
		things[0].numbers = THING_AT(8);
		things[0].table = THING_AT(9);
		things[3].number = 4444;
		things[0].number = 5;
		r.args[1] = USER_AT;
		run_texts(&r, texts, COUNT(texts));
		assert_int_equal(value_of(&r, 0).u, 1);
		assert_int_equal(value_of(&r, 1).u, 333);
		assert_int_equal(value_of(&r, 2).u, 4444);
		assert_int_equal(value_of(&r, 3).u, 5);
		assert_string_equal(value_of(&r, 4).bytes, user_text);
		harness_free(&r);
	}
}

/* ---- who is to blame ---- */

static void test_null_links(void **state)
{
	static const char *const links[] = { "thing", "thing->next", "thing->next->next",
					     "thing->next->next->text" };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		for (unsigned broken = 0; broken < 4; broken++) {
			struct harness r;

			things_init(&r, target_name(t));
			if (broken == 0)
				r.args[0] = 0;
			else if (broken < 3)
				things[broken - 1].next = 0;
			run_one(&r, "thing->next->next->text");
			/* the last one is the pointer that is shown */
			check_blame(&r, 0, broken < 3 ? EVENT_NULL : EVENT_NIL, links[broken]);
			harness_free(&r);
		}
	}
}

static void test_bad_addresses(void **state)
{
	static const uint64_t bad[] = { NOWHERE, 0x1234, (uint64_t)-14, 0xdead000000000100 };
	static const char *const links[] = { "thing", "thing->next", "thing->next->next" };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		for (unsigned i = 0; i < COUNT(bad) * 3; i++) {
			unsigned broken = i % 3;
			struct harness r;

			things_init(&r, target_name(t));
			if (!r.in.target
				     .probe_read) /* cannot tell a bad address from a NULL behind it */
				continue;
			if (broken == 0)
				r.args[0] = bad[i / 3];
			else
				things[broken - 1].next = bad[i / 3];
			run_one(&r, "thing->next->next->text");
			check_blame(&r, 0, EVENT_FAULT, links[broken]);
			harness_free(&r);
		}
	}
}

/* Behind the last link a typed load says 0, but it sees NULL, user and error pointers. */
static void test_bad_last_address(void **state)
{
	static const uint64_t bad[] = { 0x1234, (uint64_t)-14 };
	static const char *const texts[] = { "thing->next->number", "thing->next->low",
					     "thing->next->array" };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		for (unsigned i = 0; i < COUNT(bad) * COUNT(texts); i++) {
			struct harness r;

			things_init(&r, target_name(t));
			things[0].next = bad[i % 2];
			run_one(&r, texts[i / 2]);
			check_blame(&r, 0, EVENT_FAULT, "thing->next");
			harness_free(&r);
		}
	}
}

/* A pointer into user memory is read as such, wherever it stands. */
static void test_user_memory(void **state)
{
	struct thing in_user = { .next = USER_AT + 0x10000, .number = 31, .text = USER_AT };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		static const char *const texts[] = { "thing->next->next->number",
						     "thing->next->text" };
		struct harness r;

		things_init(&r, target_name(t));
		if (!r.in.target.probe_read)
			continue;
		vm_region_add(&r.vm, USER_AT + 0x10000, &in_user, sizeof(in_user));
		things[0].next = USER_AT + 0x10000;
		run_texts(&r, texts, COUNT(texts));
		assert_int_equal(value_of(&r, 0).status, 0);
		assert_int_equal(value_of(&r, 0).u, 31);
		assert_string_equal(value_of(&r, 1).bytes, user_text);
		harness_free(&r);
	}
}

/* Bytes at an address: of the kernel, of a program, longer than what a cast gives, and a socket's address
 * that ends before a page that is not there. */
static void test_bytes(void **state)
{
	static const char *const texts[] = { "thing->next->array:mac", "thing->next:hex[280]",
					     "thing->any:hex[16]", "string:sockaddr",
					     "thing->next->tail:x8" };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		struct value v;
		struct harness r;

		things_init(&r, target_name(t));
		if (!r.in.target.probe_read && !r.in.target.rdonly_cast_id)
			continue;
		thing_fill(&things[0]);
		memset(&things[1], 0x5a, sizeof(things[1]));
		memset(things[1].tail, 0xa5, sizeof(things[1].tail));
		r.args[1] = USER_AT + sizeof(user_text) - 28;
		run_texts(&r, texts, COUNT(texts));
		v = value_of(&r, 0);
		assert_memory_equal(v.bytes, things[1].array, 6);
		v = value_of(&r, 1);
		assert_int_equal(v.len, sizeof(things[1]));
		assert_memory_equal(v.bytes, &things[1], sizeof(things[1]));
		assert_memory_equal(value_of(&r, 2).bytes, user_text, 16);
		v = value_of(&r, 3);
		assert_int_equal(v.status, 0);
		assert_memory_equal(v.bytes, user_text + sizeof(user_text) - 28, 28);
		for (int i = 28; i < 128; i++)
			assert_int_equal(v.bytes[i], 0);
		assert_memory_equal(value_of(&r, 4).bytes, things[1].tail, 200);
		assert_int_equal(vm_loss(&r.vm, LOSS_FAULT), 0);
		harness_free(&r);
	}
}

/* Expressions that share a prefix fail and succeed each for itself. */
static void test_shared_prefix(void **state)
{
	static const char *const texts[] = { "thing->next->next->number", "thing->next->number",
					     "thing->next", "thing->next->next->big",
					     "thing->next->next->next->half" };

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		for (unsigned broken = 0; broken < 5; broken++) {
			struct harness r;

			things_init(&r, target_name(t));
			for (unsigned i = 0; i < THINGS; i++)
				thing_fill(&things[i]);
			if (broken == 0)
				r.args[0] = 0;
			else if (broken < 4)
				things[broken - 1].next = 0;
			run_texts(&r, texts, COUNT(texts));
			assert_int_equal(value_of(&r, 0).status, broken <= 2 ? EVENT_NULL : 0);
			assert_int_equal(value_of(&r, 1).status, broken <= 1 ? EVENT_NULL : 0);
			assert_int_equal(value_of(&r, 2).status, broken == 0 ? EVENT_NULL : 0);
			assert_int_equal(value_of(&r, 2).u, broken <= 1 ? 0 : THING_AT(1));
			assert_int_equal(value_of(&r, 3).status, broken <= 2 ? EVENT_NULL : 0);
			assert_int_equal(value_of(&r, 4).status, broken <= 3 ? EVENT_NULL : 0);
			harness_free(&r);
		}
	}
}

/* ---- returns, and many at once ---- */

/* A function that returns a struct thing *, one that returns an int, at their return. */
static void test_returned(void **state)
{
	static const struct {
		const char *text;
		uint64_t returned;
		int64_t want;
		uint8_t status;
	} cases[] = {
		{ "$ret", 0xdeadbeef00000000 | (uint32_t)-2, -2, 0 },
		{ "$retval < 0", 0xdeadbeef00000000 | (uint32_t)-2, 1, 0 },
		{ "$ret:x", 0xdeadbeef00000000 | (uint32_t)-2, (uint32_t)-2, 0 },
		{ "$ret->number", THING_AT(1), -5, 0 },
		{ "$ret->next->small", THING_AT(0), 200, 0 },
		{ "$ret", THING_AT(1), THING_AT(1), 0 },
		{ "$ret->number", 0, 0, EVENT_NULL },
		{ "$ret->number", (uint64_t)-2, 0, EVENT_FAULT },
		{ "$ret->next->number", (uint64_t)-2, 0, EVENT_FAULT },
	};

	(void)state;
	for (int t = 0; t < TARGETS; t++) {
		for (size_t i = 0; i < COUNT(cases); i++) {
			struct harness r;

			things_init(&r, target_name(t));
			if (!r.in.target.probe_read && r.in.target.method == EXPR_CTX_KPROBE)
				continue;
			r.in.scope = EXPR_SCOPE_RETURN;
			r.in.site.func_id = i < 3 ? number_probe_id : thing_probe_id;
			r.vm.returned = cases[i].returned;
			thing_fill(&things[1]);
			run_one(&r, cases[i].text);
			assert_int_equal(value_of(&r, 0).status, cases[i].status);
			assert_int_equal(value_of(&r, 0).u, cases[i].want);
			if (cases[i].status)
				assert_string_equal(harness_link(&r, 0), "$ret");
			harness_free(&r);
		}
	}
}

/* A trampoline keeps the arguments; the registers are gone. */
static void test_arguments_at_return(void **state)
{
	struct harness r;

	(void)state;
	things_init(&r, "6.12");
	r.in.scope = EXPR_SCOPE_RETURN;
	thing_fill(&things[0]);
	run_one(&r, "thing->number");
	assert_int_equal(value_of(&r, 0).u, -5);
	harness_free(&r);
	things_init(&r, "6.12,kprobe");
	r.in.scope = EXPR_SCOPE_RETURN;
	r.in.texts = (const char *const[]){ "thing->number" };
	r.in.count = 1;
	assert_int_equal(expr_compile(&r.in, &r.program, &r.error), -EOPNOTSUPP);
	harness_free(&r);
}

/* A pointer that the verifier trusts is cast first, where it would search all types by name. */
static void test_trusted(void **state)
{
	(void)state;
	for (int i = 0; i < 4; i++) {
		bool trusted = i & 1, unsorted = i & 2, cast = false;
		struct harness r;
		size_t count;
		const struct bpf_insn *insns;

		things_init(&r, "6.12");
		r.in.target.types_unsorted = unsorted;
		r.in.site.args_trusted = trusted;
		thing_fill(&things[0]);
		thing_fill(&things[1]);
		run_one(&r, "thing->next->number");
		assert_int_equal(value_of(&r, 0).u, -5);
		insns = expr_insns(r.program, &count);
		for (size_t at = 0; at < count; at++)
			cast |= insns[at].src_reg == BPF_PSEUDO_KFUNC_CALL &&
				insns[at].code == (BPF_JMP | BPF_CALL);
		assert_int_equal(cast, trusted && unsorted);
		harness_free(&r);
	}
}

/* Random expressions together: many slots, shared stack places, one record. */
static void test_many(void **state)
{
	static const char *const tails[] = { "number", "big",  "text", "array",	  "tail",
					     "five",   "next", "half", "numbers", "any" };
	uint64_t seed = 1;

	(void)state;
	for (int round = 0; round < 300; round++) {
		char texts[24][80];
		const char *list[24];
		size_t count = 1 + random_next(&seed) % COUNT(list);
		struct harness r;

		things_init(&r, target_name(random_next(&seed) % TARGETS));
		if (!r.in.target.probe_read)
			continue;
		for (size_t i = 0; i < count; i++) {
			size_t len = sprintf(texts[i], "v%zu=thing", i);

			for (int hops = random_next(&seed) % 4; hops; hops--)
				len += sprintf(texts[i] + len, "->next");
			sprintf(texts[i] + len, "->%s", tails[random_next(&seed) % COUNT(tails)]);
			list[i] = texts[i];
		}
		for (unsigned i = 0; i < THINGS; i++) {
			thing_fill(&things[i]);
			things[i].text = random_next(&seed) % 2 ? USER_AT : random_next(&seed) % 8;
			if (random_next(&seed) % 4 == 0)
				things[i].next = random_next(&seed) % 2 ? 0 : NOWHERE;
		}
		run_texts(&r, list, count);
		for (size_t i = 0; i < count; i++)
			value_of(&r, i);
		harness_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pointers_to_numbers),
		cmocka_unit_test(test_null_links),
		cmocka_unit_test(test_bad_addresses),
		cmocka_unit_test(test_bad_last_address),
		cmocka_unit_test(test_user_memory),
		cmocka_unit_test(test_bytes),
		cmocka_unit_test(test_shared_prefix),
		cmocka_unit_test(test_returned),
		cmocka_unit_test(test_arguments_at_return),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_trusted),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
