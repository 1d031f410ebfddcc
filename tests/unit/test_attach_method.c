/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_attach_method.c - the table of attach methods: what --attach names, and what of a target a program
 * is loaded by.
 */
#include "attach/method.h"

#include <errno.h>

#include "unit.h"

/* An option's value is the index of its argument. */
static void choices_are_methods(void **state)
{
	(void)state;
	assert_string_equal(attach_method_choices[ATTACH_ANY], "any");
	for (int i = 1; attach_method_choices[i]; i++)
		assert_string_equal(attach_method_choices[i], attach_method_name(i, false));
	for (int i = 1; i < ATTACH_END; i++)
		assert_non_null(attach_methods[i].link);
}

static void prog_type_is(enum attach_method_id method, const struct attach_target *t, int prog,
			 int attach, uint32_t id)
{
	struct prog_type type;

	assert_int_equal(attach_prog_type(method, t, &type), 0);
	assert_int_equal(type.prog, prog);
	assert_int_equal(type.attach, attach);
	assert_int_equal(type.btf_id, id);
}

static void types_by_side(void **state)
{
	const struct attach_target entry = { .btf_id = 7, .type = 99 };
	const struct attach_target at_return = { .btf_id = 7, .type = 99, .is_return = true };

	(void)state;
	prog_type_is(ATTACH_FENTRY, &entry, BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, 7);
	prog_type_is(ATTACH_FENTRY, &at_return, BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, 7);
	prog_type_is(ATTACH_KPROBE_MULTI, &at_return, BPF_PROG_TYPE_KPROBE, 42, 0);
	/* no attach type, whatever else the target is good for */
	prog_type_is(ATTACH_KPROBE, &at_return, BPF_PROG_TYPE_KPROBE, 0, 0);
	/* only the kernel's types tell the number; alone at the return a session is an fexit */
	prog_type_is(ATTACH_FSESSION, &entry, BPF_PROG_TYPE_TRACING, 99, 7);
	prog_type_is(ATTACH_FSESSION, &at_return, BPF_PROG_TYPE_TRACING, BPF_TRACE_FEXIT, 7);
	prog_type_is(ATTACH_FENTRY_MULTI, &entry, BPF_PROG_TYPE_TRACING, 99, 0);
}

static void targets_that_lack_something(void **state)
{
	const struct attach_target no_id = { .function = "f", .type = 99 },
				   no_type = { .btf_id = 7 };
	const struct attach_target unknown = { .btf_id = 7, .type = -1 };
	struct prog_type type;

	(void)state;
	assert_int_equal(attach_prog_type(ATTACH_FENTRY, &no_id, &type), -EOPNOTSUPP);
	assert_int_equal(attach_prog_type(ATTACH_TRACEPOINT, &no_id, &type), -EOPNOTSUPP);
	assert_int_equal(attach_prog_type(ATTACH_KPROBE_SESSION, &no_type, &type), -EOPNOTSUPP);
	assert_int_equal(attach_prog_type(ATTACH_FENTRY_MULTI, &unknown, &type), -EOPNOTSUPP);
	assert_int_equal(attach_link(ATTACH_ANY, &no_id, -1), -EINVAL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(choices_are_methods),
		cmocka_unit_test(types_by_side),
		cmocka_unit_test(targets_that_lack_something),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
