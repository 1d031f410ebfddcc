/* SPDX-License-Identifier: GPL-2.0-only */
/* test_syscall_limits.c - what decides how much of an argument is shown: lengths, sizes, versions. */
#include <stdint.h>
#include <string.h>

#define RECORD_ROOM 4096 /* a list of more futexes than a kernel takes */
#include "record_sample.h"

/* More than a kernel takes, or less; what the size, the version or the command of a call makes of another argument. */
static void test_limits(void **state)
{
	uint32_t groups[2] = { 0, 1 }, size[14] = { 1 }, caps[2] = { 0x19980330, 0 };
	uint32_t data[6] = { 2, 4, 0, 1, 1, 1 };
	struct record r = record_of("setgroups", -22, (uint64_t[6]){ 65537, 1 });

	(void)state;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, groups, sizeof(groups));
	expect(&r, "setgroups(65537, 0x1) = -1 EINVAL (Invalid argument)");
	r.event.args[0] = 2;
	expect(&r, "setgroups(2, [0, 1]) = -1 EINVAL (Invalid argument)");
	r = record_of("sched_setattr", -7, (uint64_t[6]){ 0, 1, 0 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, size, sizeof(size));
	size[0] = 56;
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, size, sizeof(size));
	expect(&r,
	       "sched_setattr(0, {size=1} => {size=56}, 0) = -1 E2BIG (Argument list too long)");
	/* of any size that is too small nothing else is shown */
	size[0] = 47;
	r = record_of("sched_setattr", -7, (uint64_t[6]){ 0, 1, 0 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, size, 47);
	size[0] = 56;
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, size, sizeof(size));
	expect(&r,
	       "sched_setattr(0, {size=47} => {size=56}, 0) = -1 E2BIG (Argument list too long)");
	r = record_of("wait4", 9, (uint64_t[6]){ 9, 1, 0, 0 });
	chunk_add(&r, 1, TAKE_AT_RETURN, 0, (uint32_t[1]){ 128 << 16 | 0x857f }, 4);
	expect(&r,
	       "wait4(9, [{WIFSTOPPED(s) && WSTOPSIG(s) == SIGTRAP | 0x80}|PTRACE_EVENT_STOP<<16], "
	       "0, NULL) = 9");
	/* the size that the kernel has written is not that which it was passed */
	r = record_of("perf_event_open", -7, (uint64_t[6]){ 0x10, 0, -1u, -1u });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, (uint32_t[4]){ 1, 0x87868584 }, 16);
	((struct syssnoop_chunk *)r.chunks)->unread = 1;
	chunk_add(&r, 0, TAKE_AT_RETURN, 0, (uint32_t[34]){ 1, 136 }, 136);
	expect(&r, "perf_event_open(0x10, 0, -1, -1, 0) = -1 E2BIG (Argument list too long)");
	r = record_of("reboot", -1, (uint64_t[6]){ 0xfee1dead, 7, 0xa1b2c3d4, 1 });
	chunk_add(&r, 3, TAKE_AT_ENTRY, 0, "now", 4);
	expect(&r, "reboot(LINUX_REBOOT_MAGIC1, 0x7 /* LINUX_REBOOT_MAGIC2??? */, "
		   "LINUX_REBOOT_CMD_RESTART2, \"now\") = -1 EPERM (Operation not permitted)");
	r = record_of("capset", 0, (uint64_t[6]){ 1, 2 });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, caps, sizeof(caps));
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, data, sizeof(data));
	expect(&r, "capset({version=_LINUX_CAPABILITY_VERSION_1, pid=0}, "
		   "{effective=1<<CAP_DAC_OVERRIDE, permitted=1<<CAP_DAC_READ_SEARCH, "
		   "inheritable=0}) = 0");
}

/* Lists with an element for each page, or for each 64 bits; what is behind them was captured, too. */
static void test_scaled(void **state)
{
	char pages[16] = { 1, 0, 1, 7, 7 };
	uint64_t nodes[4] = { 3, 0, 9, 9 };
	struct record r = record_of("mincore", 0, (uint64_t[6]){ 0x1000, 8193, 1 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, pages, sizeof(pages));
	expect(&r, "mincore(0x1000, 8193, [1, 0, 1]) = 0");
	r = record_of("set_mempolicy", 0, (uint64_t[6]){ 2, 1, 65 });
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, nodes, sizeof(nodes));
	expect(&r, "set_mempolicy(MPOL_BIND, [0x00000000000003], 65) = 0");
	r.event.args[2] = 66;
	expect(&r, "set_mempolicy(MPOL_BIND, [0x00000000000003, 0000000000000000], 66) = 0");
}

/* Of more futexes than a kernel takes, those that it would. */
static void test_cut(void **state)
{
	static uint64_t waiters[129][3];
	struct record r = record_of("futex_waitv", -22, (uint64_t[6]){ 1, 129, 0, 0, 1 });
	uint32_t strings = options.strings;
	struct buf o;

	(void)state;
	options.strings = 256;
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, waiters, sizeof(waiters));
	buf_init(&o, -1);
	syscall_write_text(&o, &r.event, &options);
	buf_char(&o, 0);
	assert_non_null(strstr(o.data, "}, ...], 129, 0, NULL, CLOCK_MONOTONIC) = -1 EINVAL"));
	buf_free(&o);
	r = record_of("futex_waitv", -22, (uint64_t[6]){ 1, 128, 0, 0, 1 });
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, waiters, sizeof(waiters) - sizeof(waiters[0]));
	buf_init(&o, -1);
	syscall_write_text(&o, &r.event, &options);
	buf_char(&o, 0);
	assert_null(strstr(o.data, "..."));
	buf_free(&o);
	options.strings = strings;
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_limits),
					    cmocka_unit_test(test_scaled),
					    cmocka_unit_test(test_cut) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
