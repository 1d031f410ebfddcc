/* SPDX-License-Identifier: GPL-2.0 */
/* test_why.c - the parts of "why not" that need no kernel: likeness of names, lockdown, rights. */
#include "core/kfunc.h"
#include "core/rights.h"
#include "unit.h"

static void rank_of_names(void **state)
{
	(void)state;
	assert_int_equal(kfunc_rank("__vfs_read", "vfs_read"), 0);
	assert_int_equal(kfunc_rank("vfs_read", "vfs_read"), 0);
	assert_int_equal(kfunc_rank("do_sys_open", "do_sys_openat2"), 3);
	assert_int_equal(kfunc_rank("sys_openat", "__x64_sys_openat"), 4);
	assert_int_equal(kfunc_rank("vfs_readd", "vfs_read"), 2);
	/* too little of it is left */
	assert_int_equal(kfunc_rank("tcp_sendmsg_locked", "tcp_send"), ~0u);
	assert_int_equal(kfunc_rank("vfs_read", "tcp_recvmsg"), ~0u);
	/* nothing to compare must not match everything */
	assert_int_equal(kfunc_rank("__", "vfs_read"), ~0u);
	assert_int_equal(kfunc_rank("", "vfs_read"), ~0u);
	assert_int_equal(kfunc_rank("vfs_read", "__"), ~0u);
}

static void lockdown_modes(void **state)
{
	(void)state;
	assert_int_equal(rights_lockdown_parse("[none] integrity confidentiality\n"),
			 RIGHTS_LOCKDOWN_NONE);
	assert_int_equal(rights_lockdown_parse("none [integrity] confidentiality\n"),
			 RIGHTS_LOCKDOWN_INTEGRITY);
	assert_int_equal(rights_lockdown_parse("none integrity [confidentiality]\n"),
			 RIGHTS_LOCKDOWN_CONFIDENTIALITY);
	assert_int_equal(rights_lockdown_parse(""), RIGHTS_LOCKDOWN_UNKNOWN);
	assert_int_equal(rights_lockdown_parse("none\n"), RIGHTS_LOCKDOWN_UNKNOWN);
}

static void rights_that_suffice(void **state)
{
	(void)state;
	assert_true(rights_trace(&(struct rights){ .admin = true }));
	assert_true(rights_trace(&(struct rights){ .bpf = true, .perfmon = true }));
	assert_false(rights_trace(&(struct rights){ .bpf = true }));
	assert_false(rights_trace(&(struct rights){ .admin = true, .user_namespace = true }));
	assert_string_equal(rights_missing(&(struct rights){ .bpf = true }), "CAP_PERFMON");
	assert_string_equal(rights_missing(&(struct rights){ .perfmon = true }), "CAP_BPF");
	assert_string_equal(rights_missing(&(struct rights){ 0 }), "CAP_BPF and CAP_PERFMON");
	assert_string_equal(rights_missing(&(struct rights){ .admin = true }), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rank_of_names),
		cmocka_unit_test(lockdown_modes),
		cmocka_unit_test(rights_that_suffice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
