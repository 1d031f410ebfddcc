/* SPDX-License-Identifier: GPL-2.0 */
/*
 * common.bpf.h - what every BPF program of the suite shares: the filter, the record buffer, the
 * ring, the loss counters, and the one body behind an fentry and a kprobe.
 *
 * It must not know of any applet. Formatting is user space's job; here we only capture.
 */
#ifndef CORETAP_COMMON_BPF_H
#define CORETAP_COMMON_BPF_H

#include <linux/bpf.h>
#include <asm/ptrace.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include "event.h"

#define COMMON_CPUS 1	/* max_entries until user space puts the machine's number of CPUs */

/* Set before load: the verifier sees constants and drops the tests that are off. */
const volatile struct event_filter filter = {};

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096); /* user space puts --buffer here */
} ring SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOSS_MAX);
	__type(key, __u32);
	__type(value, __u64);
} losses SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 16384);
	__type(key, __u32);
	__type(value, __u8);
} followed SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_CGROUP_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u32);
} cgroups SEC(".maps");

static __always_inline void loss_count(__u32 which, __u64 n)
{
	__u64 *count = bpf_map_lookup_elem(&losses, &which);

	if (count)
		*count += n;
}

static __always_inline bool comm_equal(const char *a)
{
	const __u64 *x = (const void *)a;
	const volatile __u64 *y = (const volatile void *)filter.comm;

	return x[0] == y[0] && x[1] == y[1];
}

/* Is the current task one that was asked for? The cheapest questions come first. The numbers are
 * given: a thread that has just called exec no longer bears its own. */
static __always_inline bool filter_pass_as(__u64 pid_tgid)
{
	__u32 pid = pid_tgid >> 32;

	if (pid == filter.self)
		return false;
	if (filter.tid && (__u32)pid_tgid != filter.tid)
		return false;
	if (filter.follow) {
		if (!bpf_map_lookup_elem(&followed, &pid))
			return false;
	} else if (filter.pid && pid != filter.pid) {
		return false;
	}
	if (filter.by_uid && (__u32)bpf_get_current_uid_gid() != filter.uid)
		return false;
	if (filter.by_comm) {
		__u64 comm[EVENT_COMM_LEN / 8] = {};

		bpf_get_current_comm(comm, sizeof(comm));
		if (!comm_equal((const char *)comm))
			return false;
	}
	if (filter.by_cgroup && bpf_current_task_under_cgroup(&cgroups, 0) != 1)
		return false;
	return true;
}

static __always_inline bool filter_pass(void)
{
	return filter_pass_as(bpf_get_current_pid_tgid());
}

static __always_inline void header_fill(struct event_header *h)
{
	__u64 pid_tgid = bpf_get_current_pid_tgid();

	h->ts = filter.want_ts ? bpf_ktime_get_ns() : 0;
	h->pid = pid_tgid >> 32;
	h->tid = pid_tgid;
	bpf_get_current_comm(h->comm, sizeof(h->comm));
}

/* A wake-up costs the traced task more than everything else together. */
static __always_inline __u64 wakeup_flags(void)
{
	return bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) >= EVENT_WAKEUP_BYTES ?
		       BPF_RB_FORCE_WAKEUP : 0;
}

/*
 * A record of fixed size: reserve, fill in place, submit. NULL is already counted as lost.
 */
#define record_reserve(type)                                                                      \
	({                                                                                        \
		type *record_ = bpf_ringbuf_reserve(&ring, sizeof(type), 0);                      \
		if (!record_)                                                                     \
			loss_count(LOSS_RING_FULL, 1);                                            \
		record_;                                                                          \
	})

static __always_inline void record_submit(void *record)
{
	bpf_ringbuf_submit(record, wakeup_flags());
}

/*
 * A record of variable size is put together in this CPU's scratch and copied out at its real
 * length. Safe although programs may be preempted: the kernel refuses to run a tracing program
 * again on a CPU where one of the same is still running, and counts it (LOSS_RECURSION). Two
 * programs may still meet there: each has a scratch of its own, or they claim it.
 * A plain array indexed by CPU, for a per-CPU array's values end at 32 KiB.
 *
 * SCRATCH(struct x_event): declares map `scratch`. SCRATCH_AS(scratch_…, struct x_event): another.
 */
#define SCRATCH(struct_) SCRATCH_AS(scratch, struct_)
#define SCRATCH_AS(name, struct_)                                                                 \
	struct {                                                                                  \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                 \
		__uint(max_entries, COMMON_CPUS);                                                 \
		__type(key, __u32);                                                               \
		__type(value, struct_);                                                           \
	} name SEC(".maps");                                                                      \
	static __always_inline struct_ *name##_get(void)                                          \
	{                                                                                         \
		__u32 cpu = bpf_get_smp_processor_id();                                           \
		return bpf_map_lookup_elem(&name, &cpu);                                          \
	}

/*
 * For programs that share a scratch: `users` is a __u64 in it. False, and counted, while another
 * holds it. An add and a look instead of an exchange: 5.10 has no atomic that returns the old
 * value, and only tasks of one CPU meet here.
 */
static __always_inline bool scratch_claim(volatile __u64 *users)
{
	__sync_fetch_and_add(users, 1);
	if (*users == 1)
		return true;
	__sync_fetch_and_add(users, -1);
	loss_count(LOSS_RECURSION, 1);
	return false;
}

static __always_inline void scratch_release(volatile __u64 *users)
{
	__sync_fetch_and_add(users, -1);
}

static __always_inline void record_output(void *record, __u64 size)
{
	if (bpf_ringbuf_output(&ring, record, size, wakeup_flags()))
		loss_count(LOSS_RING_FULL, 1);
}

#endif
