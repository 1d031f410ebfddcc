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
	{ "$x = config().nothing;", "nothing", "there is no setting nothing" },
	{ "$x = 1; $x = \"a\";", "\"a\"", "$x is int8, and this is string[2]" },
	{ "$x = comm < \"b\";", "<", "< is not for string[16] and string[2]" },
	{ "$x = comm + \"b\";", "+", "+ is not for string[16] and string[2]" },
	{ "print(());", "()", "an empty tuple cannot be shown" },
	{ "$x = (uint8[3])(uint32)0;", "(uint8[3])(uint32)0",
	  "uint32 cannot become uint8[3]: they have 4 and 3 bytes" },
	{ "let $x: uint8 = 1; $x = 1000;", "1000", "$x is uint8, and this is int16" },
	{ "$x = 1; if pid { let $x = 2; }", "$x", "$x exists already" },
	{ "if pid { $x = 1; } else { $x = 2; } $y = $x;", "$x", "$x has no value here" },
	{ "$x = count();", "count()", "count() is what a map counts, and no value" },
	{ "print(count());", "count()", "count() is what a map counts, and no value" },
	{ "$x = printf(\"a\");", "printf(\"a\")", "$x needs a value, and this has none" },
	{ "print(@x);", "@x", "nothing ever assigns @x" },
	{ "$x = @x;", "@x", "nothing ever assigns @x" },
	{ "@x = 1; @x[1] = 1;", "1", "@x is one value elsewhere, and has a key here" },
	{ "@x[1] = 1; @x = 1;", "@x", "@x has keys elsewhere, and none here" },
	{ "@x[1] = 1; @x[\"a\"] = 1;", "\"a\"", "a key of @x is int8, and this is string[2]" },
	{ "@x[1, 2] = 1; @x[1] = 1;", "1", "a key of @x is (int8,int8), and this is int8" },
	{ "@x = 1; @x = \"a\";", "\"a\"", "@x has values of int8, and this is string[2]" },
	{ "@x = count(); @x = sum(1);", "sum(1)", "@x has values of count_t, and this is sum_t" },
	{ "@x = lhist(1, 0, 10, 1); @x = lhist(1, 0, 20, 1);", "lhist(1, 0, 20, 1)",
	  "@x has values of lhist_t, and this is lhist_t" },
	{ "@x = hist(1); $y = @x;", "@x", "a value of hist_t cannot be read" },
	{ "@x = lhist(1, 10, 0, 1);", "0", "the end, 0, is not above the begin, 10" },
	{ "@x = hist(1, 6);", "6", "hist() splits a power of two by 0 to 5 bits" },
	{ "@x = lhist(1, 0, 1e6, 1);", "lhist(1, 0, 1e6, 1)",
	  "lhist() has at most 1000 steps, and this is 1000000" },
	{ "@x = 1; for ($kv : @x) { }", "@x", "@x has no keys to go over: it is one value" },
	{ "@x[1] = hist(1); for ($kv : @x) { }", "@x", "a loop cannot go over a map of hist_t" },
	{ "break;", "break", "break is outside of any loop" },
	{ "unroll(0) { }", "(0)", "unroll repeats at least once" },
	{ "unroll(pid) { }", "(pid)", "unroll needs a number that is known in advance" },
	{ "if comm { }", "comm",
	  "a condition is a number, a pointer or a bool, and this is string[16]" },
	{ "$x = comm + 1;", "+", "+ is not for string[16] and int8" },
	{ "$x = comm == 1;", "==", "== is not for string[16] and int8" },
	{ "$x = comm < \"a\";", "<", "< is not for string[16] and string[2]" },
	{ "$x = (1, 2) == (1, \"a\");", "==", "== is not for (int8,int8) and (int8,string[2])" },
	{ "$x = 1 / 0;", "0", "a division by 0" },
	{ "$x = 0xffffffffffffffff + 1;", "0xffffffffffffffff + 1",
	  "the number that this gives needs more than 64 bits" },
	{ "$x = pid ? 1 : \"a\";", "pid ? 1 : \"a\"",
	  "one side of the choice is int8, the other one string[2]" },
	{ "$x = (struct nothing *)1;", "struct nothing *", "unknown type struct nothing" },
	{ "$x = ((struct thing *)1)->nubmer;", "nubmer", "struct thing has no member nubmer" },
	{ "$x = pid.a;", "pid", "uint32 has no members" },
	{ "$x = (1, 2).2;", "(1, 2).2", "(int8,int8) has no part 2" },
	{ "$x = pid[0];", "pid[0]", "[] is for arrays, pointers and tuples, and this is uint32" },
	{ "$a = (uint8[2])(uint16)1; $x = $a[2];", "2", "the last of 2 elements has the index 1" },
	{ "$x = *comm;", "*comm", "* is for pointers, and this is string[16]" },
	{ "$x = (uint8)comm;", "(uint8)comm", "string[16] cannot become uint8" },
	{ "$x = piid;", "piid", "piid means nothing here" },
	{ "$x = NOTHING;", "NOTHING", "NOTHING means nothing here" },
	{ "nosuch();", "nosuch", "unknown function nosuch()" },
	{ "str();", "str()", "str() needs at least 1 argument" },
	{ "$x = ksym(1, 2);", "ksym(1, 2)", "ksym() takes 1 argument, not 2" },
	{ "$x = nsecs(later);", "later", "this is one of boot, monotonic, tai, sw_tai" },
	{ "$x = str((1, 2));", "(1, 2)",
	  "str() needs a string or a pointer to one as its argument, and this is (int8,int8)" },
	{ "$x = buf(1);", "buf(1)", "buf() needs to know how many bytes" },
	{ "$x = kaddr(\"nothing\");", "\"nothing\"", "the kernel has no symbol nothing" },
	{ "$x = kaddr(comm);", "comm", "kaddr() needs a literal text as its argument" },
	{ "$x = pton(\"here\");", "\"here\"", "this is no address, as 127.0.0.1 or ::1" },
	{ "$x = strftime(\"%H\", nsecs(monotonic));", "nsecs(monotonic)",
	  "nsecs(monotonic) is no time of day" },
	{ "printf(\"%d\");", "\"%d\"", "printf: 0 values for 1 conversion" },
	{ "printf(\"%d\", 1, 2);", "2", "printf: 2 values for 1 conversion" },
	{ "printf(\"%d\", comm);", "comm", "%d does not show string[16]" },
	{ "printf(\"%r\", 1);", "1", "%r does not show int8" },
	{ "printf(\"%y\", 1);", "\"%y\"", "'%y' is no conversion" },
	{ "printf(comm);", "comm", "printf() needs a literal text as its argument" },
	{ "print(1, 2);", "2", "only a map has a number of entries to print" },
	{ "@x[1] = 1; delete(@x);", "@x", "which key of @x?" },
	{ "system(\"ls\");", "system(\"ls\")", "system() changes what it traces" },
	{ "signal(9);", "signal(9)", "signal() changes what it traces" },
	{ "$x = args.a;", "args", "begin has no args that are known by name" },
	{ "$x = arg0;", "arg0", "begin has no arguments by number" },
	{ "$x = retval;", "retval", "begin sees no return" },
	{ "$x = func;", "func", "begin is at no function" },
	{ "$x = reg(\"nothing\");", "\"nothing\"", "there is no register nothing" },
	{ "fail(\"got %d %s\", 5, \"a\");", "fail(\"got %d %s\", 5, \"a\")", "got 5 a" },
	{ "static_assert(1 == 2, \"wrong\");", "1 == 2", "wrong" },
	{ "$x = getopt(\"on\", 5);", "getopt(\"on\", 5)", "--on=: it takes a number" },
	{ "return comm;", "comm", "a probe returns an integer, and this is string[16]" },
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
