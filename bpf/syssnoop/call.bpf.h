/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * call.bpf.h - system calls in flight: what the return needs to know about them; the heads of records.
 *
 * A call is stored by its task, which stays the same while an exec changes the ids of a thread. It is in an array, in
 * a slot that the task's address selects, or in a hash if another task has that slot. Only the task itself uses its
 * call; if programs are preempted, two tasks may want one slot at once, so slots are claimed.
 */
#ifndef CORETAP_SYSSNOOP_CALL_BPF_H
#define CORETAP_SYSSNOOP_CALL_BPF_H

#include "lib/record.bpf.h"
#include "syssnoop.h"

/* Registers by their numbers in struct pt_regs, which are ABI. FIRST: the first argument, which the result does not
 * overwrite. */
#define REG(regs, number) (((const __u64 *)(regs))[number])
#if defined(__TARGET_ARCH_x86)
#define ABI_BITS_FIELD status
#define ABI_BITS_32    2 /* TS_COMPAT, asm/thread_info.h */
#define REGS_NR(regs)  ((regs)->orig_rax)
#define REGS_IP(regs)  ((regs)->rip)
#elif defined(__TARGET_ARCH_arm64)
#define ABI_BITS_FIELD flags
#define ABI_BITS_32    (1 << 22)			/* TIF_32BIT, asm/thread_info.h */
#define REGS_NR(regs)  (*(const __s32 *)&REG(regs, 35)) /* syscallno */
#define REGS_IP(regs)  REG(regs, 32)
#define FIRST	       34 /* orig_x0 */
#define SECOND	       1
#elif defined(__TARGET_ARCH_riscv)
#define ABI_BITS_FIELD flags
#define ABI_BITS_32    0 /* the flag of 32-bit tasks has moved: they are not distinguished */
#define REGS_NR(regs)  (*(const __s32 *)&REG(regs, 17)) /* a7 */
#define REGS_IP(regs)  REG(regs, 0)
#define FIRST	       35 /* orig_a0 */
#define SECOND	       11
#elif defined(__TARGET_ARCH_powerpc)
#define ABI_BITS_FIELD flags
#define ABI_BITS_32    (1 << 4)			       /* TIF_32BIT, asm/thread_info.h */
#define REGS_NR(regs)  (*(const __s32 *)&REG(regs, 0)) /* r0 */
#define REGS_IP(regs)  REG(regs, 32)
#define FIRST	       34 /* orig_gpr3 */
#define SECOND	       4
#else
#error "the registers of system calls of this architecture are not known"
#endif

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(map_flags, BPF_F_MMAPABLE);
	__uint(max_entries, SYSSNOOP_CALLS);
	__type(key, __u32);
	__type(value, struct syssnoop_call);
} calls SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 4096);
	__type(key, __u64);
	__type(value, struct syssnoop_call);
} calls_beside SEC(".maps");

/* True once any call is in the hash: before, a return without one need not search there. */
volatile bool calls_are_beside = false;

static __always_inline struct syssnoop_call *call_at(__u64 task)
{
	__u32 at = task * 0x9e3779b97f4a7c15ull >> (64 - SYSSNOOP_CALLS_BITS);

	return bpf_map_lookup_elem(&calls, &at);
}

static __always_inline struct syssnoop_call *call_find(__u64 task)
{
	struct syssnoop_call *c = call_at(task);

	if (c && c->task == task)
		return c;
	return calls_are_beside ? bpf_map_lookup_elem(&calls_beside, &task) : NULL;
}

/* Not inlined: two tasks rarely have the same slot. */
static __noinline struct syssnoop_call *call_beside(__u64 task)
{
	struct syssnoop_call fresh = { .task = task };

	calls_are_beside = true;
	if (bpf_map_update_elem(&calls_beside, &task, &fresh, BPF_ANY))
		loss_count(LOSS_MAP_FULL, 1);
	return bpf_map_lookup_elem(&calls_beside, &task);
}

/* An add and a read, as in scratch_claim: of two that claim a slot at once both may fail. */
static __always_inline struct syssnoop_call *call_claim(__u64 task)
{
	struct syssnoop_call *c = call_at(task);

	if (!c || c->task == task) /* a call that has not returned and never will */
		return c;
	__sync_fetch_and_add(&c->users, 1);
	if (*(volatile __u64 *)&c->users == 1) {
		c->task = task;
		return c;
	}
	__sync_fetch_and_add(&c->users, -1);
	return call_beside(task);
}

static __always_inline void call_release(struct syssnoop_call *c, __u64 task)
{
	if (!c->users) {
		bpf_map_delete_elem(&calls_beside, &task);
		return;
	}
	c->task = 0;
	__sync_fetch_and_add(&c->users, -1);
}

/* Returns the current task, and the ABI of its call. Kernels with task storage have a helper for typed tasks, whose
 * members are loaded directly; after two negations a pointer is a number. */
static __always_inline __u64 caller_get(__u8 *abi)
{
	struct task_struct *t;
	__u64 task, bits = 0;

	if (bpf_core_field_exists(struct task_struct, bpf_storage)) {
		t = bpf_get_current_task_btf();
		bits = t->thread_info.ABI_BITS_FIELD;
		task = (__u64)t;
		asm volatile("%0 = -%0\n%0 = -%0" : "+r"(task));
	} else {
		task = bpf_get_current_task();
		t = (void *)task;
		bpf_core_read(&bits, bpf_core_field_size(t->thread_info.ABI_BITS_FIELD),
			      &t->thread_info.ABI_BITS_FIELD);
	}
	*abi = bits & ABI_BITS_32 ? SYSCALL_ABI_32 : SYSCALL_ABI_64;
	return task;
}

static __always_inline __u64 ids_current(void)
{
	return filter.numbers.ns ? numbers_current() : bpf_get_current_pid_tgid();
}

static __always_inline void args_load(__u64 *args, const struct pt_regs *regs, __u8 abi)
{
#if defined(__TARGET_ARCH_x86)
	if (abi == SYSCALL_ABI_32) {
		args[0] = (__u32)regs->rbx;
		args[1] = (__u32)regs->rcx;
		args[2] = (__u32)regs->rdx;
		args[3] = (__u32)regs->rsi;
		args[4] = (__u32)regs->rdi;
		args[5] = (__u32)regs->rbp;
		return;
	}
	args[0] = regs->rdi;
	args[1] = regs->rsi;
	args[2] = regs->rdx;
	args[3] = regs->r10;
	args[4] = regs->r8;
	args[5] = regs->r9;
#else
	args[0] = REG(regs, FIRST);
	for (int i = 1; i < SYSCALL_ARGS; i++)
		args[i] = REG(regs, SECOND + i - 1);
	for (int i = 0; abi == SYSCALL_ABI_32 && i < SYSCALL_ARGS; i++)
		args[i] = (__u32)args[i];
#endif
}

/* Where rt_sigreturn finds the mask: from the stack pointer, in the struct ucontext of a frame. */
#if defined(__TARGET_ARCH_x86)
enum { MASK_64 = 296, MASK_32 = 248, MASK_SP_32 = SYSSNOOP_SP };
#else
enum { MASK_64 = 168, MASK_32 = 232, MASK_SP_32 = 13 };
#endif

static __always_inline __u64 mask_place(const struct pt_regs *regs, __u8 abi)
{
	return abi == SYSCALL_ABI_32 ? (__u32)REG(regs, MASK_SP_32) + MASK_32 :
				       REG(regs, SYSSNOOP_SP) + MASK_64;
}

/* ---- records ---- */

const volatile bool want_comm = false;

/* The name of the current task. */
static __always_inline void event_comm_fill(struct syssnoop_event *e)
{
	if (want_comm)
		comm_fill(e->header.comm);
	else
		e->header.comm[0] = 0;
}

/* ---- numbers in other pid namespaces (--decode-pids=pidns) ---- */

const volatile bool want_pids = false;

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1); /* user space sets SYSSNOOP_PIDS_MAX if the option is given */
	__type(key, __u32);	/* the thread as it is shown */
	__type(value, struct syssnoop_pids);
} pids_seen SEC(".maps");

/* Reads the number that a struct pid has in the namespace at this level; `ns`: that namespace, 0: whatever it is. */
static __noinline __u32 number_at_level(__u64 pid, __u32 level, __u64 ns)
{
	struct event_upid upid = {};
	__u32 own = 0;

	bpf_probe_read_kernel(&own, sizeof(own), (void *)(pid + filter.numbers.pid_level));
	if (!pid || own < level || level < filter.numbers.level)
		return 0;
	bpf_probe_read_kernel(&upid, sizeof(upid),
			      (void *)(pid + filter.numbers.upid +
				       (level - filter.numbers.level) * sizeof(upid)));
	return ns && upid.ns != ns ? 0 : upid.nr;
}

/* Keeps the numbers of the current task. */
static __noinline void pids_note(__u32 tid)
{
	__u64 task = bpf_get_current_task(), signal = 0, pid[SYSSNOOP_PIDS] = { 0 };
	struct syssnoop_pids seen = { 0 };
	__u32 level = 0;

	bpf_probe_read_kernel(&pid[0], 8, (void *)(task + filter.numbers.thread_pid));
	bpf_probe_read_kernel(&signal, sizeof(signal), (void *)(task + filter.numbers.signal));
	bpf_probe_read_kernel(&pid[1], 24, (void *)(signal + filter.numbers.tgid));
	bpf_probe_read_kernel(&level, sizeof(level), (void *)(pid[0] + filter.numbers.pid_level));
	if (level <= filter.numbers.level)
		return;
	bpf_probe_read_kernel(&seen.ns, sizeof(seen.ns),
			      (void *)(pid[0] + filter.numbers.upid + 8 +
				       (level - filter.numbers.level) * sizeof(struct event_upid)));
	for (int i = 0; i < SYSSNOOP_PIDS; i++) {
		seen.inner[i] = number_at_level(pid[i], level, seen.ns);
		seen.outer[i] = number_at_level(pid[i], filter.numbers.level, filter.numbers.ns);
	}
	bpf_map_update_elem(&pids_seen, &tid, &seen, BPF_ANY);
}

/* A record may be about another task than the current one: of a signal that it sends. */
static __always_inline void inner_fill_own(const struct event_header *h)
{
	__u64 ids;

	if (!filter.want_inner)
		return;
	ids = filter.numbers.ns ? numbers_current() : bpf_get_current_pid_tgid();
	if (ids != ((__u64)h->pid << 32 | h->tid))
		return;
	inner_fill(h);
	if (want_pids)
		pids_note(h->tid);
}

static __always_inline void event_fill(struct syssnoop_event *e, const struct syssnoop_call *c,
				       __u8 kind, __u8 flags)
{
	e->header.ts = c->start;
	e->header.pid = c->ids >> 32;
	e->header.tid = c->ids;
	inner_fill_own(&e->header);
	event_comm_fill(e);
	for (int i = 0; i < SYSCALL_ARGS; i++)
		e->args[i] = c->args[i];
	e->nr = c->nr;
	e->abi = c->abi;
	e->kind = kind;
	e->flags = flags;
	e->latency = SYSSNOOP_NO_LATENCY;
	e->ret = 0;
	e->pad = 0;
	e->pad2 = 0;
}

/* Fills the record of an event that is no call: all other members are 0. */
static __always_inline void event_clear(struct syssnoop_event *e, __u64 ids, __u8 kind)
{
	__builtin_memset(e, 0, sizeof(*e));
	e->header.ts = bpf_ktime_get_ns();
	e->header.pid = ids >> 32;
	e->header.tid = ids;
	inner_fill_own(&e->header);
	e->kind = kind;
	e->latency = SYSSNOOP_NO_LATENCY;
	e->size = sizeof(*e);
}

static __always_inline struct syssnoop_event *event_begin(__u64 ids, __u8 kind)
{
	struct syssnoop_event *e = record_reserve(struct syssnoop_event);

	if (e)
		event_clear(e, ids, kind);
	return e;
}

#endif
