/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * refused.bpf.h - openat2 calls that the kernel refuses because of their struct open_how (fs/open.c): too short, with
 * unknown members that are not 0, or not readable. do_sys_openat2 is not called then, so the system call itself is
 * traced. Only calls whose struct is not the usual one are stored.
 */
#ifndef CORETAP_OPENSNOOP_REFUSED_BPF_H
#define CORETAP_OPENSNOOP_REFUSED_BPF_H

#include "lib/syscall_regs.bpf.h"
#include "opensnoop/call.bpf.h"

#define REFUSED_TOO_BIG 7  /* E2BIG */
#define REFUSED_INVALID 22 /* EINVAL */
#define REFUSED_COMPAT	2  /* TS_COMPAT, arch/x86/include/asm/thread_info.h */

struct refusal {
	__u64 name, how, size; /* the caller's */
	__s32 dfd;
	__u32 pad;
};

CALLS(refusals, __u32, struct refusal, 256);

static __always_inline bool is_compat(void)
{
#ifdef __TARGET_ARCH_x86
	struct task_struct *task = (void *)bpf_get_current_task();

	return BPF_CORE_READ(task, thread_info.status) & REFUSED_COMPAT;
#else
	return false;
#endif
}

static __always_inline struct refusal refusal_read(const struct pt_regs *regs)
{
	if (is_compat())
		return (struct refusal){ .dfd = REGS_READ(COMPAT_PARM1(regs)),
					 .name = (__u32)REGS_READ(COMPAT_PARM2(regs)),
					 .how = (__u32)REGS_READ(COMPAT_PARM3(regs)),
					 .size = (__u32)REGS_READ(COMPAT_PARM4(regs)) };
	return (struct refusal){ .dfd = REGS_READ(FIRST_PARM(regs)),
				 .name = REGS_READ(PT_REGS_PARM2(regs)),
				 .how = REGS_READ(PT_REGS_PARM3(regs)),
				 .size = REGS_READ(PT_REGS_PARM4_SYSCALL(regs)) };
}

/* A struct may be up to a page long: its start and its last byte are in all pages of it. */
static __always_inline bool how_readable(const struct refusal *r, struct how *how)
{
	char last;

	return !bpf_probe_read_user(how, sizeof(*how), (void *)r->how) &&
	       !bpf_probe_read_user(&last, sizeof(last), (void *)(r->how + r->size - 1));
}

/* Returns true if the call's return is wanted. */
static __always_inline bool refused_enter(const struct pt_regs *regs)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct refusal r = refusal_read(regs);
	struct how how = {};

	if (r.size == sizeof(how) && how_readable(&r, &how)) {
		bpf_map_delete_elem(&refusals, &tid); /* of a call whose return was not seen */
		return false;
	}
	calls_store(&refusals, &tid, &r, true);
	return true;
}

/* do_sys_openat2 returns EINVAL and EFAULT as well, for other reasons, and is traced itself. */
static __always_inline bool is_refused(const struct refusal *r, int ret, struct how *how)
{
	bool readable = how_readable(r, how);

	return ret == -REFUSED_TOO_BIG || (ret == -REFUSED_INVALID && r->size < sizeof(*how)) ||
	       (ret == -CALL_FAULT && !readable);
}

static __always_inline int refused_leave(int ret, const bool full)
{
	__u32 tid = bpf_get_current_pid_tgid();
	struct refusal *stored = bpf_map_lookup_elem(&refusals, &tid), r;
	struct how how = {};
	struct call *c;

	if (!stored)
		return 0;
	r = *stored;
	bpf_map_delete_elem(&refusals, &tid);
	c = is_refused(&r, ret, &how) ? call_fresh(SLOT_UNOPENED) : NULL;
	if (!c)
		return 0;
	c->e.kind = OPENSNOOP_OPEN;
	call_refuse(c, r.dfd, r.name, &how, ret, SLOT_UNOPENED, full);
	return 0;
}

SEC("kprobe")
int BPF_KPROBE(refused_enter_kprobe, const struct pt_regs *regs)
{
	refused_enter(regs);
	return 0;
}

#endif
