/* SPDX-License-Identifier: GPL-2.0 */
/*
 * follow.bpf.c - keeps map `followed` equal to a set of processes and all their descendants.
 *
 * Decided at fork in the parent, before the child can run, so that nothing a child does is
 * missed. Map and counters are the applet's (reused by fd).
 */
#include "common.bpf.h"

SEC("tp_btf")
int BPF_PROG(follow_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 from = parent->tgid, to = child->tgid;
	__u8 one = 1;

	if (from == to || !bpf_map_lookup_elem(&followed, &from))
		return 0;
	if (bpf_map_update_elem(&followed, &to, &one, BPF_ANY))
		loss_count(LOSS_MAP_FULL, 1);
	return 0;
}

/* The last thread takes the process out of the set: its number may be given to another. */
SEC("tp_btf")
int BPF_PROG(follow_exit, struct task_struct *task)
{
	__u32 pid = task->tgid;

	/* typed, as lockdown=confidentiality forbids probe_read */
	if (task->signal->live.counter == 0)
		bpf_map_delete_elem(&followed, &pid);
	return 0;
}

char LICENSE[] SEC("license") = "GPL";
