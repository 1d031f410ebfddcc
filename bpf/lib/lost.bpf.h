/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lost.bpf.h - counters of losses: the kernel's side of the ledger (enum loss in event.h).
 */
#ifndef CORETAP_LIB_LOST_BPF_H
#define CORETAP_LIB_LOST_BPF_H

#include <linux/bpf.h>
#include <asm/ptrace.h>
#include "vmlinux.h"
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_tracing.h>
#include "event.h"

struct {
	__uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
	__uint(max_entries, LOSS_MAX);
	__type(key, __u32);
	__type(value, __u64);
} losses SEC(".maps");

static __always_inline void loss_count(__u32 which, __u64 n)
{
	__u64 *count = bpf_map_lookup_elem(&losses, &which);

	/* atomic, because this program may be preempted by one that counts the same loss */
	if (count)
		__sync_fetch_and_add(count, n);
}

/*
 * The first statement of a user probe's program. Since 6.13 the verifier gives such a program, if it uses 64 bytes of
 * stack or more, one stack per CPU; but user probes are preempted, so another thread would write there. A program
 * with a tail call keeps the stack of its thread. This call is never reached, which the verifier detects, and removes
 * it.
 */
#define STACK_OF_THREAD()                                                                          \
	asm volatile("r0 = 0\n"                                                                    \
		     "if r0 == 0 goto +1\n"                                                        \
		     "call 12\n" ::                                                                \
			     : "r0", "r1", "r2", "r3", "r4", "r5")

#endif
