/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * more.bpf.h - what --tree and --env add to a record: ancestors and environment.
 */
#ifndef CORETAP_EXECSNOOP_MORE_BPF_H
#define CORETAP_EXECSNOOP_MORE_BPF_H

#include "execsnoop/record.bpf.h"

/* True if records begin with struct execsnoop_more; then which parts it has. */
const volatile bool want_more = false;
const volatile bool want_exit = false;
const volatile bool want_ancestors = false;
const volatile bool want_env = false;

/* Begins a record of an exec. Returns where its strings start. */
static __always_inline __u64 more_begin(struct execsnoop_scratch *s)
{
	if (!want_more)
		return sizeof(s->event);
	s->more.ended = false;
	s->more.lived = s->more.age = s->more.times.runtime = -1;
	string_none(&s->more.ancestors, EVENT_NONE);
	string_none(&s->more.env, EVENT_NONE);
	return sizeof(s->more);
}

/* Returns the number of a process as it is shown; 0: it is not in the namespace, or is the idle task. */
static __always_inline __u32 process_number(struct task_struct *task)
{
	if (filter.numbers.ns)
		return number_process((__u64)task);
	return BPF_CORE_READ(task, tgid);
}

static __always_inline __u32 parent_number(struct task_struct *task)
{
	return process_number(BPF_CORE_READ(task, real_parent));
}

/* Since 7.0 the kernel finds names among sorted types by bisection. Before, it reads all of them for each pointer
 * that a typed load yields, and loading the program takes 30 ms. */
static __always_inline bool types_are_sorted(void)
{
	return bpf_core_field_exists(struct btf, named_start_id);
}

/* Returns the parent of the running task. */
static __always_inline __u32 own_parent_number(void)
{
	if (!filter.numbers.ns && types_are_sorted())
		return bpf_get_current_task_btf()->real_parent->tgid;
	return parent_number((void *)bpf_get_current_task());
}

static __always_inline bool parent_pass(__u32 ppid)
{
	return id_pass(&parents, ppid) && ids_have(&parents, ppid);
}

/* Adds the parent and its ancestors, up to the first process. A global function: see words.bpf.h. */
__attribute__((noinline)) int execsnoop_ancestors(__u32 slot, __u32 from)
{
	struct execsnoop_scratch *s = slot == SLOT_DONE ? scratch_get() : scratch_failed_get();
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 at = from;
	__u32 pid;

	if (!s)
		return from;
	s->more.ancestors = (struct event_str){ .off = from };
	for (int i = 0; i < EXECSNOOP_ANCESTORS; i++) {
		struct execsnoop_ancestor *a = (void *)(s->bytes + at);

		task = BPF_CORE_READ(task, real_parent, group_leader);
		pid = process_number(task);
		if (!pid || at > ARGS_AT_MOST + EXECSNOOP_ARGS)
			return at;
		a->pid = pid;
		BPF_CORE_READ_INTO(&a->comm, task, comm);
		at += sizeof(*a);
		s->more.ancestors.len = at - from;
	}
	if (process_number(BPF_CORE_READ(task, real_parent))) {
		s->more.ancestors.status = EVENT_CUT;
		loss_count(LOSS_CUT, 1);
	}
	return at;
}

/* Adds the environment of the new program. */
static __always_inline __u64 env_add(struct execsnoop_scratch *s, __u64 at)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 start = BPF_CORE_READ(task, mm, env_start);
	__u64 size = BPF_CORE_READ(task, mm, env_end) - start;
	__u64 kept = size < EXECSNOOP_ENV ? size : EXECSNOOP_ENV;

	s->more.env = (struct event_str){ .off = at, .len = kept, .left_out = size - kept };
	if (size != kept) {
		s->more.env.status = EVENT_CUT;
		loss_count(LOSS_CUT, 1);
	}
	OPAQUE(at);
	OPAQUE(kept);
	if (at <= sizeof(s->bytes) - EXECSNOOP_ENV && kept <= EXECSNOOP_ENV &&
	    !bpf_probe_read_user(s->bytes + at, kept, (void *)start))
		return at + kept;
	string_none(&s->more.env, EVENT_FAULT);
	return at;
}

/* Ends a record. Returns its length. `slot` is a constant. */
static __always_inline __u64 more_add(struct execsnoop_scratch *s, const __u32 slot, __u64 at)
{
	if (want_ancestors)
		at = execsnoop_ancestors(slot, at);
	if (want_env && slot == SLOT_DONE) /* for a failed exec, env_words_add does it */
		at = env_add(s, at);
	return at;
}

#endif
