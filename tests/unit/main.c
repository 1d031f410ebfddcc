/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * main.c - all unit tests in one program: each test_NAME.c has a main, which the build calls test_NAME_main.
 *
 *	unit		the names of all
 *	unit NAME [ARG…]	runs one; each has a process of its own, as the product keeps state
 */
#include <stdio.h>
#include <string.h>

typedef int (*test_main)();

/* Made by the Makefile, a line each: TEST(test_glob) */
#define TEST(name) extern int name##_main();
#include "unit_tests.def"
#undef TEST

static const struct {
	const char *name;
	test_main run;
} tests[] = {
#define TEST(name) { #name, name##_main },
#include "unit_tests.def"
#undef TEST
};

int main(int argc, char **argv)
{
	for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
		if (argc < 2)
			puts(tests[i].name);
		else if (!strcmp(tests[i].name, argv[1]))
			return tests[i].run(argc - 1, argv + 1);
	if (argc < 2)
		return 0;
	fprintf(stderr, "unit: no test '%s'; without an argument it lists them\n", argv[1]);
	return 2;
}
