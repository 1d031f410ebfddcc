/* SPDX-License-Identifier: GPL-2.0-only */
/* test_attach_error.c - the parts of "why not" that need no kernel: likeness of names, lockdown, rights. */
#include "kernel/privileges.h"
#include "symbols/kernel/functions.h"
#include "unit.h"

static void rank_of_names(void **state)
{
	(void)state;
	assert_int_equal(function_rank("__vfs_read", "vfs_read"), 0);
	assert_int_equal(function_rank("vfs_read", "vfs_read"), 0);
	assert_int_equal(function_rank("do_sys_open", "do_sys_openat2"), 3);
	assert_int_equal(function_rank("sys_openat", "__x64_sys_openat"), 4);
	assert_int_equal(function_rank("vfs_readd", "vfs_read"), 2);
	/* too little of it is left */
	assert_int_equal(function_rank("tcp_sendmsg_locked", "tcp_send"), ~0u);
	assert_int_equal(function_rank("vfs_read", "tcp_recvmsg"), ~0u);
	/* nothing to compare must not match everything */
	assert_int_equal(function_rank("__", "vfs_read"), ~0u);
	assert_int_equal(function_rank("", "vfs_read"), ~0u);
	assert_int_equal(function_rank("vfs_read", "__"), ~0u);
}

static void lockdown_modes(void **state)
{
	(void)state;
	assert_int_equal(privileges_lockdown_parse("[none] integrity confidentiality\n"),
			 PRIVILEGES_LOCKDOWN_NONE);
	assert_int_equal(privileges_lockdown_parse("none [integrity] confidentiality\n"),
			 PRIVILEGES_LOCKDOWN_INTEGRITY);
	assert_int_equal(privileges_lockdown_parse("none integrity [confidentiality]\n"),
			 PRIVILEGES_LOCKDOWN_CONFIDENTIALITY);
	assert_int_equal(privileges_lockdown_parse(""), PRIVILEGES_LOCKDOWN_UNKNOWN);
	assert_int_equal(privileges_lockdown_parse("none\n"), PRIVILEGES_LOCKDOWN_UNKNOWN);
}

static void privileges_that_suffice(void **state)
{
	(void)state;
	assert_true(privileges_trace(&(struct privileges){ .admin = true }));
	assert_true(privileges_trace(&(struct privileges){ .bpf = true, .perfmon = true }));
	assert_false(privileges_trace(&(struct privileges){ .bpf = true }));
	assert_false(
		privileges_trace(&(struct privileges){ .admin = true, .user_namespace = true }));
	assert_string_equal(privileges_missing(&(struct privileges){ .bpf = true }), "CAP_PERFMON");
	assert_string_equal(privileges_missing(&(struct privileges){ .perfmon = true }), "CAP_BPF");
	assert_string_equal(privileges_missing(&(struct privileges){ 0 }),
			    "CAP_BPF and CAP_PERFMON");
	assert_string_equal(privileges_missing(&(struct privileges){ .admin = true }), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rank_of_names),
		cmocka_unit_test(lockdown_modes),
		cmocka_unit_test(privileges_that_suffice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
