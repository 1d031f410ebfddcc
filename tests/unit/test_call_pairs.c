/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_call_pairs.c - which entry a return belongs to, on the simulated machine, in every way: calls in
 * calls, many whose keys have one place, tasks that run at once, and calls that never return.
 */
#include <string.h>

#include "call_run.h"

struct call {
	uint64_t stack, cookie;
};

/* Where a register has the key: there is one context, which trampolines make it of. */
static bool has_keys(const struct way *way)
{
	return strstr(way->target, "kprobe") != NULL;
}

static bool has_places(struct harness *r)
{
	return places_size(r) > place_size(r);
}

static void call_enter(struct harness *r, struct call *c, int number)
{
	thing.number = number;
	enter(r, c->stack, 0);
	c->cookie = r->vm.cookie;
}

static void call_leave(struct harness *r, const struct call *c, int returned)
{
	r->vm.cookie = c->cookie;
	leave(r, c->stack, 0, returned);
}

/* Stacks whose calls have one place, found by trying. */
static void calls_crowd(struct harness *r, struct call *calls, size_t count)
{
	unsigned before = kept_in_hash(r);
	struct call tried = { .stack = STACK_AT };

	calls[0].stack = STACK_AT;
	call_enter(r, &calls[0], 0);
	for (size_t i = 1; i < count; calls[i++] = tried) {
		bool crowded = false;

		while (!crowded) {
			tried.stack -= 0x5000;
			assert_true(tried.stack > STACK_AT - (1ull << 30));
			call_enter(r, &tried, 0);
			crowded = !has_places(r) || kept_in_hash(r) > before;
			call_leave(r, &tried, 0);
		}
	}
	call_leave(r, &calls[0], 0);
	assert_int_equal(kept(r), 0);
}

/* Calls in calls: each return finds its own entry, in whatever order they come. */
static void test_nested(void **state)
{
	static const char *const texts[] = { "thing->number", "$ret" };
	static const unsigned order[] = { 2, 0, 3, 1, 4 };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct call calls[6];
		struct harness r;
		unsigned room;

		if (!has_keys(&ways[i]))
			continue;
		run_init(&r, &ways[i]);
		run_compile(&r, texts, COUNT(texts));
		calls_crowd(&r, calls, COUNT(calls));
		room = VM_HASH_ROOM + has_places(&r);
		for (unsigned n = 0; n <= room; n++) {
			assert_int_equal(vm_loss(&r.vm, LOSS_MAP_FULL), 0);
			call_enter(&r, &calls[n], n);
		}
		assert_int_equal(kept(&r), room);
		assert_int_equal(vm_loss(&r.vm, LOSS_MAP_FULL), 1);
		for (unsigned n = 0; n < COUNT(order); n++) {
			if (order[n] >= room)
				continue;
			call_leave(&r, &calls[order[n]], order[n] + 10);
			assert_value(&r, "number", order[n]);
			assert_value(&r, "ret", order[n] + 10);
		}
		assert_int_equal(kept(&r), 0);
		assert_int_equal(vm_loss(&r.vm, LOSS_NO_ENTRY), 0);
		call_leave(&r, &calls[room], 0);
		assert_false(r.vm.submitted);
		assert_int_equal(vm_loss(&r.vm, LOSS_NO_ENTRY), !ways[i].session);
		harness_free(&r);
	}
}

/* A call in the hash never returns: the next one there takes it over, though its place is free by now;
 * others have the place meanwhile. One that is refused is forgotten in either. */
static void test_crowded_never_returned(void **state)
{
	static const char *const texts[] = { "thing->number", "$lat" };
	static const char *const condition = "thing->number < 10";

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct call calls[3];
		struct harness r;

		if (!has_keys(&ways[i]))
			continue;
		run_init(&r, &ways[i]);
		r.in.conditions = &condition;
		r.in.condition_count = 1;
		run_compile(&r, texts, COUNT(texts));
		calls_crowd(&r, calls, COUNT(calls));
		call_enter(&r, &calls[0], 1);
		call_enter(&r, &calls[1], 2);
		call_leave(&r, &calls[0], 0);
		assert_int_equal(kept_in_hash(&r), 1);
		call_enter(&r, &calls[2], 3);
		assert_int_equal(kept(&r), 2);
		assert_int_equal(kept_in_hash(&r), 1 + !has_places(&r));
		call_leave(&r, &calls[2], 0);
		assert_value(&r, "number", 3);
		r.vm.now += 100;
		call_enter(&r, &calls[1], 4);
		assert_int_equal(kept(&r), 1);
		call_leave(&r, &calls[1], 0);
		assert_value(&r, "number", 4);
		assert_value(&r, "lat", 0);
		assert_int_equal(kept(&r), 0);

		call_enter(&r, &calls[0], 5);
		call_enter(&r, &calls[1], 6);
		if (!ways[i].session) {
			call_enter(&r, &calls[0], 10);
			assert_int_equal(kept(&r), 1);
			call_enter(&r, &calls[1], 11);
			assert_int_equal(kept(&r), 0);
			call_enter(&r, &calls[2], 12);
			assert_int_equal(kept(&r), 0);
		}
		harness_free(&r);
	}
}

/* Two tasks whose calls have one place, on two processors: any order of single instructions. Each has
 * a hash of its own, for their keys differ. */
struct task {
	struct harness run;
	struct call call;
	size_t pc;
	int entered, returned;
	bool inside;
};

static void task_begin(struct task *t)
{
	struct vm *m = &t->run.vm;

	context_fill(&t->run, t->inside, t->call.stack, 0, 0);
	m->pid_tgid = t->call.stack >> 12;
	m->submitted = false;
	m->record_size = 0;
	m->steps = 0;
	m->now = t->returned * 1000 + (t->inside ? t->call.stack >> 12 & 0xff : 0);
	vm_begin(m);
	t->pc = 0;
}

static void task_step(struct task *t)
{
	struct vm *m = &t->run.vm;

	if (vm_next(m, t->inside ? &m->code_return : &m->code, &t->pc))
		return;
	if (*t->run.vm.trouble)
		fail_msg("%s", t->run.vm.trouble);
	if (t->inside) {
		assert_value(&t->run, "lat", t->call.stack >> 12 & 0xff);
		t->returned++;
	} else {
		t->entered++;
	}
	t->inside = !t->inside;
	task_begin(t);
}

static void test_interleaved(void **state)
{
	static const char *const texts[] = { "thing->number", "$lat" };
	static struct task tasks[3];
	struct call calls[COUNT(tasks)];
	uint32_t random = 1, in_hash = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(tasks); i++) {
		run_init(&tasks[i].run, &ways[4]);
		run_compile(&tasks[i].run, texts, COUNT(texts));
		vm_map_share(&tasks[i].run.vm, &tasks[0].run.vm, EXPR_MAP_PLACES);
	}
	calls_crowd(&tasks[0].run, calls, COUNT(tasks));
	for (size_t i = 0; i < COUNT(tasks); i++) {
		tasks[i].call = calls[i];
		task_begin(&tasks[i]);
	}
	for (int n = 0; n < 3000000; n++) {
		random = random * 1664525 + 1013904223;
		task_step(&tasks[(random >> 16) % COUNT(tasks)]);
		in_hash += kept_in_hash(&tasks[0].run) > 0;
	}
	assert_true(in_hash);
	for (size_t i = 0; i < COUNT(tasks); i++) {
		while (tasks[i].inside || tasks[i].pc)
			task_step(&tasks[i]);
		assert_true(tasks[i].entered > 1000 && tasks[i].entered == tasks[i].returned);
		assert_int_equal(kept_in_hash(&tasks[i].run), 0);
	}
	assert_int_equal(kept(&tasks[0].run), 0);
	for (size_t i = 0; i < COUNT(tasks); i++)
		harness_free(&tasks[i].run);
}

/* A call that never returned is not taken for another one at the same place of the stack. */
static void test_never_returned(void **state)
{
	static const char *const texts[] = { "thing->number", "$lat" };
	static const char *const condition = "thing->number == 7";

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;

		if (ways[i].session)
			continue;
		run_init(&r, &ways[i]);
		r.in.conditions = &condition;
		r.in.condition_count = 1;
		run_compile(&r, texts, COUNT(texts));
		enter(&r, STACK_AT, 0);
		r.vm.pid_tgid = 50ull << 32 | 50; /* another process has the stack now */
		leave(&r, STACK_AT, 0, 0);
		assert_false(r.vm.submitted);
		r.vm.pid_tgid = 42ull << 32 | 43;
		enter(&r, STACK_AT, 0);
		thing.number = 8; /* refused, of the same process */
		enter(&r, STACK_AT, 0);
		leave(&r, STACK_AT, 0, 0);
		assert_false(r.vm.submitted);
		thing.number = 7;
		enter(&r, STACK_AT, 0);
		r.vm.now = 5000;
		enter(&r, STACK_AT, 0); /* takes the place of the one before */
		r.vm.now = 5005;
		leave(&r, STACK_AT, 0, 0);
		assert_value(&r, "lat", 5);
		assert_int_equal(kept(&r), 0);
		harness_free(&r);
	}
}

/* A task that the filter refuses by its name takes the place of a call that never returned: its return is
 * not that call's. */
static void test_forgotten_by_filter(void **state)
{
	static const char *const texts[] = { "thing->number", "$lat" };
	char task[64] = {};

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;

		if (ways[i].session)
			continue;
		run_init(&r, &ways[i]);
		r.in.run.filter.by_comm = 1;
		strcpy(r.in.run.filter.comm, "cat");
		vm_region_add(&r.vm, VM_TASK_AT, task, sizeof(task));
		memcpy(task + 8, (uint32_t[]){ 43, 42 }, 8);
		run_compile(&r, texts, COUNT(texts));
		strcpy(task + 16, "cat");
		enter(&r, STACK_AT, 0);
		assert_int_equal(kept(&r), 1);
		strcpy(task + 16, "sh");
		enter(&r, STACK_AT, 0);
		assert_int_equal(kept(&r), 0);
		leave(&r, STACK_AT, 0, 0);
		assert_false(r.vm.submitted);
		strcpy(task + 16, "cat");
		enter(&r, STACK_AT, 0);
		leave(&r, STACK_AT, 0, 0);
		assert_value(&r, "number", 7);
		harness_free(&r);
	}
}

static void on_thread(struct harness *r, uint32_t thread, int number)
{
	r->vm.pid_tgid = 42ull << 32 | thread;
	thing.number = number;
}

/* User functions: threads have the same stack pointer, as after a fork. An entry found under a new call's key belongs
 * to a call that never returned; a child's return belongs to no call. */
static void test_user_threads(void **state)
{
	static const char *const texts[] = { "thing->number", "$ret" };

	(void)state;
	for (size_t i = 0; i < COUNT(ways); i++) {
		struct harness r;

		if (ways[i].session || !has_keys(&ways[i]))
			continue;
		run_init(&r, &ways[i]);
		r.in.site.in_user = true;
		run_compile(&r, texts, COUNT(texts));
		for (int thread = 1; thread <= 3; thread++) {
			on_thread(&r, thread, 10 + thread);
			enter(&r, STACK_AT, 0);
		}
		on_thread(&r, 1, 20);
		enter(&r, STACK_AT - 64, 0);
		assert_int_equal(kept_in_hash(&r), 4);
		leave(&r, STACK_AT - 64, 0, 5);
		assert_value(&r, "number", 20);
		for (int thread = 3; thread; thread--) {
			on_thread(&r, thread, 0);
			leave(&r, STACK_AT, 0, thread);
			assert_value(&r, "number", 10 + thread);
			assert_value(&r, "ret", thread);
		}
		on_thread(&r, 1, 30);
		enter(&r, STACK_AT, 0);
		assert_int_equal(vm_loss(&r.vm, LOSS_NO_RETURN), 0);
		on_thread(&r, 1, 31);
		enter(&r, STACK_AT, 0);
		assert_int_equal(vm_loss(&r.vm, LOSS_NO_RETURN), 1);
		on_thread(&r, 2, 0);
		leave(&r, STACK_AT, 0, 0);
		assert_false(r.vm.submitted);
		assert_int_equal(vm_loss(&r.vm, LOSS_NO_ENTRY), 1);
		on_thread(&r, 1, 0);
		leave(&r, STACK_AT, 0, 0);
		assert_value(&r, "number", 31);
		assert_int_equal(kept(&r), 0);
		harness_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_crowded_never_returned),
		cmocka_unit_test(test_interleaved),
		cmocka_unit_test(test_never_returned),
		cmocka_unit_test(test_forgotten_by_filter),
		cmocka_unit_test(test_user_threads),
	};

	return cmocka_run_group_tests(tests, setup, built_close);
}
