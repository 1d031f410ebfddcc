/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_verifier_reason.c - the line of a verifier's log that says why: logs as kernels print them.
 */
#include "attach/prog.h"

#include <errno.h>

#include "unit.h"

static const struct {
	const char *log, *reason;
} logs[] = {
	{ "", "" },
	/* 6.1, without symbols of variables */
	{ "0: R1=ctx(off=0,imm=0) R10=fp0\n"
	  "0: (18) r1 = 0x3039\n"
	  "ldimm64 failed to find the address for kernel symbol 'runqueues'.\n"
	  "processed 0 insns (limit 1000000) max_states_per_insn 0 total_states 0 peak_states 0 mark_read 0\n",
	  "ldimm64 failed to find the address for kernel symbol 'runqueues'." },
	/* instructions and statistics alone are no reason */
	{ "0: (b7) r0 = 0\nprocessed 1 insns (limit 1000000)\n", "" },
	/* libbpf's marks, a source line, what 5.10 prints of registers */
	{ "; return 0;\nfrom 12 to 14: R0=inv0\nR0 invalid mem access 'inv'\n"
	  "processed 12 insns (limit 1000000)\n-- END PROG LOAD LOG --\n",
	  "R0 invalid mem access 'inv'" },
	{ "R0=inv0 R10=fp0\nR1 type=inv expected=fp\n", "R1 type=inv expected=fp" },
	/* 7.3 explains at length what it has said */
	{ "R2 invalid zero-sized read\nVerification failed: the size may be 0\nmore\n",
	  "R2 invalid zero-sized read" },
	/* an endless loop is followed by the states that are alike */
	{ "160: (05) goto pc-5\ninfinite loop detected at insn 156\n"
	  "cur state: R7=map_value(map=work,ks=4,vs=96) R10=fp0\n"
	  "old state: R7=map_value(map=work,ks=4,vs=96) R10=fp0\n"
	  "processed 131 insns (limit 1000000)\n",
	  "infinite loop detected at insn 156" },
	{ "no end of line", "no end of line" },
};

static void test_reasons(void **state)
{
	char line[200];

	(void)state;
	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		verifier_reason(logs[i].log, line, sizeof(line));
		assert_string_equal(line, logs[i].reason);
	}
}

static void test_kept(void **state)
{
	(void)state;
	assert_null(verifier_reason_last());
	assert_null(verifier_remedy(-EINVAL));
	assert_non_null(verifier_remedy(-E2BIG));
	verifier_reason_store("R0 !read_ok\n");
	verifier_reason_store("0: (95) exit\nprocessed 1 insns\n");
	assert_string_equal(verifier_reason_last(), "R0 !read_ok");
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_reasons),
					    cmocka_unit_test(test_kept) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
