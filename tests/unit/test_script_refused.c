/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_script_refused.c - programs in bpftrace's language that are refused: the message, and the place it points to.
 */
#include "script_program.h"

/* Of BEGIN. `at` is the text that the error points to. */
static const struct {
	const char *stmts, *at, *message;
} refused[] = {
	{ "print($x);", "$x", "$x has no value here" },
	{ "if pid { let $x = 1; } print($x);", "$x", "$x has no value here" },
	{ "for ($i : 0..5) { } print($i);", "$i", "$i has no value here" },
	{ "$x = config().nothing;", "nothing", "unknown setting nothing" },
	{ "$x = 1; $x = \"a\";", "\"a\"", "$x is int8, but this is string[2]" },
	{ "$x = comm < \"b\";", "<", "< cannot be used with string[16] and string[2]" },
	{ "$x = comm + \"b\";", "+", "+ cannot be used with string[16] and string[2]" },
	{ "print(());", "()", "an empty tuple cannot be printed" },
	{ "$x = (uint8[3])(uint32)0;", "(uint8[3])(uint32)0",
	  "uint32 cannot be converted to uint8[3]: they have 4 and 3 bytes" },
	{ "let $x: uint8 = 1; $x = 1000;", "1000", "$x is uint8, but this is int16" },
	{ "$x = 1; if pid { let $x = 2; }", "$x", "$x exists already" },
	{ "if pid { $x = 1; } else { $x = 2; } $y = $x;", "$x", "$x has no value here" },
	{ "$x = count();", "count()", "count() can only be assigned to a map" },
	{ "print(count());", "count()", "count() can only be assigned to a map" },
	{ "$x = printf(\"a\");", "printf(\"a\")", "$x needs a value, but this has none" },
	{ "print(@x);", "@x", "@x is never assigned" },
	{ "$x = @x;", "@x", "@x is never assigned" },
	{ "@x = 1; @x[1] = 1;", "1", "@x is used without a key elsewhere, but has a key here" },
	{ "@x[1] = 1; @x = 1;", "@x", "@x has keys elsewhere, but none here" },
	{ "@x[1] = 1; @x[\"a\"] = 1;", "\"a\"", "the keys of @x are int8, but this is string[2]" },
	{ "@x[1, 2] = 1; @x[1] = 1;", "1", "the keys of @x are (int8,int8), but this is int8" },
	{ "@x = 1; @x = \"a\";", "\"a\"", "the values of @x are int8, but this is string[2]" },
	{ "@x = count(); @x = sum(1);", "sum(1)",
	  "the values of @x are count_t, but this is sum_t" },
	{ "@x = lhist(1, 0, 10, 1); @x = lhist(1, 0, 20, 1);", "lhist(1, 0, 20, 1)",
	  "the values of @x are lhist_t, but this is lhist_t" },
	{ "@x = hist(1); $y = @x;", "@x", "a value of hist_t cannot be read" },
	{ "@x = lhist(1, 10, 0, 1);", "0", "the maximum, 0, must be above the minimum, 10" },
	{ "@x = hist(1, 6);", "6", "the bits of hist() must be 0 to 5" },
	{ "@x = lhist(1, 0, 1e6, 1);", "lhist(1, 0, 1e6, 1)",
	  "lhist() allows at most 1000 steps, but this is 1000000" },
	{ "@x = 1; for ($kv : @x) { }", "@x", "@x has no keys to iterate: it is one value" },
	{ "@x[1] = hist(1); for ($kv : @x) { }", "@x", "a loop cannot iterate a map of hist_t" },
	{ "break;", "break", "break is outside of a loop" },
	{ "unroll(0) { }", "(0)", "unroll needs at least one round" },
	{ "unroll(pid) { }", "(pid)", "unroll needs a constant number" },
	{ "if (1, 2) { }", "(1, 2)",
	  "a condition must be a number, a pointer or a bool, but this is (int8,int8)" },
	{ "$x = comm + 1;", "+", "+ cannot be used with string[16] and int8" },
	{ "$x = comm == 1;", "==", "== cannot be used with string[16] and int8" },
	{ "$x = comm < \"a\";", "<", "< cannot be used with string[16] and string[2]" },
	{ "$x = (1, 2) == (1, \"a\");",
	  "==", "== cannot be used with (int8,int8) and (int8,string[2])" },
	{ "$x = 1 / 0;", "0", "a division by 0" },
	{ "$x = 0xffffffffffffffff + 1;", "0xffffffffffffffff + 1",
	  "the result needs more than 64 bits" },
	{ "$x = pid ? 1 : \"a\";", "pid ? 1 : \"a\"",
	  "one side of the choice is int8, the other is string[2]" },
	{ "$x = (struct nothing *)1;", "struct nothing *", "unknown type struct nothing" },
	{ "$x = ((struct thing *)1)->nubmer;", "nubmer", "struct thing has no member nubmer" },
	{ "$x = pid.a;", "pid", "uint32 has no members" },
	{ "$x = (1, 2).2;", "(1, 2).2", "(int8,int8) has no part 2" },
	{ "$x = pid[0];", "pid[0]", "[] is for arrays, pointers and tuples, but this is uint32" },
	{ "$a = (uint8[2])(uint16)1; $x = $a[2];", "2",
	  "the array has 2 elements: the last index is 1" },
	{ "$x = *comm;", "*comm", "* is for pointers, but this is string[16]" },
	{ "$x = (uint8)comm;", "(uint8)comm", "string[16] cannot be converted to uint8" },
	{ "$x = piid;", "piid", "unknown word piid" },
	{ "$x = NOTHING;", "NOTHING", "unknown word NOTHING" },
	{ "nosuch();", "nosuch", "unknown function nosuch()" },
	{ "str();", "str()", "str() needs at least 1 argument" },
	{ "$x = ksym(1, 2);", "ksym(1, 2)", "ksym() takes 1 argument, not 2" },
	{ "$x = nsecs(later);", "later", "expected one of boot, monotonic, tai, sw_tai" },
	{ "$x = str((1, 2));", "(1, 2)",
	  "str() needs a string or a pointer to one as its argument, but this is (int8,int8)" },
	{ "$x = buf(1);", "buf(1)", "buf() needs a length" },
	{ "$x = kaddr(\"nothing\");", "\"nothing\"", "the kernel has no symbol nothing" },
	{ "$x = kaddr(comm);", "comm", "kaddr() needs a literal text as its argument" },
	{ "$x = pton(\"here\");", "\"here\"", "this is not an address like 127.0.0.1 or ::1" },
	{ "$x = strftime(\"%H\", nsecs(monotonic));", "nsecs(monotonic)",
	  "nsecs(monotonic) is not a time of day" },
	{ "printf(\"%d\");", "\"%d\"", "printf: 0 values for 1 conversion" },
	{ "printf(\"%d\", 1, 2);", "2", "printf: 2 values for 1 conversion" },
	{ "printf(\"%d\", comm);", "comm", "%d cannot print string[16]" },
	{ "printf(\"%r\", 1);", "1", "%r cannot print int8" },
	{ "printf(\"%y\", 1);", "\"%y\"", "'%y' is not a conversion" },
	{ "printf(comm);", "comm", "printf() needs a literal text as its argument" },
	{ "print(1, 2);", "2", "only a map has a number of entries to print" },
	{ "@x[1] = 1; delete(@x);", "@x", "missing key of @x" },
	{ "system(\"ls\");", "system(\"ls\")", "system() changes the traced system" },
	{ "signal(9);", "signal(9)", "signal() changes the traced system" },
	{ "$x = args.a;", "args", "the arguments of begin have no known names" },
	{ "$x = arg0;", "arg0", "begin has no arguments by number" },
	{ "$x = retval;", "retval", "begin does not run at a return" },
	{ "$x = func;", "func", "begin does not run at a function" },
	{ "$x = reg(\"nothing\");", "\"nothing\"", "unknown register nothing" },
	{ "fail(\"got %d %s\", 5, \"a\");", "fail(\"got %d %s\", 5, \"a\")", "got 5 a" },
	{ "static_assert(1 == 2, \"wrong\");", "1 == 2", "wrong" },
	{ "$x = getopt(\"on\", 5);", "getopt(\"on\", 5)", "--on=: expected a number" },
	{ "return comm;", "comm", "a probe returns an integer, but this is string[16]" },
};

static void check_refused(const char *stmts, const char *at, const char *message)
{
	char text[1024], got[256];
	struct program p;
	struct span span;
	int err;

	snprintf(text, sizeof(text), "BEGIN { %s }", stmts);
	err = program_open(&p, text);
	span = p.error.span;
	if (err != -EINVAL || strcmp(p.error.message, message))
		print_error("%s\n", stmts);
	assert_int_equal(err, -EINVAL);
	assert_string_equal(p.error.message, message);
	snprintf(got, sizeof(got), "%.*s", (int)(span.end - span.start), text + span.start);
	if (strcmp(got, at))
		print_error("%s\n", stmts);
	assert_string_equal(got, at);
	script_free(p.s);
}

static void test_refused(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(refused); i++)
		check_refused(refused[i].stmts, refused[i].at, refused[i].message);
}
int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
