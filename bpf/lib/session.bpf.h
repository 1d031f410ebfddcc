/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.bpf.h - programs of kprobe.session, which run at both ends of a function.
 */
#ifndef CORETAP_LIB_SESSION_BPF_H
#define CORETAP_LIB_SESSION_BPF_H

#include "lib/lost.bpf.h"

/* True at the entry: at the return, the instruction is the caller's. The return value of a program has no effect
 * there; at the entry, 1 skips the return. */
static __always_inline bool is_entry(struct pt_regs *ctx)
{
	return PT_REGS_IP(ctx) - bpf_get_func_ip(ctx) < 32;
}

#endif
