/* SPDX-License-Identifier: GPL-2.0-only */
/* test_syscall_filled.c - structs that a call fills in part, memory that they lead to, and what is captured of each
 * variant of a call. */
#include <linux/gpio.h>
#include <linux/keyctl.h>
#include <linux/ptrace.h>
#include <linux/rtc.h>
#include <linux/sched.h>
#include <mtd/ubi-user.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

#include "record_sample.h"

static struct record request_of(unsigned long request, int64_t ret, unsigned when,
				const void *bytes, size_t len)
{
	struct record r = record_of("ioctl", ret, (uint64_t[6]){ 3, request, 0x10 });

	chunk_add(&r, 2, when, 0, bytes, len);
	return r;
}

/* What the call fills in has braces of its own, and is not shown if it failed. */
static void test_filled(void **state)
{
	struct gpioline_info line = { .line_offset = 5, .flags = GPIOLINE_FLAG_IS_OUT };
	struct rtc_param param = { .param = RTC_PARAM_CORRECTION, .index = 2 };
	struct record r = request_of(GPIO_GET_LINEINFO_IOCTL, 0, TAKE_AT_ENTRY, &line,
				     sizeof(line));

	(void)state;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &line, sizeof(line));
	expect(&r, "ioctl(3, GPIO_GET_LINEINFO_IOCTL, {line_offset=5} => "
		   "{flags=GPIOLINE_FLAG_IS_OUT, name=\"\", consumer=\"\"}) = 0");
	r = request_of(GPIO_GET_LINEINFO_IOCTL, -22, TAKE_AT_ENTRY, &line, sizeof(line));
	expect(&r, "ioctl(3, GPIO_GET_LINEINFO_IOCTL, {line_offset=5}) = "
		   "-1 EINVAL (Invalid argument)");
	/* an error that the C library does not know, as strace(1) prints it */
	r = request_of(GPIO_GET_LINEINFO_IOCTL, -524, TAKE_AT_ENTRY, &line, sizeof(line));
	expect(&r, "ioctl(3, GPIO_GET_LINEINFO_IOCTL, {line_offset=5}) = "
		   "-1 ENOTSUPP (Unknown error 524)");
	r = request_of(RTC_PARAM_GET, -22, TAKE_AT_ENTRY, &param, sizeof(param));
	expect(&r, "ioctl(3, RTC_PARAM_GET, {param=RTC_PARAM_CORRECTION, index=2} => 0x10) = "
		   "-1 EINVAL (Invalid argument)");
	r = request_of(RTC_PARAM_GET, 0, TAKE_AT_ENTRY, &param, sizeof(param));
	param.svalue = -7;
	chunk_add(&r, 2, TAKE_AT_RETURN, 0, &param, sizeof(param));
	expect(&r, "ioctl(3, RTC_PARAM_GET, {param=RTC_PARAM_CORRECTION, index=2} => "
		   "{svalue=-7}) = 0");
}

/* A member by the value of another; what is shown if nothing else was; at most as many as there is room for. */
static void test_members(void **state)
{
	struct gpio_v2_line_config c = { .flags = GPIO_V2_LINE_FLAG_INPUT, .num_attrs = 2 };
	struct gpiohandle_request h = { .lines = 70, .lineoffsets = { 1 }, .flags = 1 };
	struct ubi_mkvol_req v = { .vol_type = UBI_DYNAMIC_VOLUME, .name_len = 2, .name = "abc" };
	struct record r;

	(void)state;
	c.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
	c.attrs[0].attr.debounce_period_us = 7;
	c.attrs[0].mask = 1;
	c.attrs[1].attr.id = 9;
	c.attrs[1].attr.values = 3;
	r = request_of(GPIO_V2_LINE_SET_CONFIG_IOCTL, 0, TAKE_AT_ENTRY, &c, sizeof(c));
	expect(&r, "ioctl(3, GPIO_V2_LINE_SET_CONFIG_IOCTL, {flags=GPIO_V2_LINE_FLAG_INPUT, "
		   "num_attrs=2, attrs=[{debounce_period_us=7, mask=0x1}, "
		   "{attr={id=9, data=0x3}, mask=0}]}) = 0");
	options.strings = 2;
	r = request_of(GPIO_GET_LINEHANDLE_IOCTL, -22, TAKE_AT_ENTRY, &h, sizeof(h));
	expect(&r, "ioctl(3, GPIO_GET_LINEHANDLE_IOCTL, {lines=70, lineoffsets=[1, 0, ...], "
		   "flags=GPIOHANDLE_REQUEST_INPUT, default_values=[0, 0, ...], "
		   "consumer_label=\"\"}) = -1 EINVAL (Invalid argument)");
	options.strings = 32;
	r = request_of(UBI_IOCMKVOL, 0, TAKE_AT_ENTRY, &v, sizeof(v));
	expect(&r, "ioctl(3, UBI_IOCMKVOL, {vol_id=0, alignment=0, bytes=0, "
		   "vol_type=UBI_DYNAMIC_VOLUME, flags=0, name_len=2, name=\"ab\"...}) = 0");
	v.name_len = -1;
	r = request_of(UBI_IOCMKVOL, 0, TAKE_AT_ENTRY, &v, sizeof(v));
	expect(&r, "ioctl(3, UBI_IOCMKVOL, {vol_id=0, alignment=0, bytes=0, "
		   "vol_type=UBI_DYNAMIC_VOLUME, flags=0, name_len=-1, name=\"\"...}) = 0");
}

#ifdef __x86_64__
/* As many bytes as a member of the struct says, which may be a part of the registers. */
static void test_registers(void **state)
{
	uint64_t regs[3] = { 0x15, 0x14, 0x13 };
	struct iovec v = { (void *)0x1000, 24 };
	struct record r = record_of("ptrace", 0, (uint64_t[6]){ PTRACE_GETREGSET, 9, 1, 0x10 });

	(void)state;
	chunk_add(&r, 3, TAKE_AT_ENTRY, 0, &v, sizeof(v));
	v.iov_len = 16;
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, &v, sizeof(v));
	chunk_add(&r, 3, TAKE_AT_RETURN, 1, regs, 16);
	expect(&r, "ptrace(PTRACE_GETREGSET, 9, NT_PRSTATUS, {iov_base={r15=0x15, r14=0x14}, "
		   "iov_len=24 => 16}) = 0");
	v.iov_len = 20;
	r = record_of("ptrace", -22, (uint64_t[6]){ PTRACE_SETREGSET, 9, 1, 0x10 });
	chunk_add(&r, 3, TAKE_AT_ENTRY, 0, &v, sizeof(v));
	chunk_add(&r, 3, TAKE_AT_ENTRY, 1, regs, 20);
	expect(&r, "ptrace(PTRACE_SETREGSET, 9, NT_PRSTATUS, {iov_base=0x1000, iov_len=20}) = "
		   "-1 EINVAL (Invalid argument)");
	/* a word of its memory, and a register, which has its place in struct user */
	r = record_of("ptrace", 0, (uint64_t[6]){ PTRACE_PEEKUSR, 9, 120, 0x10 });
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, &(uint64_t){ 0xe6 }, 8);
	expect(&r, "ptrace(PTRACE_PEEKUSER, 9, 8*ORIG_RAX, [0xe6]) = 0");
	r = record_of("ptrace", 0, (uint64_t[6]){ PTRACE_PEEKTEXT, 9, 0x400000, 0x10 });
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, &(uint64_t){ 0 }, 8);
	expect(&r, "ptrace(PTRACE_PEEKTEXT, 9, 0x400000, [NULL]) = 0");
	r = record_of("ptrace", -3, (uint64_t[6]){ PTRACE_POKEUSR, 9, 0, 7 });
	expect(&r, "ptrace(PTRACE_POKEUSER, 9, 8*R15, 0x7) = -1 ESRCH (No such process)");
	/* of a list only what is there */
	v.iov_len = 40;
	r = record_of("ptrace", 0, (uint64_t[6]){ PTRACE_GETREGSET, 9, 2, 0x10 });
	chunk_add(&r, 3, TAKE_AT_ENTRY, 0, &v, sizeof(v));
	chunk_add(&r, 3, TAKE_AT_RETURN, 0, &v, sizeof(v));
	chunk_add(&r, 3, TAKE_AT_RETURN, 1, (char[40]){ 0 }, 40);
	expect(&r,
	       "ptrace(PTRACE_GETREGSET, 9, NT_FPREGSET, {iov_base={cwd=0, swd=0, ftw=0, fop=0, "
	       "rip=0, rdp=0, mxcsr=0, mxcr_mask=0, st_space=[0, 0]}, iov_len=40}) = 0");
}
#endif

/* A buffer whose length is in the struct of another argument. */
static void test_other(void **state)
{
	struct keyctl_pkey_params p = { .key_id = 5, .in_len = 2, .in2_len = 1 };
	struct record r = record_of("keyctl", -22,
				    (uint64_t[6]){ KEYCTL_PKEY_VERIFY, 0x10, 0, 0x20, 0x30 });

	(void)state;
	chunk_add(&r, 1, TAKE_AT_ENTRY, 0, &p, sizeof(p));
	chunk_add(&r, 3, TAKE_AT_ENTRY, 0, "abcd", 4);
	chunk_add(&r, 4, TAKE_AT_ENTRY, 0, "efgh", 4);
	expect(&r, "keyctl(KEYCTL_PKEY_VERIFY, {key_id=5, in_len=2, in2_len=1}, NULL, \"ab\", "
		   "\"e\") = -1 EINVAL (Invalid argument)");
}

/* A descriptor in a struct has its path, and -X the number of a signal. */
static void test_inside(void **state)
{
	struct {
		struct syssnoop_file f;
		char path[12];
	} file = { { .status = EVENT_OK }, "null\0dev" };
	uint32_t info[32] = { 29, 2, 1, 0, 1, 0, 3 };
	struct record r = record_of("rt_sigqueueinfo", 0, (uint64_t[6]){ 9, 29, 0x10 });

	(void)state;
	chunk_add(&r, 2, TAKE_AT_ENTRY, 0, info, sizeof(info));
	chunk_add(&r, 2, TAKE_AT_ENTRY, 7, &file, sizeof(file.f) + sizeof("null\0dev"));
	options.fd_paths = true;
	expect(&r, "rt_sigqueueinfo(9, SIGIO, {si_signo=SIGIO, si_code=POLL_IN, "
		   "si_errno=ENOENT, si_band=1, si_fd=3</dev/null>}) = 0");
	options.fd_paths = false;
	options.style = SYSCALL_BOTH;
	expect(&r, "rt_sigqueueinfo(9, 29 /* SIGIO */, {si_signo=29 /* SIGIO */, si_code=0x1 "
		   "/* POLL_IN */, si_errno=2 /* ENOENT */, si_band=1, si_fd=3}) = 0");
	options.style = SYSCALL_NAMES;
}

/* The parts of a call that others interrupt: what the return adds to an argument is in the rest. */
static void test_parts(void **state)
{
	struct clone_args a = { .flags = CLONE_PARENT_SETTID, .parent_tid = 0x20 };
	struct record r = record_of("clone3", 0, (uint64_t[6]){ 0x10, sizeof(a) });

	(void)state;
	chunk_add(&r, 0, TAKE_AT_ENTRY, 0, &a, sizeof(a));
	options.part = SYSCALL_HEAD;
	expect(&r, "clone3({flags=CLONE_PARENT_SETTID, parent_tid=0x20, exit_signal=0, stack=NULL, "
		   "stack_size=0} <unfinished ...>");
	r.event.ret = 7;
	options.part = SYSCALL_REST;
	expect(&r, "<... clone3 resumed> => {parent_tid=[7]}, 88) = 7");
	options.part = SYSCALL_WHOLE;
	options.pid_names = true;
	strcpy(r.event.header.comm, "sh");
	expect(&r, "clone3({flags=CLONE_PARENT_SETTID, parent_tid=0x20, exit_signal=0, stack=NULL, "
		   "stack_size=0} => {parent_tid=[7]}, 88) = 7<sh>");
	/* of one that has ended: the name in its last record */
	r = record_of("getpid", 0x7ffffff0, NULL);
	r.event.header.tid = 0x7ffffff0;
	strcpy(r.event.header.comm, "gone\nby");
	expect(&r, "getpid() = 2147483632<gone\\nby>");
	r = record_of("getppid", 0x7ffffff0, NULL);
	expect(&r, "getppid() = 2147483632<gone\\nby>");
	r = record_of("getppid", 0x7fffffe0, NULL);
	expect(&r, "getppid() = 2147483616");
	options.pid_names = false;
}

/* ---- what is captured ---- */

static struct syssnoop_variant found;
static uint32_t wanted;

static void variant_find(void *ctx, uint32_t value, const struct syssnoop_variant *v)
{
	(void)ctx;
	if (value == wanted)
		found = *v;
}

static const struct syssnoop_variant *variant_of(const char *name, uint32_t value)
{
	memset(&found, 0, sizeof(found));
	wanted = value;
	syscall_capture_variants(SYSCALL_ABI_64,
				 (uint32_t)syscall_number(SYSCALL_ABI_64, name, strlen(name)),
				 &options, variant_find, NULL);
	return &found;
}

static uint32_t bytes_of(unsigned long request)
{
	const struct syscall_take *t = &variant_of("ioctl", (uint32_t)request)->values[2];

	return t->kind == TAKE_BYTES ? t->size * t->number : 0;
}

/* Each variant captures what it shows, and nothing else. */
static void test_variants(void **state)
{
	struct syscall_capture c;

	(void)state;
	syscall_capture_of(SYSCALL_ABI_64, (uint32_t)syscall_number(SYSCALL_ABI_64, "ioctl", 5),
			   &options, &c);
	assert_int_equal(c.values[2].kind, TAKE_VARIES);
	assert_int_equal(c.key, 1);
	assert_int_equal(bytes_of(TIOCGWINSZ), 8);
	assert_int_equal(bytes_of(FIONREAD), 4);
	assert_int_equal(bytes_of(GPIO_V2_GET_LINE_IOCTL), sizeof(struct gpio_v2_line_request));
	assert_int_equal(bytes_of(TIOCEXCL), 0);
	syscall_capture_of(SYSCALL_ABI_64, (uint32_t)syscall_number(SYSCALL_ABI_64, "read", 4),
			   &options, &c);
	assert_int_equal(c.values[1].kind, TAKE_BYTES);
	assert_int_equal(variant_of("ptrace", PTRACE_GETREGSET)->leads, 1 << 3);
	assert_int_equal(variant_of("ptrace", PTRACE_GETSIGINFO)->leads, 0);
	assert_int_equal(variant_of("prctl", 16)->values[1].kind, TAKE_STRING); /* PR_GET_NAME */
	assert_int_equal(variant_of("fsconfig", 3)->fds, 1 | 1 << 4); /* FSCONFIG_SET_PATH */
	assert_int_equal(variant_of("fsconfig", 3)->paths, 1 << 3);
	assert_int_equal(variant_of("fsconfig", 1)->fds | variant_of("fsconfig", 1)->paths, 1);
	assert_int_equal(variant_of("kcmp", 0)->fds, 0); /* of the process that it names */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_filled),	  cmocka_unit_test(test_members),
#ifdef __x86_64__
		cmocka_unit_test(test_registers),
#endif
		cmocka_unit_test(test_other),	  cmocka_unit_test(test_inside),
		cmocka_unit_test(test_parts),	  cmocka_unit_test(test_variants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
