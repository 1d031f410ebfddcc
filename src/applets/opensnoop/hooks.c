/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hooks.c - where opensnoop's programs are attached, and which of them.
 */
#include "applets/opensnoop/hooks.h"

#include <stddef.h>

bool opensnoop_all;

enum {
	HOOK_ENTER,
	HOOK_NAME,
	HOOK_LEAVE,
	HOOK_KERNEL,
	HOOK_IO_ENTER,
	HOOK_IO_DONE,
	HOOK_IO_LEAVE,
	HOOK_IO_REFUSED,
	HOOK_UNOPENED_ENTER,
	HOOK_UNOPENED,
	HOOK_UNOPENED32_ENTER,
	HOOK_UNOPENED32,
	HOOK_THREAD_END,
	HOOK_END
};

#define CALLS "__x64_sys_openat2 __arm64_sys_openat2 __riscv_sys_openat2 sys_openat2"
/* With --all only: attaching them takes as long as half of the others, for calls that are rare. */
#define UNOPENED(name_, functions_, ...)                                                           \
	{                                                                                          \
		.name = name_, .functions = functions_, .optional = true,                          \
		.only_if = &opensnoop_all,                                                         \
		.without = "openat2 that is refused because of its struct open_how", ##__VA_ARGS__ \
	}

/* Not const: see opensnoop_hooks_choose. The io_uring hooks are kprobes even with fentry
 * (opensnoop.bpf.c). */
/* clang-format off */
struct hook opensnoop_hooks[] = {
	[HOOK_ENTER] = { .name = "open, entry", .functions = "do_sys_openat2",
		BY(FENTRY) = "open_enter_fentry", BY(KPROBE) = "open_enter_kprobe",
		.unless_field = "filename.uptr", .unless_session = true },
	[HOOK_NAME] = { .name = "open, name", .functions = "do_file_open do_filp_open",
		BY(FENTRY) = "name_fentry", BY(KPROBE) = "name_kprobe" },
	[HOOK_LEAVE] = { .name = "open, return", .functions = "do_sys_openat2",
		BY(FENTRY) = "open_leave_fexit", BY(KPROBE) = "open_leave_kprobe",
		BY(KPROBE_SESSION) = "open_session", .is_return = true },
	[HOOK_KERNEL] = { .name = "exec's and the kernel's own, return",
		.functions = "do_file_open do_filp_open", BY(FENTRY) = "kernel_leave_fexit",
		BY(KPROBE) = "kernel_leave_kprobe", .is_return = true, .only_if = &opensnoop_all },
	[HOOK_IO_ENTER] = { .name = "io_uring, entry", .functions = "io_openat2",
		BY(KPROBE) = "io_enter_kprobe", .unless_session = true, .optional = true, .without = "opens by io_uring",
		.feature = "io_submit_sqes" },
	[HOOK_IO_DONE] = { .name = "io_uring, result before 5.19",
		.functions = "io_req_complete_post", BY(KPROBE) = "io_done_kprobe", .optional = true },
	[HOOK_IO_LEAVE] = { .name = "io_uring, return", .functions = "io_openat2",
		BY(KPROBE) = "io_leave_kprobe",
		BY(KPROBE_SESSION) = "io_session", .is_return = true, .optional = true,
		.without = "opens by io_uring", .feature = "io_submit_sqes" },
	[HOOK_IO_REFUSED] = { .name = "io_uring, refused", .functions = "io_uring_req_failed",
		BY(TRACEPOINT) = "io_refused_tp", .optional = true },
	[HOOK_UNOPENED_ENTER] = UNOPENED("openat2, arguments", CALLS, BY(KPROBE) = "refused_enter_kprobe",
		.unless_session = true),
	[HOOK_UNOPENED] = UNOPENED("openat2, refused", CALLS, BY(KPROBE) = "refused_leave_kprobe",
		BY(KPROBE_SESSION) = "refused_session", .is_return = true),
	[HOOK_UNOPENED32_ENTER] = UNOPENED("openat2 of 32-bit callers, arguments", "__ia32_sys_openat2",
		BY(KPROBE) = "refused_enter_kprobe", .unless_session = true, .feature = "compat_arch_ptrace"),
	[HOOK_UNOPENED32] = UNOPENED("openat2 of 32-bit callers, refused", "__ia32_sys_openat2",
		BY(KPROBE) = "refused_leave_kprobe", BY(KPROBE_SESSION) = "refused_session",
		.is_return = true, .feature = "compat_arch_ptrace"),
	/* Runs after a missed return: a kretprobe's pool may be exhausted. */
	[HOOK_THREAD_END] = { .name = "end of a thread", .functions = "do_exit",
		BY(KPROBE) = "thread_end_kprobe",
		.methods = 1u << ATTACH_KPROBE | 1u << ATTACH_KPROBE_MULTI, .if_missed = true },
	[HOOK_END] = { 0 },
};
/* clang-format on */

/* kprobe.multi runs the same programs as kprobe. */
static void hooks_multi(void)
{
	for (int i = 0; i < HOOK_END; i++)
		if (i != HOOK_IO_DONE)
			opensnoop_hooks[i].program[ATTACH_KPROBE_MULTI] =
				opensnoop_hooks[i].program[ATTACH_KPROBE];
}

/* Separate programs walk the directories and compare names, because they take longer to load. */
static void hooks_walk(void)
{
	opensnoop_hooks[HOOK_NAME].program[ATTACH_FENTRY] = "name_full_fentry";
	opensnoop_hooks[HOOK_NAME].program[ATTACH_KPROBE] = "name_full_kprobe";
	opensnoop_hooks[HOOK_LEAVE].program[ATTACH_FENTRY] = "open_leave_full_fexit";
	opensnoop_hooks[HOOK_LEAVE].program[ATTACH_KPROBE] = "open_leave_full_kprobe";
	opensnoop_hooks[HOOK_IO_ENTER].program[ATTACH_KPROBE] = "io_enter_full_kprobe";
	opensnoop_hooks[HOOK_IO_LEAVE].program[ATTACH_KPROBE] = "io_leave_full_kprobe";
	opensnoop_hooks[HOOK_IO_REFUSED].program[ATTACH_TRACEPOINT] = "io_refused_full_tp";
	opensnoop_hooks[HOOK_UNOPENED].program[ATTACH_KPROBE] = "refused_leave_full_kprobe";
	opensnoop_hooks[HOOK_UNOPENED32].program[ATTACH_KPROBE] = "refused_leave_full_kprobe";
	opensnoop_hooks[HOOK_UNOPENED].program[ATTACH_KPROBE_SESSION] = "refused_full_session";
	opensnoop_hooks[HOOK_UNOPENED32].program[ATTACH_KPROBE_SESSION] = "refused_full_session";
	opensnoop_hooks[HOOK_LEAVE].program[ATTACH_KPROBE_SESSION] = "open_full_session";
	opensnoop_hooks[HOOK_IO_LEAVE].program[ATTACH_KPROBE_SESSION] = "io_full_session";
}

void opensnoop_hooks_choose(bool entry, bool walk)
{
	if (entry)
		opensnoop_hooks[HOOK_ENTER].unless_field = NULL;
	if (walk)
		hooks_walk();
	hooks_multi();
}

/* On a kernel that preempts BPF programs, a refused fexit would leave a call in the map. A later
 * call could then be shown with that call's name. */
const enum attach_method_id opensnoop_order_preempted[] = { ATTACH_KPROBE_MULTI, ATTACH_KPROBE,
							    ATTACH_END };
