/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * end.bpf.h - records of threads that end, and of the calls that they are in.
 */
#ifndef CORETAP_SYSSNOOP_END_BPF_H
#define CORETAP_SYSSNOOP_END_BPF_H

#include "syssnoop/signal.bpf.h"

/* True if the context is an event's record instead of a raw tracepoint's arguments. */
const volatile bool by_event = false;

/* The thread that executes a program while this one, the process's first, ends for it; NULL: it ends by itself. */
static __always_inline struct task_struct *successor_get(void)
{
	struct task_struct *t = (void *)bpf_get_current_task(), *other;
	struct signal_struct *s = BPF_CORE_READ(t, signal);

	if (BPF_CORE_READ(t, pid) != BPF_CORE_READ(t, tgid) ||
	    BPF_CORE_READ(s, flags) & SIGNAL_GROUP_EXIT)
		return NULL;
	if (bpf_core_field_exists(s->group_exec_task))
		other = BPF_CORE_READ(s, group_exec_task);
	else
		other = BPF_CORE_READ(s, group_exit_task);
	return other == t ? NULL : other;
}

/* True if the current task is the first of its process, and others of it still live. */
static __always_inline bool is_first_of_many(void)
{
	struct task_struct *t = (void *)bpf_get_current_task();

	return BPF_CORE_READ(t, pid) == BPF_CORE_READ(t, tgid) &&
	       BPF_CORE_READ(t, signal, live.counter) > 0;
}

static __always_inline void end_send(__u64 ids, __s32 status)
{
	struct task_struct *successor = successor_get();
	struct syssnoop_event *e = event_begin(ids, SYSSNOOP_EXIT);

	if (!e)
		return;
	event_comm_fill(e);
	e->ret = status;
	if (successor) {
		e->flags = SYSSNOOP_SUPERSEDED;
		e->nr = filter.numbers.ns ? (__u32)numbers_task((__u64)successor) :
					    BPF_CORE_READ(successor, pid);
	} else if (is_first_of_many())
		e->flags = SYSSNOOP_NOT_LAST;
	record_submit(e);
}

/* Returns the exit code of the task that ends, which is the current one. */
static __always_inline __s32 exit_code_of(const __u64 *ctx)
{
	const struct task_struct *t;

	if (by_event)
		t = bpf_get_current_task_btf();
	else
		t = (const struct task_struct *)ctx[0];
	return t->exit_code;
}

static __always_inline void cut_send(const struct syssnoop_call *c)
{
	struct syssnoop_event *e = record_reserve(struct syssnoop_event);

	if (!e)
		return;
	event_fill(e, c, SYSSNOOP_CALL, SYSSNOOP_UNFINISHED);
	e->size = sizeof(*e);
	record_submit(e);
}

#endif
