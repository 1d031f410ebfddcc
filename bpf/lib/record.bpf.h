/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * record.bpf.h - records: their header, the ring buffer, and the scratch in which records of
 * variable size are built.
 */
#ifndef CORETAP_LIB_RECORD_BPF_H
#define CORETAP_LIB_RECORD_BPF_H

#include "lib/filter.bpf.h"

#define SCRATCH_CPUS 1 /* max_entries until user space sets the number of CPUs */

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096); /* user space sets --buffer here */
} ring SEC(".maps");

/* Returns the number of a struct pid in the namespace; 0: it has none there, as in the kernel. */
static __always_inline __u32 number_of(__u64 pid)
{
	struct event_upid upid = {};
	__u32 level = 0;

	bpf_probe_read_kernel(&level, sizeof(level), (void *)(pid + filter.numbers.pid_level));
	if (level < filter.numbers.level)
		return 0;
	bpf_probe_read_kernel(&upid, sizeof(upid), (void *)(pid + filter.numbers.upid));
	return upid.ns == filter.numbers.ns ? upid.nr : 0;
}

static __noinline __u32 number_process(__u64 task)
{
	__u64 at = 0;

	bpf_probe_read_kernel(&at, sizeof(at), (void *)(task + filter.numbers.signal));
	bpf_probe_read_kernel(&at, sizeof(at), (void *)(at + filter.numbers.tgid));
	return number_of(at);
}

/* Returns the ids of a task: the process in the high half, as bpf_get_current_pid_tgid does. */
static __noinline __u64 numbers_task(__u64 task)
{
	__u64 pid = 0;

	bpf_probe_read_kernel(&pid, sizeof(pid), (void *)(task + filter.numbers.thread_pid));
	return (__u64)number_process(task) << 32 | number_of(pid);
}

/* Call it next to header_fill, for the same task. Parts that are not requested cost nothing. */
static __always_inline void task_fill(struct event_task *t)
{
	if (filter.want_cgroup)
		t->cgroup = bpf_get_current_cgroup_id();
}

/* --inner-pids: maps a process or thread as it is shown to its number in its own namespace; 0: that is ours. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 64); /* user space sets EVENT_INNERS_MAX if the option is given */
	__type(key, __u32);
	__type(value, __u32);
} inners SEC(".maps");

static __noinline void inner_note(__u64 pid, __u32 shown)
{
	struct event_upid upid = {};
	__u32 level = 0, *kept;

	bpf_probe_read_kernel(&level, sizeof(level), (void *)(pid + filter.numbers.pid_level));
	if (level > filter.numbers.level)
		bpf_probe_read_kernel(&upid, sizeof(upid),
				      (void *)(pid + filter.numbers.upid +
					       (level - filter.numbers.level) * sizeof(upid)));
	kept = bpf_map_lookup_elem(&inners, &shown);
	if (kept ? *kept != upid.nr : upid.nr)
		bpf_map_update_elem(&inners, &shown, &upid.nr, BPF_ANY);
}

static __noinline void inner_numbers(__u32 pid, __u32 tid)
{
	__u64 task = bpf_get_current_task(), at = 0;

	bpf_probe_read_kernel(&at, sizeof(at), (void *)(task + filter.numbers.signal));
	bpf_probe_read_kernel(&at, sizeof(at), (void *)(at + filter.numbers.tgid));
	inner_note(at, pid);
	if (tid == pid)
		return;
	bpf_probe_read_kernel(&at, sizeof(at), (void *)(task + filter.numbers.thread_pid));
	inner_note(at, tid);
}

/* The header is that of the current task. */
static __always_inline void inner_fill(const struct event_header *h)
{
	if (filter.want_inner && h->pid)
		inner_numbers(h->pid, h->tid);
}

static __always_inline __u64 numbers_current(void)
{
	return numbers_task(bpf_get_current_task());
}

/* Copies the name of the current task by two loads; the helper would call functions to copy a string. Before 5.17
 * bytes of an older name follow its NUL (comm_trim). */
static __always_inline void comm_fill(char *to)
{
	const __u64 *from;

	if (!bpf_core_field_exists(struct task_struct, bpf_storage)) {
		bpf_get_current_comm(to, EVENT_COMM_LEN);
		return;
	}
	from = (const void *)bpf_get_current_task_btf()->comm;
	((__u64 *)to)[0] = from[0];
	((__u64 *)to)[1] = from[1];
}

/* For a name that is part of a key: sets all bytes after the first NUL to 0. */
static __always_inline void comm_trim(char *comm)
{
	bool ended = false;

#pragma clang loop unroll(disable)
	for (int i = 0; i < EVENT_COMM_LEN; i++) {
		ended |= !comm[i];
		comm[i] = ended ? 0 : comm[i];
	}
}

static __always_inline void header_fill(struct event_header *h)
{
	__u64 pid_tgid = filter.numbers.ns ? numbers_current() : bpf_get_current_pid_tgid();

	h->ts = filter.want_ts ? bpf_ktime_get_ns() : 0;
	h->pid = pid_tgid >> 32;
	h->tid = pid_tgid;
	comm_fill(h->comm);
	inner_fill(h);
}

/* A wake-up costs the traced task more than everything else together. */
static __always_inline __u64 wakeup_flags(void)
{
	return bpf_ringbuf_query(&ring, BPF_RB_AVAIL_DATA) >= EVENT_WAKEUP_BYTES ?
		       BPF_RB_FORCE_WAKEUP :
		       0;
}

/*
 * For a record of fixed size: reserve, fill in place, submit. If the result is NULL, the loss has been counted.
 */
#define record_reserve(type)                                                                       \
	({                                                                                         \
		type *record_ = bpf_ringbuf_reserve(&ring, sizeof(type), 0);                       \
		if (!record_)                                                                      \
			loss_count(LOSS_RING_FULL, 1);                                             \
		record_;                                                                           \
	})

static __always_inline void record_submit(void *record)
{
	bpf_ringbuf_submit(record, wakeup_flags());
}

/*
 * A record of variable size is built in this CPU's scratch and copied out with its real length. This is safe even if
 * programs are preempted: the kernel refuses to run a tracing program on a CPU where the same program is still
 * running, and counts that (LOSS_RECURSION). Two different programs may still collide: each has its own scratch, or
 * they claim a shared one. It is a plain array indexed by CPU, because a per-CPU array's values are limited to 32
 * KiB.
 *
 * SCRATCH(struct x_event): declares map `scratch`. SCRATCH_AS(scratch_…, struct x_event): another one.
 */
#define SCRATCH(struct_) SCRATCH_AS(scratch, struct_)
#define SCRATCH_AS(name, struct_)                                                                  \
	struct {                                                                                   \
		__uint(type, BPF_MAP_TYPE_ARRAY);                                                  \
		__uint(max_entries, SCRATCH_CPUS);                                                 \
		__type(key, __u32);                                                                \
		__type(value, struct_);                                                            \
	} name SEC(".maps");                                                                       \
	static __always_inline struct_ *name##_get(void)                                           \
	{                                                                                          \
		__u32 cpu = bpf_get_smp_processor_id();                                            \
		return bpf_map_lookup_elem(&name, &cpu);                                           \
	}

/*
 * For programs that share a scratch: `users` is a __u64 in it. Returns false, and counts a loss, if another program
 * holds it. An add and a read instead of an exchange: 5.10 has no atomic that returns the old value, and only tasks
 * of one CPU compete here.
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
