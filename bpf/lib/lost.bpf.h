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

	if (count)
		*count += n;
}

#endif
