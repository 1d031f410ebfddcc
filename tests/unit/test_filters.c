/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_filters.c - whose events a program records, the header of its records, and what becomes of one: on
 * every kernel.
 */
#include <stddef.h>
#include <string.h>

#include "run.h"
#include "util/glob.h"

static bool run_passes(struct harness *given, const struct event_filter *filter)
{
	struct harness r = *given;
	bool submitted;

	r.in.run.filter = *filter;
	r.in.run.want_ts = true;
	r.vm.now = 12345;
	r.vm.in_cgroup = true;
	r.vm.followed = 42;
	memcpy(task + 16, "worker\0was long", 16);
	run_one(&r, "count");
	submitted = r.vm.submitted;
	if (submitted) {
		const struct event_header *h = (const void *)r.vm.record;

		assert_int_equal(h->ts, 12345);
		assert_int_equal(h->pid, 42);
		assert_int_equal(h->tid, 43);
		assert_string_equal(h->comm, "worker");
		for (size_t i = 0; i < r.vm.record_size; i++)
			assert_true(r.vm.written[i]);
	}
	harness_free(&r);
	return submitted;
}

static bool passes(int kernel, const struct event_filter *filter)
{
	struct harness r;

	things_init(&r, target_kernels[kernel]);
	return run_passes(&r, filter);
}

static void test_filters(void **state)
{
	(void)state;
	for (int kernel = 0; kernel < TARGET_KERNELS; kernel++) {
		assert_true(passes(kernel, &(struct event_filter){ .self = 41 }));
		assert_false(passes(kernel, &(struct event_filter){ .self = 42 }));
		assert_true(passes(kernel,
				   &(struct event_filter){ .self = 41, .pids = { 1, { 42 } } }));
		assert_false(passes(kernel,
				    &(struct event_filter){ .self = 41, .pids = { 1, { 43 } } }));
		assert_false(passes(kernel,
				    &(struct event_filter){ .self = 42, .pids = { 1, { 42 } } }));
		assert_true(passes(kernel, &(struct event_filter){ .tids = { 1, { 43 } } }));
		assert_false(passes(kernel, &(struct event_filter){ .tids = { 1, { 42 } } }));
		assert_true(passes(kernel, &(struct event_filter){ .uids = { 1, { 1000 } } }));
		assert_false(passes(kernel, &(struct event_filter){ .uids = { 1, { 0 } } }));
		assert_true(
			passes(kernel, &(struct event_filter){ .by_comm = 1, .comm = "worker" }));
		assert_false(
			passes(kernel, &(struct event_filter){ .by_comm = 1, .comm = "work" }));
		assert_false(
			passes(kernel, &(struct event_filter){ .by_comm = 1, .comm = "worker2" }));
		assert_false(passes(kernel,
				    &(struct event_filter){ .by_comm = 1, .comm = "worker.was" }));
		assert_true(passes(kernel, &(struct event_filter){ .follow = 1, .by_cgroup = 1 }));
	}
}

/* 42 is coretap: what is its own while the preempt count is that? */
static const struct {
	uint32_t count;
	bool want;
} interrupts[] = {
	{ 0, false },	     { 0xff, false },	 { 0x200, false },  { 0x100, true },
	{ 0x10000, true },   { 0x10100, true },	 { 0x10201, true }, { 0x110000, false },
	{ 0x100000, false }, { 0x110100, true },
};

static void test_interrupts(void **state)
{
	(void)state;
	for (int kernel = 0; kernel < TARGET_KERNELS; kernel++) {
		struct event_filter f = { .self = 42, .interrupts = 1 };

		for (size_t i = 0; i < COUNT(interrupts); i++) {
			preempt_count = interrupts[i].count;
			f.tids = (struct event_ids){ 0 };
			assert_int_equal(passes(kernel, &f), interrupts[i].want);
			f.tids = (struct event_ids){ 1, { 43 } };
			assert_int_equal(passes(kernel, &f), interrupts[i].want);
			f.tids.ids[0] = 41;
			assert_false(passes(kernel, &f));
		}
		f = (struct event_filter){ .self = 41, .interrupts = 1 };
		assert_true(passes(kernel, &f));
	}
	preempt_count = 0;
}

/* Before BTF had variables: in the task, or at a distance from the run queue of its processor. */
static void test_interrupts_without_variable(void **state)
{
	enum { DISTANCE = -0x30 };
	const uint64_t QUEUE_AT = 0xffff888033330000, RQ_AT = 0xffff888033340000;
	const struct event_filter filters[] = {
		{ .self = 42, .interrupts = 1 },
		{ .self = 42, .interrupts = 1, .tids = { 1, { 43 } } }
	};
	uint64_t queue[2] = { 0, RQ_AT };
	struct harness r;
	uint32_t count;

	(void)state;
	for (size_t i = 0; i < 8 * COUNT(interrupts); i++) {
		bool in_task = i & 1, forbidden = i & 4;

		count = interrupts[i / 8].count;
		things_init(&r, forbidden ? "5.10,lockdown" : "5.10");
		r.in.target.preempt.var = 0;
		r.in.target.preempt.from_queue = DISTANCE;
		r.in.target.task_struct_id = in_task ? count_task_id : queue_task_id;
		memcpy(task + (in_task ? 60 : 56), in_task ? (void *)&count : (void *)&QUEUE_AT,
		       in_task ? 4 : 8);
		vm_region_add(&r.vm, QUEUE_AT, queue, sizeof(queue));
		vm_region_add(&r.vm, RQ_AT + DISTANCE, &count, sizeof(count));
		assert_int_equal(run_passes(&r, &filters[i >> 1 & 1]),
				 interrupts[i / 8].want && !forbidden);
	}
	/* a kernel that shows no symbols */
	things_init(&r, "5.10");
	r.in.target.preempt.var = 0;
	r.in.target.task_struct_id = queue_task_id;
	assert_false(run_passes(&r, &filters[0]));
}

static bool names_variable(struct harness *r)
{
	size_t count;
	const struct bpf_insn *insns = expr_insns(r->program, &count);

	for (size_t i = 0; i < count; i++)
		if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    insns[i].src_reg == BPF_PSEUDO_BTF_ID)
			return true;
	return false;
}

/* Where a program that names a variable loads slowly, the count is read at the distance, too. */
static void test_interrupts_slow_variable(void **state)
{
	(void)state;
	for (int slow = 0; slow < 2; slow++) {
		struct harness r;

		things_init(&r, "6.12");
		assert_true(r.in.target.preempt.var);
		r.in.target.types_unsorted = slow;
		r.in.target.preempt.from_queue = 8;
		r.in.target.task_struct_id = queue_task_id;
		r.in.run.filter = (struct event_filter){ .self = 41, .interrupts = 1 };
		run_one(&r, "count");
		assert_true(r.vm.submitted);
		assert_int_equal(names_variable(&r), !slow);
		harness_free(&r);
	}
}

static void test_lists(void **state)
{
	static const struct event_ids with[3] = { { 3, { 7, 42, 9 } },
						  { 2, { 43, 7 } },
						  { 2, { 0, 1000 } } };
	static const struct event_ids without = { 3, { 7, 41, 44 } };

	(void)state;
	for (int kernel = 0; kernel < TARGET_KERNELS; kernel++) {
		struct event_filter all = {
			.pids = with[0], .tids = with[1], .uids = with[2], .self = 9
		};

		assert_true(passes(kernel, &all));
		assert_false(passes(kernel, &(struct event_filter){ .pids = without }));
		assert_false(passes(kernel, &(struct event_filter){ .tids = without }));
		assert_false(passes(kernel, &(struct event_filter){ .uids = without }));
		all.self = 42;
		assert_false(passes(kernel, &all));
	}
}

/* Several names, or patterns, are one table. */
static void test_names(void **state)
{
	static const struct {
		const char *patterns[2];
		bool want;
	} cases[] = {
		{ { "worker", "cat" }, true },	 { { "cat", "w*" }, true },
		{ { "*", "x" }, true },		 { { "work", "worker2" }, false },
		{ { "worker?*", "*k" }, false },
	};
	static glob_table table;

	(void)state;
	for (int i = 0; i < TARGET_KERNELS * (int)COUNT(cases); i++) {
		const char *target = target_kernels[i % TARGET_KERNELS];
		const char *const *p = cases[i / TARGET_KERNELS].patterns;
		struct glob_pattern patterns[] = { { p[0], strlen(p[0]) }, { p[1], strlen(p[1]) } };
		struct harness r;

		things_init(&r, target);
		assert_int_equal(glob_compile_any(patterns, 2, table), 0);
		r.vm.names = table;
		r.in.run.filter.by_names = 1;
		memcpy(task + 16, "worker\0was long", 16);
		run_one(&r, "count");
		assert_int_equal(r.vm.submitted, cases[i / TARGET_KERNELS].want);
		harness_free(&r);
	}
}

/* A pid namespace's numbers: of the process by way of its signal_struct. */
struct made_pid {
	uint32_t count, level;
	struct event_upid numbers[3];
};

static void test_numbers(void **state)
{
	const uint64_t SIGNAL_AT = 0xffff888033330000, PIDS_AT = 0xffff888033340000,
		       OURS = 0xffff888033350000;
	static struct made_pid pids[2];
	static uint64_t signal[2];

	(void)state;
	for (int i = 0; i < TARGET_KERNELS * 4; i++) {
		const char *target = target_kernels[i / 4];
		bool nested = i & 1, asked = i & 2;
		struct harness r;

		things_init(&r, target);
		for (int p = 0; p < 2; p++)
			pids[p] = (struct made_pid){
				1,
				1 + nested,
				{ { 42 + p, 0, 1 }, { 7 + p, 0, OURS }, { 1 + p, 0, 3 } }
			};
		signal[1] = PIDS_AT;
		memcpy(task + 40, (uint64_t[]){ SIGNAL_AT, PIDS_AT + sizeof(pids[0]) }, 16);
		vm_region_add(&r.vm, SIGNAL_AT, signal, sizeof(signal));
		vm_region_add(&r.vm, PIDS_AT, pids, sizeof(pids));
		r.in.run.filter.numbers = (struct event_numbers){
			OURS,
			1,
			.signal = 40,
			.thread_pid = 48,
			.tgid = 8,
			.pid_level = offsetof(struct made_pid, level),
			.upid = offsetof(struct made_pid, numbers[1]),
		};
		/* another namespace as deep as ours: outside */
		if (i == 3)
			pids[0].numbers[1].ns = 5;
		if (asked)
			run_texts(&r, (const char *const[]){ "$pid * 100 + $tid", "count" }, 2);
		else
			run_one(&r, "count");
		assert_true(r.vm.submitted);
		assert_int_equal(((const struct event_header *)r.vm.record)->pid, i == 3 ? 0 : 7);
		assert_int_equal(((const struct event_header *)r.vm.record)->tid, 8);
		if (asked)
			assert_int_equal(value_of(&r, 0).u, i == 3 ? 8 : 708);
		harness_free(&r);
	}
}

static void test_long_comm(void **state)
{
	(void)state;
	for (int kernel = 0; kernel < TARGET_KERNELS; kernel++) {
		const char *target = target_kernels[kernel];

		for (int same = 0; same < 2; same++) {
			struct harness r;

			things_init(&r, target);
			r.in.run.filter = (struct event_filter){ .by_comm = 1,
								 .comm = "systemd-journa" };
			strcpy((char *)task + 16, same ? "systemd-journa" : "systemd-journb");
			run_one(&r, "count");
			assert_int_equal(r.vm.submitted, same);
			harness_free(&r);
		}
	}
}

static void test_refusals(void **state)
{
	const char *target = target_kernels[2];
	struct harness r;

	(void)state;
	for (int i = 0; i < 3; i++) {
		things_init(&r, target);
		r.in.run.filter.follow = i == 0;
		r.in.run.filter.by_cgroup = i == 1;
		r.vm.ring_full = i == 2;
		run_one(&r, "count");
		assert_false(r.vm.submitted);
		assert_int_equal(vm_loss(&r.vm, LOSS_RING_FULL), i == 2);
		harness_free(&r);
	}
}

/* The kernel decides, unless much is queued. */
static void test_wakeup(void **state)
{
	const char *target = target_kernels[2];
	struct harness r;

	(void)state;
	for (int i = 0; i < 2; i++) {
		things_init(&r, target);
		r.vm.queued = EVENT_WAKEUP_BYTES - !i;
		run_one(&r, "count");
		assert_int_equal(r.vm.submit_flags, i ? BPF_RB_FORCE_WAKEUP : 0);
		harness_free(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_interrupts),
		cmocka_unit_test(test_interrupts_without_variable),
		cmocka_unit_test(test_interrupts_slow_variable),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_long_comm),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_wakeup),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
