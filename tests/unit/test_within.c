/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_within.c - calls that are marked, on the simulated machine: who is inside when calls nest, return in an
 * odd order, or never; and conditions that begin and end the recording.
 */
#include <string.h>

#include "call_run.h"

enum { SET = 5 };

/* Where a register has the frame: there is one context, which trampolines make it of. */
static bool has_frames(const struct way *way)
{
	return strstr(way->target, "kprobe") != NULL;
}

static void marks_init(struct harness *r, const struct way *way)
{
	run_init(r, way);
	r->in.within.marks = SET;
	run_compile(r, NULL, 0);
}

/* What the map says of the thread: how many calls it is inside of. */
static uint64_t inside(struct harness *r)
{
	const struct vm_map *m = vm_map_of(&r->vm, EXPR_MAP_WITHIN);
	uint64_t count = 0;

	if (m->count)
		memcpy(&count, m->values + 16, sizeof(count));
	assert_true(m->count <= 1);
	return count;
}

/* A session hands its frame from the entry to the return. */
static uint64_t go_in(struct harness *r, uint64_t stack)
{
	enter(r, stack, 0);
	return r->vm.cookie;
}

static void come_out(struct harness *r, uint64_t stack, uint64_t cookie)
{
	r->vm.cookie = cookie;
	leave(r, stack, 0, 0);
}

static void test_nested(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;
		uint64_t outer, inner;

		if (!has_frames(&ways[i]))
			continue;
		marks_init(&r, &ways[i]);
		outer = go_in(&r, STACK_AT);
		assert_int_equal(inside(&r), 1);
		inner = go_in(&r, STACK_AT - 0x100);
		assert_int_equal(inside(&r), 2);
		come_out(&r, STACK_AT - 0x100, inner);
		assert_int_equal(inside(&r), 1);
		come_out(&r, STACK_AT, outer);
		assert_int_equal(inside(&r), 0);
		assert_int_equal(vm_loss(&r.vm, LOSS_NOT_LEFT), 0);
		assert_int_equal(vm_loss(&r.vm, LOSS_NO_ENTRY), 0);
		harness_free(&r);
	}
}

/* The outermost return ends all; of an entry that was not seen the return ends nothing. */
static void test_missed(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;
		uint64_t outer;

		if (!has_frames(&ways[i]) || ways[i].session)
			continue;
		marks_init(&r, &ways[i]);
		outer = go_in(&r, STACK_AT);
		go_in(&r, STACK_AT - 0x100);
		go_in(&r, STACK_AT - 0x200);
		come_out(&r, STACK_AT, outer);
		assert_int_equal(inside(&r), 0);
		outer = go_in(&r, STACK_AT);
		come_out(&r, STACK_AT - 0x100, 0);
		come_out(&r, STACK_AT - 0x100, 0);
		assert_int_equal(inside(&r), 1);
		come_out(&r, STACK_AT, outer);
		assert_int_equal(vm_loss(&r.vm, LOSS_NOT_LEFT), 0);
		come_out(&r, STACK_AT, 0);
		assert_int_equal(vm_loss(&r.vm, LOSS_NO_ENTRY), 1);
		harness_free(&r);
	}
}

/* A call that never returned: the next one at that height of the stack, or above, begins anew. */
static void test_left(void **state)
{
	static const uint64_t nexts[] = { STACK_AT, STACK_AT + 0x80 };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++)
		for (size_t n = 0; n < COUNT(nexts) && has_frames(&ways[i]); n++) {
			struct harness r;
			uint64_t again;

			marks_init(&r, &ways[i]);
			go_in(&r, STACK_AT);
			go_in(&r, STACK_AT - 0x100);
			again = go_in(&r, nexts[n]);
			assert_int_equal(inside(&r), 1);
			assert_int_equal(vm_loss(&r.vm, LOSS_NOT_LEFT), 1);
			come_out(&r, nexts[n], again);
			assert_int_equal(inside(&r), 0);
			harness_free(&r);
		}
}

/* An interrupt with a stack of its own, at a higher address, ends nothing. */
static void test_interrupt(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;
		uint64_t outer, other;

		if (!has_frames(&ways[i]))
			continue;
		marks_init(&r, &ways[i]);
		outer = go_in(&r, STACK_AT);
		other = go_in(&r, STACK_AT + 0x40000);
		assert_int_equal(inside(&r), 2);
		come_out(&r, STACK_AT + 0x40000, other);
		assert_int_equal(inside(&r), 1);
		come_out(&r, STACK_AT, outer);
		assert_int_equal(inside(&r), 0);
		assert_int_equal(vm_loss(&r.vm, LOSS_NOT_LEFT), 0);
		harness_free(&r);
	}
}

/* ---- those that ask ---- */

static void asker_init(struct harness *r, const char *const *texts)
{
	run_init(r, &(struct way){ "6.18,kprobe", false });
	r->in.scope = EXPR_SCOPE_ENTRY;
	r->in.site.on_function = true;
	r->in.within.sets = texts ? 0 : 1u << SET;
	r->in.within.depth_of = SET;
	r->in.within.depth_own = true;
	run_compile(r, texts, texts ? 1 : 0);
}

/* What one machine has in the map, the other has, too. */
static void map_take(struct harness *to, struct harness *from)
{
	const struct vm_map *source = vm_map_of(&from->vm, EXPR_MAP_WITHIN);
	struct vm_map *map = vm_map_of(&to->vm, EXPR_MAP_WITHIN);

	map->count = source->count;
	memcpy(map->keys, source->keys, (size_t)map->room * map->asked->key_size);
	memcpy(map->used, source->used, map->room * sizeof(*map->used));
	memcpy(map->values, source->values, (size_t)map->room * map->stride);
}

static bool is_let_in(struct harness *r, uint64_t stack)
{
	r->vm.submitted = false;
	r->vm.record_size = 0;
	memset(r->vm.written, 0, sizeof(r->vm.written));
	enter(r, stack, 0);
	return r->vm.submitted;
}

/* A call of its own does not count, whether it is marked by then or not. */
static void test_asked(void **state)
{
	static const struct way way = { "6.18,kprobe", false };
	static const char *const depth[] = { "depth=$depth" };
	struct harness marks, asks, counts;

	(void)state;
	marks_init(&marks, &way);
	asker_init(&asks, NULL);
	asker_init(&counts, depth);
	assert_false(is_let_in(&asks, STACK_AT));
	go_in(&marks, STACK_AT);
	map_take(&asks, &marks);
	map_take(&counts, &marks);
	assert_false(is_let_in(&asks, STACK_AT));
	assert_true(is_let_in(&asks, STACK_AT - 0x100));
	assert_true(is_let_in(&counts, STACK_AT));
	assert_value(&counts, "depth", 0);
	assert_true(is_let_in(&counts, STACK_AT - 0x100));
	assert_value(&counts, "depth", 1);
	go_in(&marks, STACK_AT - 0x100);
	map_take(&asks, &marks);
	map_take(&counts, &marks);
	assert_true(is_let_in(&asks, STACK_AT - 0x100));
	assert_true(is_let_in(&counts, STACK_AT - 0x100));
	assert_value(&counts, "depth", 1);
	come_out(&marks, STACK_AT - 0x100, 0);
	come_out(&marks, STACK_AT, 0);
	map_take(&asks, &marks);
	assert_false(is_let_in(&asks, STACK_AT - 0x100));
	harness_free(&asks);
	harness_free(&counts);
	harness_free(&marks);
}

/* A longjmp has left the call: what is called next, above its frame, is not inside; a handler on another stack may be. */
static void test_asked_left(void **state)
{
	static const struct way way = { "6.18,kprobe", false };
	struct harness marks, asks;

	(void)state;
	marks_init(&marks, &way);
	asker_init(&asks, NULL);
	asks.in.site.in_user = true;
	asks.in.site.on_function = false;
	asks.in.within.user = asks.in.within.others = 1u << SET;
	run_compile(&asks, NULL, 0);
	go_in(&marks, STACK_AT);
	map_take(&asks, &marks);
	assert_true(is_let_in(&asks, STACK_AT - 0x100));
	assert_true(is_let_in(&asks, STACK_AT));
	assert_true(is_let_in(&asks, STACK_AT + (1 << 20)));
	assert_int_equal(inside(&asks), 1);
	assert_false(is_let_in(&asks, STACK_AT + 0x10));
	assert_int_equal(inside(&asks), 0);
	assert_int_equal(vm_loss(&asks.vm, LOSS_NOT_LEFT), 1);
	assert_false(is_let_in(&asks, STACK_AT - 0x100));
	harness_free(&asks);
	harness_free(&marks);
}

/* ---- @in(EXPR) ---- */

static const char *const kept_texts[] = { "count", "thing->number" };

static void keeper_init(struct harness *r, const struct way *way)
{
	run_init(r, way);
	r->in.within.marks = SET;
	r->in.inside.most = COUNT(kept_texts);
	run_compile(r, kept_texts, COUNT(kept_texts));
}

static void reader_init(struct harness *r, const struct way *way, const struct harness *marks)
{
	static const char *const texts[] = { "c=@in(count)", "n=@in(thing->number)" };

	run_init(r, way);
	r->in.scope = EXPR_SCOPE_ENTRY;
	r->in.session = false;
	r->in.site.on_function = true;
	r->in.within.sets = 1u << SET;
	r->in.inside.texts = kept_texts;
	r->in.inside.count = r->in.inside.most = COUNT(kept_texts);
	r->in.inside.of = &marks->in;
	run_compile(r, texts, COUNT(texts));
}

/* A call, with that count and thing->number; -1: its thing is NULL. */
static uint64_t go_in_with(struct harness *r, uint64_t stack, int count, int number)
{
	thing.number = number;
	r->args[0] = number < 0 ? 0 : THING_AT;
	enter(r, stack, count);
	return r->vm.cookie;
}

/* What a call at that height of the stack is told: `missing` for no value. */
enum { MISSING = -7 };
static void assert_told(struct harness *reads, struct harness *marks, uint64_t stack, int count,
			int number)
{
	map_take(reads, marks);
	assert_true(is_let_in(reads, stack));
	assert_int_equal(value_of(reads, "c").status == EVENT_NONE, count == MISSING);
	assert_int_equal(value_of(reads, "n").status == EVENT_NONE, number == MISSING);
	if (count != MISSING)
		assert_value(reads, "c", count);
	if (number != MISSING)
		assert_value(reads, "n", number);
}

/* Four calls in one another, and two more: the innermost around is told, as long as it is kept. */
static void kept_nested(const struct way *way)
{
	struct harness marks, reads;
	uint64_t cookies[6];

	keeper_init(&marks, way);
	reader_init(&reads, way, &marks);
	for (int i = 0; i < 6; i++) {
		cookies[i] = go_in_with(&marks, STACK_AT - 0x100 * i, 10 + i, 20 + i);
		assert_told(&reads, &marks, STACK_AT - 0x100 * i - 0x80, i < 4 ? 10 + i : MISSING,
			    i < 4 ? 20 + i : MISSING);
	}
	assert_int_equal(vm_loss(&marks.vm, LOSS_TOO_DEEP), 2);
	/* the one that asks is in the set itself */
	assert_told(&reads, &marks, STACK_AT - 0x300, 12, 22);
	for (int i = 5; i > 0; i--) {
		come_out(&marks, STACK_AT - 0x100 * i, cookies[i]);
		assert_told(&reads, &marks, STACK_AT - 0x900, i - 1 < 4 ? 9 + i : MISSING,
			    i - 1 < 4 ? 19 + i : MISSING);
	}
	harness_free(&reads);
	harness_free(&marks);
}

/* A return that was missed: nobody is told what that call had; one value that cannot be read is none. */
static void kept_missed(const struct way *way)
{
	struct harness marks, reads;

	keeper_init(&marks, way);
	reader_init(&reads, way, &marks);
	go_in_with(&marks, STACK_AT, 1, 2);
	go_in_with(&marks, STACK_AT - 0x200, 3, 4);
	assert_told(&reads, &marks, STACK_AT - 0x100, 1, 2);
	go_in_with(&marks, STACK_AT - 0x100, 5, -1);
	assert_told(&reads, &marks, STACK_AT - 0x300, 5, MISSING);
	go_in_with(&marks, STACK_AT, 7, 8); /* the outermost was left, too */
	assert_told(&reads, &marks, STACK_AT - 0x300, 7, 8);
	harness_free(&reads);
	harness_free(&marks);
}

static void test_kept(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		if (!has_frames(&ways[i]))
			continue;
		kept_nested(&ways[i]);
		kept_missed(&ways[i]);
	}
}

/* ---- begin and stop ---- */

/* What is counted, of calls with these numbers. */
static unsigned shown(const char *begin, const char *stop, const int *numbers, size_t count)
{
	static const char *const texts[] = { "thing->number" };
	struct harness r;
	unsigned records = 0;

	run_init(&r, &(struct way){ "6.18", false });
	r.in.scope = EXPR_SCOPE_ENTRY;
	r.in.triggers[EXPR_TRIGGER_BEGIN] = begin;
	r.in.triggers[EXPR_TRIGGER_STOP] = stop;
	run_compile(&r, texts, 1);
	for (size_t i = 0; i < count; i++) {
		thing.number = numbers[i];
		records += is_let_in(&r, STACK_AT);
	}
	harness_free(&r);
	return records;
}

static void test_triggers(void **state)
{
	static const int numbers[] = { 1, 5, 2, 7, 3, 5, 9 };

	(void)state;
	assert_int_equal(shown(NULL, NULL, numbers, COUNT(numbers)), 7);
	assert_int_equal(shown("thing->number == 2", NULL, numbers, COUNT(numbers)), 5);
	assert_int_equal(shown(NULL, "thing->number == 2", numbers, COUNT(numbers)), 3);
	assert_int_equal(shown("thing->number == 2", "thing->number == 5", numbers, COUNT(numbers)),
			 4);
	assert_int_equal(shown("thing->number == 2", "thing->number == 2", numbers, COUNT(numbers)),
			 1);
	assert_int_equal(
		shown("thing->number > 3 && thing->number > 6", NULL, numbers, COUNT(numbers)), 4);
	assert_int_equal(shown("0", NULL, numbers, COUNT(numbers)), 0);
	assert_int_equal(shown(NULL, "0", numbers, COUNT(numbers)), 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),	 cmocka_unit_test(test_missed),
		cmocka_unit_test(test_left),	 cmocka_unit_test(test_interrupt),
		cmocka_unit_test(test_asked),	 cmocka_unit_test(test_asked_left),
		cmocka_unit_test(test_triggers), cmocka_unit_test(test_kept),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
