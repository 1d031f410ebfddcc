/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * caller.bpf.h - the chunks of who makes a call: its instruction (-i), and its registers with a copy of its stack (-k),
 * whose frames user space finds.
 *
 * The registers are at the end of the kernel stack; kernels that are built for FRED leave 16 bytes behind them.
 */
#ifndef CORETAP_SYSSNOOP_CALLER_BPF_H
#define CORETAP_SYSSNOOP_CALLER_BPF_H

#include "syssnoop/file.bpf.h"

#define CALLER_THREAD_SIZE (16 << 10) /* of a kernel stack, on all processors */
#define CALLER_TRIES	   6
#ifdef __TARGET_ARCH_x86
#define IS_OF_USER(segment) (((segment)&3) == 3)
#else
#define IS_OF_USER(word) true
#endif

const volatile bool want_ip = false;
const volatile __u32 want_stack = 0; /* bytes; 0: none */

/* Only its size is asked for, of the kernel; not all headers of user space have one. */
struct pt_regs___caller {
} __attribute__((preserve_access_index));

struct caller_stack {
	__u32 size, pad; /* struct event_user_copy */
	__u64 regs[SYSSNOOP_REGS];
	char stack[SYSSNOOP_STACK_MAX];
} SYSSNOOP_IN_CHUNK;

static __always_inline bool caller_regs(struct caller_stack *s, __u64 at)
{
	if (bpf_probe_read_kernel(s->regs, sizeof(s->regs), (void *)at))
		return false;
#ifdef __TARGET_ARCH_x86
	return IS_OF_USER(s->regs[SYSSNOOP_MODE]);
#else
	return s->regs[SYSSNOOP_SP] != 0;
#endif
}

/* Where a task was when it entered the kernel; 0: unknown. */
static __always_inline __u64 ip_of(const struct task_struct *task)
{
	__u64 at = (__u64)BPF_CORE_READ(task, stack) + CALLER_THREAD_SIZE -
		   bpf_core_type_size(struct pt_regs___caller);
	__u64 words[2] = { 0, 0 }; /* and, on x86, the code segment */

	if (!bpf_probe_read_kernel(words, sizeof(words), (void *)(at + SYSSNOOP_IP * 8)) &&
	    IS_OF_USER(words[1]))
		return words[0];
	if (!bpf_probe_read_kernel(words, sizeof(words), (void *)(at - 16 + SYSSNOOP_IP * 8)) &&
	    IS_OF_USER(words[1]))
		return words[0];
	return 0;
}

/* If the stack ends earlier, copies as much as can be read by halving the size. */
__attribute__((noinline)) int put_stack(void)
{
	struct task_struct *task = (void *)bpf_get_current_task();
	__u64 at = (__u64)BPF_CORE_READ(task, stack) + CALLER_THREAD_SIZE -
		   bpf_core_type_size(struct pt_regs___caller);
	struct work *w = scratch_work_get();
	struct syssnoop_chunk *c = w ? chunk_begin(w, TAG(SYSSNOOP_CALLER, 0)) : NULL;
	__u32 size = want_stack;
	struct caller_stack *s;

	if (!c)
		return 0;
	c->when = TAKE_AT_RETURN;
	s = (void *)(c + 1);
	if (!caller_regs(s, at) && !caller_regs(s, at - 16))
		return 0;
	s->size = s->pad = 0;
	for (int i = 0; i < CALLER_TRIES; i++, size /= 2) {
		OPAQUE(size);
		if (size > SYSSNOOP_STACK_MAX)
			return 0;
		if (bpf_probe_read_user(s->stack, size, (void *)s->regs[SYSSNOOP_SP]))
			continue;
		s->size = size;
		break;
	}
	chunk_end(w, c, sizeof(*s) - sizeof(s->stack) + s->size);
	return 0;
}

static __always_inline void work_send(struct work *w)
{
	__u32 size = sizeof(w->e) + w->at;

	OPAQUE(size);
	if (size > sizeof(w->e) + sizeof(w->data))
		return;
	w->e.size = size;
	record_output(&w->e, size);
}

static __always_inline void put_ip(struct work *w, __u64 ip)
{
	struct syssnoop_chunk *c = chunk_begin(w, TAG(SYSSNOOP_CALLER, 1));

	if (!c)
		return;
	c->when = TAKE_AT_RETURN;
	((__u32 *)(c + 1))[0] = ip; /* aligned to 4 bytes only */
	((__u32 *)(c + 1))[1] = ip >> 32;
	chunk_end(w, c, sizeof(ip));
}

#endif
