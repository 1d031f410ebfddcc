/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_call.c - entry and return in one record: what each side computes, what is kept from one to
 * the other, and which calls are paired, on the made-up machine, in every way.
 */
#include <errno.h>
#include <stddef.h>

#include "unit.h"
#include "btf_build.h"
#include "../lib/harness.h"
#include "../lib/targets.h"
#include "../lib/vm_maps.h"

struct thing {
	uint64_t text;
	int32_t number, pad;
	char name[200];
};

#define THING_AT 0xffff888010000000ull
#define TEXT_AT	 0xffff888010001000ull
#define STACK_AT 0xffffc90000100000ull /* where a traced function's return address lies */

static struct btf_build build;
static struct btf_view *btf;
static uint32_t func_id, void_id;
static struct thing thing;
static char text[64];

static int setup(void **state)
{
	uint32_t int_id = build_int(&build, "int", 4, BTF_INT_SIGNED);
	uint32_t u64_id = build_int(&build, "unsigned long", 8, 0);
	uint32_t char_id = build_int(&build, "char", 1, BTF_INT_SIGNED);
	uint32_t string = build_ref(&build, BTF_KIND_PTR, "", char_id);
	uint32_t array = build_array(&build, char_id, 200);
	uint32_t thing_id, pointer;
	uint8_t *bytes;
	size_t size;

	(void)state;
	build_regs(&build, u64_id);
	thing_id = build_struct(&build, BTF_KIND_STRUCT, "thing", sizeof(struct thing),
				(struct build_part[]){ { "text", string, 0, 0 },
						       { "number", int_id, 64, 0 },
						       { "name", array, 128, 0 } },
				3);
	pointer = build_ref(&build, BTF_KIND_PTR, "", thing_id);
	func_id = build_func(
		&build, "probe", int_id,
		(struct build_part[]){ { "thing", pointer, 0, 0 }, { "count", int_id, 0, 0 } }, 2);
	void_id = build_func(&build, "silent", 0, &(struct build_part){ "count", int_id, 0, 0 }, 1);
	bytes = build_bytes(&build, &size);
	return btf_view_from(bytes, size, &btf);
}

/* ---- ways ---- */

static const struct way {
	const char *target;
	bool session;
} ways[] = {
	{ "6.18", false },	 { "6.18,untyped", false },	 { "6.18", true },
	{ "6.18,kprobe", true }, { "6.18,kprobe", false },	 { "6.18,kprobe,untyped", false },
	{ "6.18,arm64", false }, { "6.18,kprobe,arm64", false },
};

static void run_init(struct harness *r, const struct way *way)
{
	struct expr_target target = target_of(btf, way->target);

	harness_init(r, btf, func_id, &target);
	r->in.scope = EXPR_SCOPE_CALL;
	r->in.session = way->session;
	r->args[0] = THING_AT;
	memset(&thing, 0, sizeof(thing));
	thing.text = TEXT_AT;
	thing.number = 7;
	strcpy(text, "before");
	vm_region_add(&r->vm, THING_AT, &thing, sizeof(thing));
	vm_region_add(&r->vm, TEXT_AT, text, sizeof(text));
	r->vm.pid_tgid = 42ull << 32 | 43;
	r->vm.now = 1000;
}

static void run_compile(struct harness *r, const char *const *texts, size_t count)
{
	assert_true(harness_compile(r, texts, count));
}

static void context_fill(struct harness *r, bool at_return, uint64_t stack, int count,
			 uint64_t returned)
{
	r->stack = stack;
	r->args[1] = 0xdeadbeef00000000ull | (uint32_t)count;
	r->vm.returned = returned;
	harness_context(r, at_return);
}

/* Does the kernel look at the return at all? */
static bool enter(struct harness *r, uint64_t stack, int count)
{
	size_t size = r->vm.code.count;

	context_fill(r, false, stack, count, 0);
	if (r->in.session)
		r->vm.cookie = 0;
	if (size)
		assert_true(harness_run(r, &r->vm.code));
	return !size || !(r->in.session && r->in.target.method == EXPR_CTX_KPROBE) || !r->vm.reg[0];
}

static void leave(struct harness *r, uint64_t stack, int count, uint64_t returned)
{
	context_fill(r, true, stack, count, returned);
	r->vm.submitted = false;
	r->vm.record_size = 0;
	memset(r->vm.written, 0, sizeof(r->vm.written));
	assert_true(harness_run(r, r->in.session ? &r->vm.code : &r->vm.code_return));
}

static struct value value_of(struct harness *r, const char *name)
{
	const struct schema *schema = expr_schema(r->program);
	struct value v = {};

	assert_true(r->vm.submitted);
	assert_int_equal(r->vm.record_size, expr_record_size(r->program));
	for (size_t i = 0; i < schema->count; i++) {
		if (strcmp(schema->fields[i].name, name))
			continue;
		assert_int_equal(
			field_load(&schema->fields[i], r->vm.record, r->vm.record_size, &v), 0);
		return v;
	}
	fail_msg("no field %s", name);
	return v;
}

#define assert_value(r_, name_, want_) assert_int_equal((int64_t)value_of(r_, name_).u, want_)
#define assert_text(r_, name_, want_)                                                              \
	do {                                                                                       \
		struct value v_ = value_of(r_, name_);                                             \
		assert_int_equal(v_.len, strlen(want_));                                           \
		assert_memory_equal(v_.bytes, want_, v_.len);                                      \
	} while (0)

static unsigned kept_in_hash(struct harness *r)
{
	const struct vm_map *calls = vm_map_of(&r->vm, EXPR_MAP_CALLS);

	return calls ? calls->count : 0;
}

/* Bytes of the array of places; 0: the program keeps nothing there. */
static uint32_t places_size(struct harness *r)
{
	const struct vm_map *places = vm_map_of(&r->vm, EXPR_MAP_PLACES);

	return places ? places->asked->value_size : 0;
}

static uint32_t place_size(struct harness *r)
{
	const struct vm_map *calls = vm_map_of(&r->vm, EXPR_MAP_CALLS);
	uint32_t size = 32;

	while (calls && size < calls->asked->value_size)
		size *= 2;
	return size;
}

static uint64_t place_word(struct harness *r, uint32_t at)
{
	uint64_t word;

	memcpy(&word, vm_map_of(&r->vm, EXPR_MAP_PLACES)->values + at, sizeof(word));
	return word;
}

/* Of the places, the word of who wants them: taken, and from bit 32 on how many are in the hash. */
static uint64_t places_wanted(struct harness *r)
{
	uint64_t sum = 0;

	for (uint32_t at = 0; at < places_size(r); at += place_size(r))
		sum += place_word(r, at + 16);
	return sum;
}

/* Both tell the same: keys, and who is counted. */
static unsigned kept(struct harness *r)
{
	unsigned in_hash = kept_in_hash(r), count = 0;

	for (uint32_t at = 0; at < places_size(r); at += place_size(r))
		count += place_word(r, at + 24) != 0;
	if (places_size(r) > place_size(r)) /* one: there is no more than a blank */
		assert_int_equal(places_wanted(r), count + ((uint64_t)in_hash << 32));
	return count + in_hash;
}

/* ---- tests ---- */

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

/* What cannot be read at one side says so, and does not harm the other. */
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

/* ---- calls whose keys have the same place ---- */

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

/* What fexit knows by itself needs no entry. */
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
	r.in.func_id = void_id;
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
		cmocka_unit_test(test_all),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_bad_memory),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_crowded_never_returned),
		cmocka_unit_test(test_interleaved),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_never_returned),
		cmocka_unit_test(test_forgotten_by_filter),
		cmocka_unit_test(test_ring_full),
		cmocka_unit_test(test_nothing_kept),
		cmocka_unit_test(test_void),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
