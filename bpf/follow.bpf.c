/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow.bpf.c - keeps map `followed` equal to a set of processes and all their descendants.
 *
 * A child is added at fork in the parent, before it can run, so that nothing it does is missed. A process is removed
 * when its parent has waited for it: until then it closes files and writes accounts. Map and counters are the
 * applet's (reused by fd).
 *
 * On a kernel that preempts programs, the tracepoint alone would miss more than one fork in a thousand: the kernel
 * does not run a program on a CPU where the same program has been preempted. There a kprobe also sees each fork. It
 * cannot be preempted, but it does not run while a task has been preempted inside bpf(2), which does not affect the
 * tracepoint. A process is lost if both miss its fork.
 */
#include "lib/filter.bpf.h"

/* True if two programs see each fork: then only the second counts a full map. */
const volatile bool twice = false;

/* Gives the child its parent's state, whatever is known of an earlier process with that pid. */
static __always_inline void child_add(__u32 child, bool is_last)
{
	__u32 parent = bpf_get_current_pid_tgid() >> 32;
	bool known, wanted;
	__u8 one = 1;

	if (parent == child) /* a thread */
		return;
	known = bpf_map_lookup_elem(&followed, &child);
	wanted = bpf_map_lookup_elem(&followed, &parent);
	if (known && !wanted)
		bpf_map_delete_elem(&followed, &child);
	else if (wanted && !known && bpf_map_update_elem(&followed, &child, &one, BPF_ANY) &&
		 is_last)
		loss_count(LOSS_PROCESS, 1);
}

/* Typed loads if possible, because lockdown=confidentiality forbids probe_read. */
SEC("tp_btf")
int BPF_PROG(follow_fork, struct task_struct *parent, struct task_struct *child)
{
	child_add(child->tgid, !twice);
	return 0;
}

SEC("fentry")
int BPF_PROG(follow_wake_fentry, struct task_struct *child)
{
	child_add(child->tgid, true);
	return 0;
}

SEC("kprobe")
int BPF_KPROBE(follow_wake_kprobe, struct task_struct *child)
{
	child_add(BPF_CORE_READ(child, tgid), true);
	return 0;
}

/*
 * The leader is the last thread of a process to be released. A thread that calls exec takes over
 * the leader's pid before it releases the leader. The pid is not reused before this returns.
 */
static __always_inline void task_remove(__u32 tid, __u32 pid)
{
	if (tid == pid)
		bpf_map_delete_elem(&followed, &pid);
}

SEC("fentry")
int BPF_PROG(follow_end_fentry, struct task_struct *task)
{
	task_remove(task->pid, task->tgid);
	return 0;
}

SEC("kprobe")
int BPF_KPROBE(follow_end_kprobe, struct task_struct *task)
{
	task_remove(BPF_CORE_READ(task, pid), BPF_CORE_READ(task, tgid));
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
