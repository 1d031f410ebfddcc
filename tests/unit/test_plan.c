/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_plan.c - what a plan decides where kernels differ in what they hand to a tracepoint.
 */
#include "unit.h"

#include <errno.h>

#include "attach/plan.h"
#include "btf_build.h"

/* Two forms of one tracepoint, of which a kernel has one; a hook that stands by itself. */
/* clang-format off */
static const struct hook hooks[] = {
	{ .name = "issue", .functions = "issue", BY(TRACEPOINT) = "one", .params = 1, .or_next = true },
	{ .name = "issue", .functions = "issue", BY(TRACEPOINT) = "two", .params = 2, .or_next = true },
	{ .name = "issue", .functions = "issue", BY(FENTRY) = "other_fentry" },
	{ .name = "done", .functions = "done", BY(FENTRY) = "done_fentry", BY(KPROBE_MULTI) = "done_multi" },
	{ .name = "done", .functions = "done", BY(KPROBE) = "return_kprobe", BY(KPROBE_MULTI) = "return_kprobe",
	  BY(KPROBE_SESSION) = "session", .is_return = true },
	{ .name = "done, entry", .functions = "done", BY(KPROBE) = "entry_kprobe", .unless_session = true },
	{ 0 },
};
/* clang-format on */

enum { ONE, TWO, OTHER, DONE, SESSION, BESIDE };

static const struct build_part attach_types[] = {
	{ .name = "BPF_TRACE_KPROBE_MULTI", .offset = 42 },
	{ .name = "BPF_TRACE_KPROBE_SESSION", .offset = 56 }
};

/* `params` of the tracepoint's callback, whose first is its own; 0: no such tracepoint. `types`: how many
 * of attach_types. */
static struct btf_view *kernel_make(struct btf_build *b, unsigned params, bool has_function,
				    unsigned types, bool has_fprobes, uint8_t **bytes)
{
	const struct build_part parts[] = { { "data", 0 }, { "a", 1 }, { "b", 1 }, { "c", 1 } };
	struct btf_view *view;
	uint32_t proto;
	size_t size;

	build_int(b, "int", 4, BTF_INT_SIGNED);
	build_func(b, "done", 1, parts + 1, 1);
	if (has_function)
		build_func(b, "issue", 1, parts + 1, 1);
	if (params) {
		proto = build_type(b, BTF_KIND_FUNC_PROTO, "", params, 0, 0);
		for (unsigned i = 0; i < params; i++) {
			build_word(b, build_string(b, parts[i].name));
			build_word(b, parts[i].type);
		}
		build_ref(b, BTF_KIND_TYPEDEF, "btf_trace_issue",
			  build_ref(b, BTF_KIND_PTR, "", proto));
	}
	build_enum(b, "bpf_attach_type", attach_types, types);
	if (has_fprobes)
		build_func(b, "register_fprobe_ips", 1, parts + 1, 1);
	*bytes = build_bytes(b, &size);
	assert_int_equal(btf_view_from(*bytes, size, &view), 0);
	return view;
}

/* Which of the three forms is taken. */
static void check_plan(unsigned params, bool has_function, int taken, int error)
{
	static struct btf_build b;
	uint8_t *bytes;
	struct btf_view *view;
	struct attach_plan p = { 0 };

	b = (struct btf_build){ 0 };
	view = kernel_make(&b, params, has_function, 1, true, &bytes);
	assert_int_equal(attach_plan_build(&p, hooks, view, ATTACH_ANY), error);
	for (int i = ONE; i <= OTHER; i++) {
		assert_int_equal(p.hooks[i].method != ATTACH_ANY, i == taken);
		assert_int_equal(p.hooks[i].needed, i == taken || (error && i == OTHER));
	}
	assert_int_equal(p.hooks[DONE].method, ATTACH_FENTRY);
	attach_plan_free(&p);
	btf_view_close(view);
	free(bytes);
}

/* What leads to the hook may be a part that this kernel lacks: then nothing is missed. */
static void test_feature(void **state)
{
	static const struct hook with_feature[] = {
		{ .name = "done", .functions = "done", BY(FENTRY) = "done_fentry" },
		{ .name = "gone",
		  .functions = "gone",
		  BY(FENTRY) = "gone_fentry",
		  .optional = true,
		  .without = "what has gone",
		  .feature = "issue" },
		{ 0 },
	};

	(void)state;
	for (int has_feature = 0; has_feature <= 1; has_feature++) {
		struct btf_build b = { 0 };
		uint8_t *bytes;
		struct btf_view *view = kernel_make(&b, 0, has_feature, 1, true, &bytes);
		struct attach_plan p = { 0 };

		assert_int_equal(attach_plan_build(&p, with_feature, view, ATTACH_ANY), 0);
		assert_int_equal(p.hooks[1].method, ATTACH_ANY);
		assert_int_equal(p.hooks[1].needed, has_feature);
		attach_plan_free(&p);
		btf_view_close(view);
		free(bytes);
	}
}

static void test_forms(void **state)
{
	(void)state;
	check_plan(2, false, ONE, 0);
	check_plan(3, false, TWO, 0);
	check_plan(2, true, ONE, 0);
	check_plan(4, true, OTHER, 0);
	check_plan(0, true, OTHER, 0);
	check_plan(4, false, -1, -ENOENT);
}

/* Entry and return by one program, where the others are attached by kprobe.multi and the kernel has
 * sessions, and only there; another hook is then not needed. */
static void test_session(void **state)
{
	static const struct {
		enum attach_method_id asked;
		unsigned types;
		bool has_fprobes;
		enum attach_method_id done, session, beside;
	} cases[] = {
		{ ATTACH_KPROBE_MULTI, 2, true, ATTACH_KPROBE_MULTI, ATTACH_KPROBE_SESSION,
		  ATTACH_ANY },
		{ ATTACH_KPROBE_MULTI, 2, false, ATTACH_KPROBE_MULTI, ATTACH_KPROBE_MULTI,
		  ATTACH_KPROBE },
		{ ATTACH_KPROBE_MULTI, 1, true, ATTACH_KPROBE_MULTI, ATTACH_KPROBE_MULTI,
		  ATTACH_KPROBE },
		{ ATTACH_KPROBE, 2, true, ATTACH_ANY, ATTACH_KPROBE, ATTACH_KPROBE },
		{ ATTACH_ANY, 2, true, ATTACH_FENTRY, ATTACH_KPROBE, ATTACH_KPROBE },
	};
	struct attach_plan p = { 0 };
	static struct btf_build b;
	struct btf_view *view;
	uint8_t *bytes;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		b = (struct btf_build){ 0 };
		view = kernel_make(&b, 2, false, cases[i].types, cases[i].has_fprobes, &bytes);
		attach_plan_build(&p, hooks, view, cases[i].asked);
		assert_int_equal(p.hooks[DONE].method, cases[i].done);
		assert_int_equal(p.hooks[SESSION].method, cases[i].session);
		assert_int_equal(p.hooks[BESIDE].method, cases[i].beside);
		attach_plan_free(&p);
		btf_view_close(view);
		free(bytes);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_forms),
					    cmocka_unit_test(test_feature),
					    cmocka_unit_test(test_session) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
