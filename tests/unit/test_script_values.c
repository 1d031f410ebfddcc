/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_values.c - random programs in bpftrace's language whose values are known (tests/lib/script_values.h),
 * compiled for every target and run on the simulated machine. VALUES=COUNT and SEED=NUMBER in the environment make other
 * programs, and more.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "run.h"
#include "script/script.h"
#include "../lib/script_values.h"

static struct script_values values;

static bool program_run(struct script *s, const struct script_world *w,
			const struct script_point *point, struct harness *h,
			struct script_error *error)
{
	if (script_infer(s, w, point, 1, error) || script_compile(s, w, point, &h->program, error))
		return false;
	h->vm.random = 0x123456789abcdef;
	assert_true(vm_take(&h->vm, h->program));
	assert_true(harness_run(h, &h->vm.code));
	for (unsigned i = 0; i < h->vm.sent_count; i++)
		script_values_see(&values, s, h->vm.sent[i].bytes, h->vm.sent[i].size);
	return true;
}

static void fail_program(const char *target, const char *trouble)
{
	fprintf(stderr, "%s\n", values.text.data); /* longer than what cmocka prints */
	print_error("%s, on %s\n", trouble, target);
	fail();
}

static void program_check(const char *words)
{
	static struct harness h;
	struct script_error error = { 0 };
	struct script *s = NULL;
	struct script_world w = { .cpus = 4 };
	struct expr_input in = { .btf = things_btf,
				 .target = target_of(things_btf, words),
				 .point.count = 1 };
	struct script_name name = { "begin", "" };
	struct script_names names = { &name, 1 };
	struct script_point point = { .in = &in, .names = &names };
	const char *trouble = NULL;

	in.target.method = EXPR_CTX_NONE;
	w.has_for_each = w.has_loop = w.has_lookup_per_cpu = in.target.func_arg;
	things_init(&h, words);
	if (script_parse(values.text.data, NULL, &s, &error))
		trouble = error.message;
	if (!trouble) {
		point.probe = s->probes;
		point.attach = s->probes->attaches;
		if (!program_run(s, &w, &point, &h, &error))
			trouble = error.message;
	}
	trouble = trouble ? trouble : script_values_trouble(&values);
	if (trouble)
		fail_program(words, trouble);
	harness_free(&h);
	script_free(s);
}

static unsigned long setting(const char *name, unsigned long otherwise)
{
	const char *text = getenv(name);

	return text ? strtoul(text, NULL, 0) : otherwise;
}

/* Each day has others. */
static void test_values(void **state)
{
	static const char *const targets[] = { "5.10,fentry", "6.12,fentry", "6.12,kprobe,arm64" };
	unsigned long count = setting("VALUES", 300);
	unsigned long seed = setting("SEED", (unsigned long)time(NULL) / 86400);

	(void)state;
	for (unsigned long i = 0; i < count; i++) {
		struct chance c = chance_of(seed, i);

		script_values_make(&c, &values);
		for (size_t t = 0; t < COUNT(targets); t++) {
			values.seen = 0;
			program_check(targets[t]);
		}
		script_values_free(&values);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_values) };

	return cmocka_run_group_tests(tests, setup, NULL);
}
