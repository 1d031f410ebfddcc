/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * take.bpf.h - appends the data of a call to its record, as chunks that its row in the table describes.
 */
#ifndef CORETAP_SYSSNOOP_TAKE_BPF_H
#define CORETAP_SYSSNOOP_TAKE_BPF_H

#include "syssnoop/members.bpf.h"

/* ---- a value, as its row describes it ---- */

static __always_inline __u64 value_of(struct work *w, __u32 i)
{
	return i < SYSCALL_ARGS ? w->e.args[i] : (__u64)w->e.ret;
}

static __always_inline __u64 count_of(struct work *w, const struct syscall_take *t)
{
	__s64 ret = w->e.ret, n = t->number;
	__u32 arg = t->count_arg;

	if (t->count == COUNT_NUMBER)
		return n;
	if (arg > SYSCALL_RESULT)
		return 0;
	n = value_of(w, arg);
	if (t->count == COUNT_BEHIND32 || t->count == COUNT_BEHIND64)
		return pointer_read(n, t->count == COUNT_BEHIND32 ? 4 : 8);
	if (arg == SYSCALL_RESULT)
		return n < 0 ? 0 : n;
	if (t->count == COUNT_ARG32)
		return (__u32)n;
	if (t->count == COUNT_ARG_LESS && w->now != TAKE_AT_ENTRY && ret >= 0 &&
	    (__u64)ret < (__u32)n)
		return ret;
	return t->count == COUNT_ARG_LESS ? (__u32)n : n;
}

static __always_inline bool take_is_due(struct work *w, const struct syscall_take *t)
{
	if (w->now == TAKE_AT_ENTRY)
		return t->when & TAKE_AT_ENTRY;
	return t->when & (TAKE_AT_RETURN | (w->e.ret < 0 ? TAKE_AT_FAILURE : TAKE_AT_SUCCESS));
}

/* A value that each variant of the call captures in another way. */
__attribute__((noinline)) int take_variant(__u32 row, __u32 i)
{
	struct work *w = scratch_work_get();
	struct syssnoop_variant *v = w ? variant_find(w, row) : NULL;
	struct syscall_take *t;
	__u64 value;

	OPAQUE(i);
	if (!v || i >= SYSCALL_ARGS)
		return 0;
	t = &v->values[i];
	OPAQUE(t); /* else its address is formed again, of an `i` whose limit is forgotten */
	if (!take_is_due(w, t) ||
	    (w->now == TAKE_AT_RETURN && t->when & TAKE_UNREAD && !(w->again >> i & 1)))
		return 0;
	value = value_of(w, i);
	if (t->kind == TAKE_STRING)
		return put_string(value, t->max, TAG(i, 0));
	if (t->kind == TAKE_FD)
		return 0;
	if (t->kind == TAKE_IOVEC) {
		w->left = ~0ull;
		return put_iovecs(value, count_of(w, t), t->max, TAG(i, 0));
	}
	put_bytes(value, count_of(w, t) * (t->size ?: 1), t->max, TAG(i, 0));
	if (v->leads >> i & 1)
		put_behind(value, v, i);
	return 0;
}

/* Returns the number of a task in its own pid namespace: what the task calls itself. */
static __noinline __u32 own_number(struct task_struct *task)
{
	struct pid___numbers *pid = (void *)BPF_CORE_READ(task, thread_pid);
	struct event_upid upid = {};

	bpf_probe_read_kernel(&upid, sizeof(upid),
			      (void *)pid + bpf_core_field_offset(pid->numbers) +
				      BPF_CORE_READ(pid, level) * sizeof(upid));
	return upid.nr;
}

/* True if the number is that of the current process or thread. */
static __noinline bool is_own_id(__u32 id)
{
	struct task_struct *task = (void *)bpf_get_current_task();

	return id == own_number(task) || id == own_number(BPF_CORE_READ(task, group_leader));
}

#define CONTROLS   2 /* control messages whose descriptors have their paths */
#define SOL_SOCKET 1 /* from linux/socket.h */
#define SCM_RIGHTS 1
#define SCM_PIDFD  4

/* Reads the head of a control message. Returns the bytes of its data if they are descriptors. The state is not on the
 * stack, of which little is left. */
static __always_inline __u32 control_read(struct work *w)
{
	bool is_32 = w->e.abi == SYSCALL_ABI_32;
	__u64 len, type;

	w->control[0] = 0;
	bpf_probe_read_user(w->control, sizeof(w->control), (void *)w->control_at);
	len = is_32 ? (__u32)w->control[0] : w->control[0];
	if (len < (is_32 ? 12 : 16) || len > w->control_left) {
		w->control_left = 0;
		return 0;
	}
	type = is_32 ? w->control[0] >> 32 | w->control[1] << 32 : w->control[1];
	len = is_32 ? (len + 3) & ~3ull : (len + 7) & ~7ull;
	w->control_at += len;
	w->control_left = w->control_left > len ? w->control_left - len : 0;
	if (type != (SOL_SOCKET | (__u64)SCM_RIGHTS << 32) &&
	    type != (SOL_SOCKET | (__u64)SCM_PIDFD << 32))
		return 0;
	return (is_32 ? (__u32)w->control[0] : w->control[0]) - (is_32 ? 12 : 16);
}

/* The files of descriptors in control messages of a struct msghdr: list 1 is of the first message. */
__attribute__((noinline)) int take_rights(__u32 row, __u32 i)
{
	struct syscall_capture *cap = bpf_map_lookup_elem(&rows, &row);
	struct work *w = scratch_work_get();
	__u32 word, len;
	__u64 at;

	OPAQUE(i);
	if (!cap || !w || i >= SYSCALL_ARGS || cap->values[i].kind != TAKE_MSGHDR ||
	    !take_is_due(w, &cap->values[i]) || (w->now == TAKE_AT_ENTRY && !cap->values[i].number))
		return 0;
	word = w->e.abi == SYSCALL_ABI_32 ? 4 : 8;
	w->control_at = pointer_read(value_of(w, i) + word * 4, word);
	w->control_left = pointer_read(value_of(w, i) + word * 5, word);
	for (__u32 k = 0; k < CONTROLS && w->control_left; k++) {
		at = w->control_at + word + 8;
		len = control_read(w);
		if (len)
			put_fd_list(at, len / 4, TAG(i, k + 1));
	}
	return 0;
}

/* The files of such a value: not by take_variant(), for the walk of a path needs the stack and the frames. */
__attribute__((noinline)) int take_files(__u32 row, __u32 i)
{
	struct syscall_capture *cap = bpf_map_lookup_elem(&rows, &row);
	struct work *w = scratch_work_get();
	struct syssnoop_variant *v;
	struct syscall_take *t;

	OPAQUE(i);
	if (!cap || !w || i >= SYSCALL_ARGS || cap->values[i].kind != TAKE_VARIES)
		return 0;
	v = variant_find(w, row);
	OPAQUE(i);
	if (!v || i >= SYSCALL_ARGS)
		return 0;
	t = &v->values[i];
	OPAQUE(t);
	if (!take_is_due(w, t))
		return 0;
	if (t->kind == TAKE_FD && t->count == COUNT_PID && !is_own_id(value_of(w, t->count_arg)))
		return 0;
	if (t->kind == TAKE_FD)
		put_fd(value_of(w, i), TAG(i, 0), TAG(i, 1));
	else if (v->leads >> i & 1)
		put_fds(value_of(w, i), v, i);
	return 0;
}

__attribute__((noinline)) int take_value(__u32 row, __u32 i)
{
	struct syscall_capture *cap = bpf_map_lookup_elem(&rows, &row);
	struct work *w = scratch_work_get();
	struct syscall_take *t;
	__u64 value, count;

	if (!cap || !w || i >= SYSCALL_VALUES)
		return 0;
	t = &cap->values[i];
	if (!take_is_due(w, t))
		return 0;
	value = value_of(w, i);
	if (t->kind == TAKE_FD) {
		if (w->now == TAKE_AT_ENTRY || i == SYSCALL_RESULT) {
			put_file(value, TAG(i, 0));
			if (want_special)
				put_special(value, TAG(i, 1));
		}
		return t->size ? put_netlink(value, TAG(i, 2)) : 0;
	}
	if (t->kind == TAKE_STRING)
		return put_string(value, t->max, TAG(i, 0));
	if (t->kind == TAKE_WORDS)
		return put_words(value, t->number, t->max, TAG(i, 0));
	count = count_of(w, t);
	if (t->kind == TAKE_BYTES)
		return put_bytes(value, count * (t->size ?: 1),
				 w->netlink ? SYSSNOOP_TAKE_MAX : t->max, TAG(i, 0));
	if (t->kind == TAKE_NETLINK)
		return put_netlink(value, TAG(i, 2));
	if (t->kind == TAKE_VARIES)
		return take_variant(row, i);
	w->left = w->now == TAKE_AT_ENTRY ? ~0ull : w->e.ret < 0 ? ~0ull : w->e.ret;
	if (t->kind == TAKE_IOVEC)
		return put_iovecs(value, count, t->max, TAG(i, 0));
	if (t->kind == TAKE_REQUESTS) {
		w->left = ~0ull;
		return put_requests(value, count, t->max, TAG(i, 0));
	}
	if (t->kind == TAKE_MMSGHDR) {
		w->left = t->number ? ~0ull : 0;
		return put_messages(value, count, t->max, TAG(i, 0));
	}
	put_bytes(value, message_size(w), 64, TAG(i, 0));
	if (w->now == TAKE_AT_ENTRY && !t->number)
		return 0;
	return put_message(value, t->max, TAG(i, 0));
}

/* Appends everything that is due now. Returns a bit for each argument of which something could not be read. */
static __always_inline __u8 take_all(struct work *w, __u32 row, __u32 now, __u8 which)
{
	__u8 unread = 0;

	w->now = now;
	w->netlink = 0;
	for (__u32 i = 0; i < SYSCALL_VALUES; i++) {
		if (!(which >> i & 1))
			continue;
		w->faults = 0;
		take_value(row, i);
		if (want_files) {
			take_files(row, i);
			take_rights(row, i);
		}
		unread |= (w->faults != 0) << i;
	}
	return unread;
}

#endif
