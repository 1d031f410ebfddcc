/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * caller.bpf.h - --caller: the registers of user space and a copy of the top of its stack, in which user space finds
 * the caller of open.
 *
 * However the task entered the kernel, its registers are at the end of its kernel stack; on x86-64, kernels built for
 * FRED leave 16 bytes after them.
 */
#ifndef CORETAP_OPENSNOOP_CALLER_BPF_H
#define CORETAP_OPENSNOOP_CALLER_BPF_H

#include "lib/record.bpf.h"
#include "opensnoop.h"

#define CALLER_THREAD_SIZE (16 << 10) /* bytes of a kernel stack, the same on all processors */
#define CALLER_PAGE	   4096

const volatile bool want_caller = false;

/* Only its size in the kernel is used; not all headers of user space define one. */
struct pt_regs___any {
} __attribute__((preserve_access_index));

static __always_inline bool regs_capture(struct opensnoop_caller *c, __u64 at)
{
	if (bpf_probe_read_kernel(c->regs, sizeof(c->regs), (void *)at))
		return false;
#ifdef __TARGET_ARCH_x86
	return (c->regs[OPENSNOOP_MODE] & 3) == 3; /* the code segment is that of user space */
#else
	return c->regs[OPENSNOOP_SP] != 0;
#endif
}

/* Captures registers and stack. A kernel thread has none: then all bytes are 0. */
static __noinline int caller_capture(struct opensnoop_caller *c)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 end = (__u64)BPF_CORE_READ(task, stack) + CALLER_THREAD_SIZE;
	__u64 at = end - bpf_core_type_size(struct pt_regs___any), sp, left;

	c->size = c->pad = 0;
	if (!regs_capture(c, at) && !regs_capture(c, at - 16)) {
		__builtin_memset(c->regs, 0, sizeof(c->regs));
		return 0;
	}
	sp = c->regs[OPENSNOOP_SP];
	left = CALLER_PAGE - (sp & (CALLER_PAGE - 1));
	if (!bpf_probe_read_user(c->stack, sizeof(c->stack), (void *)sp))
		c->size = sizeof(c->stack);
	else if (left < sizeof(c->stack) && !bpf_probe_read_user(c->stack, left, (void *)sp))
		c->size = left;
	return 0;
}

#endif
