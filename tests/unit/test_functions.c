/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_functions.c - the catalogue of functions: what types and symbols say of one, which are found,
 * and why one cannot be traced.
 */
#include <stdio.h>
#include <unistd.h>

#include "unit.h"
#include "attach/method_can.h"
#include "btf_build.h"
#include "kernel/arch.h"
#include "symbols/kernel/ksyms.h"

static const char symbols[] = "ffffffff81000000 T plain\n"
			      "ffffffff81000100 t twice\n"
			      "ffffffff81000200 t twice\n"
			      "ffffffff81000300 t changed.isra.0\n"
			      "ffffffff81000400 t plain.cold\n"
			      "ffffffff81000500 T untyped\n"
			      "ffffffff81000600 T __SCT__untyped\n"
			      "ffffffff82000000 D _sdata\n"
			      "ffffffff82000100 T variable\n"
			      "ffffffff82001000 D _edata\n"
			      "ffffffff83000000 T _sinittext\n"
			      "ffffffff83000100 t starts\n"
			      "ffffffff83001000 T _einittext\n"
			      "ffffffffc0000100 t inside\t[mod]\n"
			      "ffffffffc0000200 t plain\t[bpf]\n";

static struct btf_build build;
static struct btf_view *kernel;
static uint8_t *bytes;

static void func(const char *name, unsigned params, uint32_t type)
{
	struct build_part parts[16];

	for (unsigned i = 0; i < params; i++)
		parts[i] = (struct build_part){ "p", type, 0, 0 };
	build_func(&build, name, 1, parts, params);
}

static int setup(void **state)
{
	char path[] = "/tmp/test_functions.XXXXXX";
	int fd = mkstemp(path);
	uint32_t number, pair;
	size_t size;

	(void)state;
	assert_int_equal(write(fd, symbols, sizeof(symbols) - 1), sizeof(symbols) - 1);
	close(fd);
	assert_int_equal(ksyms_read(path), 0);
	unlink(path);
	number = build_int(&build, "int", 4, BTF_INT_SIGNED);
	pair = build_struct(&build, BTF_KIND_STRUCT, "pair", 16,
			    (struct build_part[]){ { "a", number, 0, 0 } }, 1);
	func("plain", 2, number);
	func("twice", 2, number);
	func("changed", 2, number);
	func("inlined", 2, number);
	func("starts", 2, number);
	func("thirteen", 13, number);
	func("seven", 7, number);
	func("by_value", 1, pair);
	func("variadic", 1, 0);
	bytes = build_bytes(&build, &size);
	return btf_view_from(bytes, size, &kernel);
}

static int teardown(void **state)
{
	(void)state;
	btf_view_close(kernel);
	free(bytes);
	return 0;
}

static void find(struct functions *l, const char *name, bool is_pattern)
{
	static struct function_pattern pattern;
	const struct function_patterns patterns = { .list = &pattern, .count = 1 };

	pattern = (struct function_pattern){ .name = name, .is_pattern = is_pattern };
	assert_int_equal(
		functions_find(l, &patterns, kernel, NULL, FUNCTIONS_SYMBOLS | FUNCTIONS_ADDRESSES),
		0);
	assert_int_equal(l->symbols_err, 0);
}

/* What the kernel said of names spares its list, unless it did not tell of one. */
static void answers_decide(void **state)
{
	struct function_pattern names[] = {
		{ .name = "plain", .answer = FUNCTION_TRACEABLE },
		{ .name = "twice", .answer = FUNCTION_ABSENT },
	};
	const struct function_patterns patterns = { .list = names, .count = 2 };
	struct functions l;

	(void)state;
	assert_int_equal(functions_find(&l, &patterns, kernel, NULL,
					FUNCTIONS_FTRACE | FUNCTIONS_BODIES | FUNCTIONS_ASKED),
			 0);
	assert_false(l.known & FUNCTIONS_FTRACE);
	assert_int_equal(l.ftrace_err, 0);
	assert_int_equal(l.count, 2);
	assert_true(functions_get(&l, "plain")->ftrace);
	assert_false(functions_get(&l, "twice")->ftrace);
	functions_drop_untraceable(&l);
	assert_int_equal(l.count, 1);
	functions_free(&l);

	names[1].answer = FUNCTION_UNKNOWN;
	assert_int_equal(functions_find(&l, &patterns, kernel, NULL, FUNCTIONS_FTRACE), 0);
	assert_true(l.known & FUNCTIONS_FTRACE);
	functions_free(&l);

	/* a module's, or one that types do not describe */
	names[1] = (struct function_pattern){ .name = "untyped", .answer = FUNCTION_TRACEABLE };
	assert_int_equal(functions_find(&l, &patterns, kernel, NULL, FUNCTIONS_FTRACE), 0);
	assert_true(l.known & FUNCTIONS_FTRACE);
	functions_free(&l);
}

static void types_and_symbols(void **state)
{
	static const char *const want[] = { "_einittext",     "_sinittext", "by_value", "changed",
					    "changed.isra.0", "inlined",    "inside",	"plain",
					    "seven",	      "starts",	    "thirteen", "twice",
					    "untyped",	      "variadic" };
	struct functions l;

	(void)state;
	find(&l, "*", true);
	assert_int_equal(l.count, COUNT(want));
	for (size_t i = 0; i < l.count; i++)
		assert_string_equal(l.list[i].name, want[i]);
	assert_int_equal(functions_get(&l, "plain")->address, 0xffffffff81000000);
	assert_int_equal(functions_get(&l, "plain")->bodies, 1);
	assert_int_equal(functions_get(&l, "twice")->bodies, 2);
	assert_string_equal(functions_get(&l, "changed")->suffixed, "changed.isra.0");
	assert_null(functions_get(&l, "untyped")->btf);
	assert_string_equal(functions_get(&l, "inside")->module, "mod");
	assert_true(functions_get(&l, "starts")->at_boot);
	assert_null(functions_get(&l, "variable"));
	functions_free(&l);
	find(&l, "t*", true);
	assert_int_equal(l.count, 2);
	functions_free(&l);
	find(&l, "untyped", false);
	assert_int_equal(l.count, 1);
	functions_free(&l);
}

static void check_why(const char *name, enum function_fault fault, const char *text)
{
	char why[FUNCTION_WHY] = "";
	struct functions l;

	find(&l, name, false);
	l.known |= FUNCTIONS_FTRACE; /* which lists none of them */
	assert_int_equal(function_why_not(&l, functions_get(&l, name), why), fault);
	assert_non_null(strstr(why, text));
	functions_free(&l);
}

static void reasons(void **state)
{
	struct function traceable = { .name = "f", .bodies = 1, .ftrace = true };
	struct functions l = { .known = FUNCTIONS_FTRACE | FUNCTIONS_SYMBOLS };
	char why[FUNCTION_WHY];

	(void)state;
	check_why("changed", FUNCTION_CHANGED, "only changed.isra.0 is left");
	check_why("inlined", FUNCTION_INLINED, "inlined");
	check_why("starts", FUNCTION_AT_BOOT, "runs at boot and is gone");
	check_why("plain", FUNCTION_NOTRACE, "notrace");
	assert_int_equal(function_why_not(&l, &traceable, why), FUNCTION_FINE);
	/* a list that cannot be read is no reason */
	traceable.ftrace = false;
	l.ftrace_err = -1;
	assert_int_equal(function_why_not(&l, &traceable, why), FUNCTION_FINE);
}

static void check_fentry(const struct attach_kernel *k, const char *name, const char *text)
{
	char why[FUNCTION_WHY];
	struct functions l;

	find(&l, name, false);
	assert_int_equal(attach_can(ATTACH_FENTRY, k, functions_get(&l, name), why), !text);
	if (text)
		assert_non_null(strstr(why, text));
	functions_free(&l);
}

static void methods(void **state)
{
	const struct attach_kernel none = { 0 }, all = { true, true, true };
	const struct function plain = { .name = "f" }, black = { .name = "f", .blacklisted = true };
	char why[FUNCTION_WHY];

	(void)state;
	check_fentry(&none, "plain", NULL);
	check_fentry(&all, "untyped", "not in BTF");
	check_fentry(&all, "thirteen", "more than 12");
	check_fentry(&all, "seven", NULL);
	check_fentry(&none, "seven",
		     arches[ARCH_NATIVE].argument_count < 7 ? "parameters on the stack" : NULL);
	check_fentry(&all, "by_value", NULL);
	check_fentry(&none, "by_value", "struct by value");
	check_fentry(&all, "variadic", "variadic");
	assert_true(attach_can(ATTACH_KPROBE, &none, &plain, why));
	assert_false(attach_can(ATTACH_KPROBE, &all, &black, why));
	assert_non_null(strstr(why, "blacklist"));
	assert_true(attach_can(ATTACH_KPROBE_MULTI, &all, &plain, why));
	/* nothing is wrong with the function */
	assert_false(attach_can(ATTACH_KPROBE_MULTI, &none, &plain, why));
	assert_string_equal(why, "");
	assert_false(attach_can(ATTACH_UPROBE, &all, &plain, why));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(types_and_symbols),
		cmocka_unit_test(answers_decide),
		cmocka_unit_test(reasons),
		cmocka_unit_test(methods),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
