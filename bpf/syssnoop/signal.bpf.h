/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * signal.bpf.h - signals: delivered, ignored, and fatal ones.
 */
#ifndef CORETAP_SYSSNOOP_SIGNAL_BPF_H
#define CORETAP_SYSSNOOP_SIGNAL_BPF_H

#include "syssnoop/match.bpf.h"

enum { SIGKILL = 9 };

const volatile __u64 want_signals = ~0ull; /* bit signal - 1 */

/* Fills it in as the kernel does: SI_KERNEL, or SI_USER of the current process. */
static __always_inline void siginfo_fill(struct syssnoop_event *e, __u32 sig, __u64 info)
{
	__u32 *words = (__u32 *)e->siginfo;

	words[0] = sig;
	if (info) {
		words[2] = 0x80;
		return;
	}
	words[4] = ids_current() >> 32;
	words[5] = bpf_get_current_uid_gid();
}

struct signal_sent {
	__u64 info, ids, ip;
	__u32 nr;
	__u8 flags;
	bool is_own; /* of the current task */
};

/* For a signal without siginfo the kernel passes 0 or 1: SI_USER, SI_KERNEL. */
static __always_inline void signal_fill(struct syssnoop_event *e, const struct signal_sent *s)
{
	if (!(s->flags & SYSSNOOP_NOT_DELIVERED)) /* otherwise the signal is another task's */
		event_comm_fill(e);
	e->ret = s->ip;
	e->nr = s->nr;
	e->flags = s->flags;
	if (s->info > 1)
		bpf_probe_read_kernel(e->siginfo, sizeof(e->siginfo), (void *)s->info);
	else
		siginfo_fill(e, s->nr, s->info);
}

/* Returns false if this CPU's scratch is in use: a timer may interrupt a program. */
static __always_inline bool signal_stack_send(const struct signal_sent *s)
{
	struct work *w = scratch_work_get();

	if (!w || !scratch_claim(&w->users))
		return false;
	event_clear(&w->e, s->ids, SYSSNOOP_SIGNAL);
	signal_fill(&w->e, s);
	w->at = 0;
	put_stack();
	work_send(w);
	scratch_release(&w->users);
	return true;
}

static __always_inline void signal_send(const struct signal_sent *s)
{
	struct syssnoop_event *e;

	if (want_stack && s->is_own && signal_stack_send(s))
		return;
	e = event_begin(s->ids, SYSSNOOP_SIGNAL);
	if (!e)
		return;
	signal_fill(e, s);
	record_submit(e);
}

static __always_inline bool signal_wanted(__u32 sig)
{
	return want_signals >> ((sig - 1) & 63) & 1;
}

SEC("tp_btf")
int syssnoop_signal(__u64 *ctx)
{
	/* the kernel also uses SIGKILL to pass on a fatal signal: the thread's end tells which */
	struct signal_sent s = { .nr = ctx[0], .info = ctx[1], .is_own = true };

	if (s.nr == SIGKILL || !signal_wanted(s.nr) || !has_begun() || !filter_pass())
		return 0;
	s.ids = ids_current();
	if (want_ip)
		s.ip = ip_of((void *)bpf_get_current_task());
	signal_send(&s);
	return 0;
}

/* Applies those filters that can be evaluated for another task. */
static __always_inline bool target_passes(__u32 pid, __u32 tid)
{
	if (pid == filter.self || filter.uids.count || filter.by_comm || filter.by_names ||
	    filter.by_cgroup || filter.by_lists)
		return false;
	if (filter.follow)
		return bpf_map_lookup_elem(&followed, &pid);
	return id_pass(&filter.pids, pid) && id_pass(&filter.tids, tid);
}

#define SIGNAL_GROUP_EXIT 4 /* linux/sched/signal.h */

/* Returns how a signal that is not delivered ends: it is ignored, or terminates the process at once, which is then
 * delivered SIGKILL instead. 0: neither. A process that is terminating ignores all others. */
static __always_inline __u8 signal_end(const struct task_struct *t, __u32 sig, __u32 result)
{
	const struct signal_struct *signal = BPF_CORE_READ(t, signal);
	bool ends = BPF_CORE_READ(signal, flags) & SIGNAL_GROUP_EXIT;

	if (result == 1) /* TRACE_SIGNAL_IGNORED */
		return ends ? 0 : SYSSNOOP_IGNORED;
	if (result || sig == SIGKILL || !ends || BPF_CORE_READ(signal, group_exit_code) != sig)
		return 0;
	return SYSSNOOP_KILLS;
}

/* Such a signal is never delivered, but a tracer would see it. */
SEC("tp_btf")
int syssnoop_ignored(__u64 *ctx)
{
	struct signal_sent s = { .nr = ctx[0], .info = ctx[1] };
	struct task_struct *t;
	__u64 target = 0;
	__u32 pid, tid;

	if (ctx[4] > 1 || !signal_wanted(ctx[0]) || !has_begun())
		return 0;
	/* read as a number: arithmetic with a typed pointer is not allowed */
	bpf_probe_read_kernel(&target, sizeof(target), &ctx[2]);
	t = (void *)target;
	pid = BPF_CORE_READ(t, tgid);
	tid = BPF_CORE_READ(t, pid);
	if (!target_passes(pid, tid))
		return 0;
	s.flags = signal_end(t, s.nr, ctx[4]);
	if (!s.flags)
		return 0;
	if (call_find(target))
		s.flags |= SYSSNOOP_IN_CALL;
	s.is_own = target == bpf_get_current_task();
	/* of a task that runs, the registers are not in memory */
	if (want_ip && (s.flags & SYSSNOOP_IN_CALL || s.is_own))
		s.ip = ip_of(t);
	s.ids = filter.numbers.ns ? numbers_task(target) : (__u64)pid << 32 | tid;
	signal_send(&s);
	return 0;
}

/* True if the call is to be restarted, but its thread ends first: by SIGKILL, as it ends with the others, or as another
 * one executes a program. A tracer sees a call that other signals end return. */
static __noinline int never_returns(__s64 ret)
{
	struct task_struct *t = (void *)bpf_get_current_task();
	int code;

	if (ret > -512 || ret < -516 ||
	    !(BPF_CORE_READ(t, pending.signal.sig[0]) & 1 << (SIGKILL - 1)))
		return 0;
	code = BPF_CORE_READ(t, signal, group_exit_code) & 0x7f;
	return !code || code == SIGKILL;
}

#endif
