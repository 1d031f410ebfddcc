/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * count.bpf.h - calls that are counted (-c, -C): their number, errors, latency and CPU time.
 */
#ifndef CORETAP_SYSSNOOP_COUNT_BPF_H
#define CORETAP_SYSSNOOP_COUNT_BPF_H

#include "syssnoop/match.bpf.h"

const volatile bool records = true, counts = false; /* -C: both */
/* Also measure CPU time (without -w), the shortest and the longest call. */
const volatile bool counts_cpu = false, counts_extremes = false;

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, 1); /* SYSCALL_ROWS if calls are counted */
	__type(key, __u32);
	__type(value, struct syssnoop_count);
} counted SEC(".maps");

/* How often the current thread has left the processor … */
static __always_inline __u64 switches_get(void)
{
	struct task_struct *t;

	if (bpf_core_field_exists(struct task_struct, bpf_storage)) {
		t = bpf_get_current_task_btf();
		return t->nvcsw + t->nivcsw;
	}
	t = (void *)bpf_get_current_task();
	return BPF_CORE_READ(t, nvcsw) + BPF_CORE_READ(t, nivcsw);
}

/* … and what it has been charged for. */
static __always_inline __u64 runtime_get(void)
{
	struct task_struct *t;

	if (bpf_core_field_exists(struct task_struct, bpf_storage)) {
		t = bpf_get_current_task_btf();
		return t->se.sum_exec_runtime;
	}
	t = (void *)bpf_get_current_task();
	return BPF_CORE_READ(t, se.sum_exec_runtime);
}

static __always_inline __u32 log2_up(__u64 v)
{
	__u32 n = 0;

	for (__u32 shift = 32; shift; shift /= 2)
		if (v >> shift) {
			v >>= shift;
			n += shift;
		}
	return n;
}

/* The same with a stack of its own: what clang spills for it would be 32 bytes more for calls that take paths, which need all
 * 512 then. */
static __noinline __u32 log2_up_apart(__u64 v)
{
	return log2_up(v);
}

/* All of it, unless the thread left the processor in between: then it is what the scheduler has charged. */
static __always_inline __u64 time_on_cpu(const struct syssnoop_call *c, __u64 latency)
{
	__u64 charged;

	if (switches_get() == c->switches)
		return latency;
	charged = runtime_get() - c->runtime;
	return charged > latency ? latency : charged;
}

static __always_inline void extremes_add(struct syssnoop_count *n, __u64 latency, __u64 cpu)
{
	if (n->calls == 1 || latency < n->min)
		n->min = latency;
	if (latency > n->max)
		n->max = latency;
	if (n->calls == 1 || cpu < n->cpu_min)
		n->cpu_min = cpu;
	if (cpu > n->cpu_max)
		n->cpu_max = cpu;
}

static __always_inline void count_add(const struct syssnoop_call *c, __u64 latency, bool failed)
{
	__u32 row = row_of(c->abi, c->nr);
	__u64 cpu = counts_cpu ? time_on_cpu(c, latency) : 0;
	struct syssnoop_count *n = bpf_map_lookup_elem(&counted, &row);
	__u32 bucket = 1;

	if (!n) {
		loss_count(LOSS_KEYS_FULL, 1);
		return;
	}
	n->calls++;
	n->errors += failed;
	n->total += latency;
	n->cpu += cpu;
	if (counts_extremes)
		extremes_add(n, latency, cpu);
	if (latency)
		bucket = 2 + (records ? log2_up_apart(latency) : log2_up(latency));
	if (bucket < EVENT_HIST_BUCKETS)
		n->latency[bucket]++;
}

#endif
