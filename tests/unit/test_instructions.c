/* SPDX-License-Identifier: GPL-2.0-only */
/* test_instructions.c - lengths of instructions, as objdump has them. */
#include <unistd.h>

#include "symbols/user/instructions.h"
#include "unit.h"

/* Of a line "  401000:	f3 0f 1e fa \tendbr64": the bytes and the words; 0: it is no such line. */
static size_t line_read(char *line, uint8_t *bytes, const char **words)
{
	char *at = strchr(line, '\t'), *end = at ? strchr(at + 1, '\t') : NULL;
	size_t count = 0;
	unsigned byte;
	int used;

	if (!end || line[0] != ' ')
		return 0;
	*end = '\0';
	*words = end + 1;
	for (at++; count < 15 && sscanf(at, "%2x %n", &byte, &used) == 1; at += used)
		bytes[count++] = byte;
	return count;
}

/* The bytes behind the instruction are whatever follows: here a byte of no use. */
static void of_a_library(const char *command, size_t least)
{
	FILE *f = popen(command, "r");
	const char *words;
	char line[512];
	size_t seen = 0;

	assert_non_null(f);
	while (fgets(line, sizeof(line), f)) {
		uint8_t bytes[32];
		size_t count = line_read(line, bytes, &words), length;

		if (!count || strstr(words, "(bad)") || strstr(words, "data16"))
			continue;
		memset(bytes + count, 0x06, sizeof(bytes) - count);
		length = instruction_length(bytes, sizeof(bytes));
		if (length != count)
			fail_msg("%zu bytes, not %zu: %s %s", length, count, line, words);
		seen++;
	}
	pclose(f);
	if (seen < least)
		fail_msg("%s: only %zu instructions", command, seen);
}

static void lengths(void **state)
{
	const char *emulator = getenv("EMULATOR");
	char command[300], own[200] = "";

	(void)state;
	if ((emulator && *emulator) ||
	    system("objdump --version >/dev/null 2>&1 && test \"$(uname -m)\" = x86_64")) {
		puts("# no objdump, or another processor than x86-64");
		skip();
	}
	of_a_library("objdump -d --insn-width=15 /bin/bash", 100000);
	of_a_library(
		"objdump -d --insn-width=15 $(ldd /bin/bash | sed -n 's/.*=> \\(.*libc[.].*\\) .*/\\1/p')",
		100000);
	assert_true(readlink("/proc/self/exe", own, sizeof(own) - 1) > 0);
	snprintf(command, sizeof(command), "objdump -d --insn-width=15 %s", own);
	of_a_library(command, 100000);
}

static void what_ends_too_early(void **state)
{
	const uint8_t call[] = { 0xe8, 1, 2, 3, 4 }, invalid[] = { 0x06, 0, 0, 0, 0 };

	(void)state;
	for (size_t size = 0; size < sizeof(call); size++)
		assert_int_equal(instruction_length(call, size), 0);
	assert_int_equal(instruction_length(call, sizeof(call)), sizeof(call));
	assert_int_equal(instruction_length(invalid, sizeof(invalid)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lengths),
		cmocka_unit_test(what_ends_too_early),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
