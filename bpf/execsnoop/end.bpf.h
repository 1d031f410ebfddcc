/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * end.bpf.h - --exit: the ends of processes whose exec was seen, in do_notify_parent: there the last thread notifies
 * the parent, when the other threads and its own memory have been added to the process. So CPU time and memory equal
 * those that wait4(2) returns.
 *
 * Its lock disables interrupts (except with PREEMPT_RT), so none of our other programs can run there at the same
 * time.
 */
#ifndef CORETAP_EXECSNOOP_END_BPF_H
#define CORETAP_EXECSNOOP_END_BPF_H

#include "execsnoop/more.bpf.h"

#define GROUP_EXIT 4 /* SIGNAL_GROUP_EXIT, linux/sched/signal.h */

/* An exec, by process. `start` distinguishes the process from a later one with the same number, if its end was not
 * seen. */
struct begun {
	__u64 ts, start; /* ns: time of the exec, and of the fork */
	__u64 cgroup, uid_gid;
};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 32768); /* the default limit of processes */
	__type(key, __u32);
	__type(value, struct begun);
} begun_execs SEC(".maps");

/* `leader` is the only thread left. */
static __always_inline void times_read(struct execsnoop_times *t, struct task_struct *leader)
{
	struct signal_struct *signal = BPF_CORE_READ(leader, signal);

	t->user = BPF_CORE_READ(signal, utime) + BPF_CORE_READ(leader, utime);
	t->system = BPF_CORE_READ(signal, stime) + BPF_CORE_READ(leader, stime);
	t->runtime = BPF_CORE_READ(signal, sum_sched_runtime) +
		     BPF_CORE_READ(leader, se.sum_exec_runtime);
}

/* Stores the exec of the current task. */
static __always_inline void begun_store(const struct execsnoop_scratch *s)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u32 pid = bpf_get_current_pid_tgid() >> 32;
	struct begun b = { .ts = bpf_ktime_get_ns(), .start = BPF_CORE_READ(task, start_time) };

	b.cgroup = s->event.task.cgroup;
	b.uid_gid = bpf_get_current_uid_gid();
	if (bpf_map_update_elem(&begun_execs, &pid, &b, BPF_ANY))
		loss_count(LOSS_MAP_FULL, 1);
}

static __always_inline void end_event(struct execsnoop_event *e, struct task_struct *leader,
				      const struct begun *b, __u32 pid, __u64 now)
{
	__u32 shown = filter.numbers.ns ? number_process((__u64)leader) : pid;

	e->header.ts = filter.want_ts ? now : 0;
	e->header.pid = e->header.tid = shown;
	BPF_CORE_READ_INTO(&e->header.comm, leader, comm);
	e->ppid = parent_number(leader);
	e->ret = EXECSNOOP_NO_RET;
	e->uid = b->uid_gid;
	e->gid = b->uid_gid >> 32;
	e->task.cgroup = b->cgroup;
	e->argc = EXECSNOOP_NO_ARGC;
	e->dirfd = AT_FDCWD;
	e->args.str.status = e->path.status = e->interp.status = EVENT_NONE;
	e->exe.status = e->cwd.status = EVENT_NONE;
}

static __always_inline void end_write(struct task_struct *leader, const struct begun *b, __u32 pid,
				      __u32 status)
{
	struct execsnoop_more *r = record_reserve(struct execsnoop_more);
	__u64 now = bpf_ktime_get_ns();

	if (!r)
		return;
	__builtin_memset(r, 0, sizeof(*r));
	end_event(&r->event, leader, b, pid, now);
	r->ended = true;
	r->status = status;
	r->lived = now - b->ts;
	r->age = now - b->start;
	times_read(&r->times, leader);
	r->max_rss = BPF_CORE_READ(leader, signal, maxrss);
	r->ancestors.status = r->env.status = EVENT_NONE;
	record_submit(r);
}

/* Returns the status that wait(2) reports for the process. */
static __always_inline __u32 end_status(struct task_struct *leader)
{
	if (BPF_CORE_READ(leader, signal, flags) & GROUP_EXIT)
		return BPF_CORE_READ(leader, signal, group_exit_code);
	return BPF_CORE_READ(leader, exit_code);
}

/* A tracer (ptrace) is notified of each thread, so this waits for the last one. */
static __always_inline int process_end(struct task_struct *leader)
{
	__u32 pid = BPF_CORE_READ(leader, tgid), status;
	struct begun *b = bpf_map_lookup_elem(&begun_execs, &pid);

	if (!b || BPF_CORE_READ(leader, signal, nr_threads) != 1)
		return 0;
	status = end_status(leader);
	if (b->start == BPF_CORE_READ(leader, start_time) && (status || !filter.failed_only))
		end_write(leader, b, pid, status);
	bpf_map_delete_elem(&begun_execs, &pid);
	return 0;
}

#endif
