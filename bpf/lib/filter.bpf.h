/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.bpf.h - the filter: which tasks are accepted.
 */
#ifndef CORETAP_LIB_FILTER_BPF_H
#define CORETAP_LIB_FILTER_BPF_H

#include "lib/lost.bpf.h"

/* Set before load: the verifier sees constants and removes disabled tests. */
const volatile struct event_filter filter = {};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u8);
} followed SEC(".maps");

/* The names of tasks that are accepted: a row for each state of util/glob.h's machine. */
struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1); /* user space sets the number of states if there are patterns */
	__type(key, __u32);
	__type(value, struct event_names_row);
} names SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, EVENT_CGROUPS_MAX);
	__type(key, __u32);
	__type(value, __u32);
} cgroups SEC(".maps");

static __always_inline bool comm_equal(const char *a)
{
	const __u64 *x = (const void *)a;
	const volatile __u64 *y = (const volatile void *)filter.comm;

	return x[0] == y[0] && x[1] == y[1];
}

/* True if the id is the only one accepted, if all are, or if there are several (see task_listed). */
static __always_inline bool id_pass(const volatile struct event_ids *ids, __u32 id)
{
	return ids->count != 1 || ids->ids[0] == id;
}

/* Searches several ids; id_pass has tested a single one. */
static __always_inline bool ids_have(const volatile struct event_ids *ids, __u32 id)
{
	for (__u32 i = 0; i < EVENT_IDS_MAX && i < ids->count; i++)
		if (ids->ids[i] == id)
			return true;
	return ids->count <= 1;
}

/* Not inlined, because a filter for a single process does not need it. */
static __noinline bool task_listed(__u64 pid_tgid)
{
	return (filter.follow || ids_have(&filter.pids, pid_tgid >> 32)) &&
	       ids_have(&filter.tids, pid_tgid) &&
	       ids_have(&filter.uids, bpf_get_current_uid_gid());
}

/* The NUL at the end of the name leads to one of the final states. */
static __noinline bool names_match(void)
{
	char comm[EVENT_COMM_LEN] = {};
	__u32 state = EVENT_NAMES_START;

	bpf_get_current_comm(comm, sizeof(comm));
	for (int i = 0; i < EVENT_COMM_LEN && state > EVENT_NAMES_YES; i++) {
		struct event_names_row *row = bpf_map_lookup_elem(&names, &state);

		state = row ? row->next[(__u8)comm[i]] : 0;
	}
	return state == EVENT_NAMES_YES;
}

/* Searches several cgroups. */
static __noinline bool cgroups_have(void)
{
	for (__u32 i = 0; i < EVENT_CGROUPS_MAX && i < filter.by_cgroup; i++)
		if (bpf_current_task_under_cgroup(&cgroups, i) == 1)
			return true;
	return false;
}

/* A task that ends has left its namespace: 0 is in no list. */
static __noinline bool mounts_have(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u32 number = BPF_CORE_READ(task, nsproxy, mnt_ns, ns.inum);

	return filter.mounts.count == 1 ? filter.mounts.ids[0] == number :
					  ids_have(&filter.mounts, number);
}

/* True if the filter accepts the current task. The cheapest tests come first. The ids are an argument, because a
 * thread that has just called exec has lost its own. */
static __always_inline bool filter_pass_as(__u64 pid_tgid)
{
	__u32 pid = pid_tgid >> 32;

	if (pid == filter.self)
		return false;
	/* one constant instead of eight: reading them costs more than the tests */
	if (filter.is_open)
		return true;
	if (!id_pass(&filter.tids, pid_tgid))
		return false;
	if (filter.follow) {
		if (!bpf_map_lookup_elem(&followed, &pid))
			return false;
	} else if (!id_pass(&filter.pids, pid)) {
		return false;
	}
	if (filter.uids.count == 1 && !id_pass(&filter.uids, bpf_get_current_uid_gid()))
		return false;
	if (filter.by_lists && !task_listed(pid_tgid))
		return false;
	if (filter.by_comm) {
		__u64 comm[EVENT_COMM_LEN / 8] = {};

		bpf_get_current_comm(comm, sizeof(comm));
		if (!comm_equal((const char *)comm))
			return false;
	}
	if (filter.by_names && !names_match())
		return false;
	if (filter.by_cgroup == 1 && bpf_current_task_under_cgroup(&cgroups, 0) != 1)
		return false;
	if (filter.by_cgroup > 1 && !cgroups_have())
		return false;
	if (filter.mounts.count && !mounts_have())
		return false;
	return true;
}

static __always_inline bool filter_pass(void)
{
	return filter_pass_as(bpf_get_current_pid_tgid());
}

#endif
