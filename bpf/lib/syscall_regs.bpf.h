/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * syscall_regs.bpf.h - the arguments of a system call's function (__x64_sys_openat2), whose only argument is the
 * caller's registers (ARCH_HAS_SYSCALL_WRAPPER). A 32-bit caller on x86 passes them in other registers.
 */
#ifndef CORETAP_LIB_SYSCALL_REGS_BPF_H
#define CORETAP_LIB_SYSCALL_REGS_BPF_H

#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#ifdef __TARGET_ARCH_riscv
/* orig_a0, because a0 is the result by then */
#define FIRST_PARM(regs) (((const __u64 *)(regs))[35])
#elif defined(__TARGET_ARCH_powerpc)
/* orig_gpr3, for the same reason */
#define FIRST_PARM(regs) (((const __u64 *)(regs))[34])
#else
#define FIRST_PARM(regs) PT_REGS_PARM1(regs)
#endif

#ifdef __TARGET_ARCH_x86
#define COMPAT_PARM1(regs) ((regs)->rbx)
#define COMPAT_PARM2(regs) ((regs)->rcx)
#define COMPAT_PARM3(regs) ((regs)->rdx)
#define COMPAT_PARM4(regs) ((regs)->rsi)
#else
#define COMPAT_PARM1(regs) FIRST_PARM(regs)
#define COMPAT_PARM2(regs) PT_REGS_PARM2(regs)
#define COMPAT_PARM3(regs) PT_REGS_PARM3(regs)
#define COMPAT_PARM4(regs) PT_REGS_PARM4(regs)
#endif

#define REGS_READ(place)                                                                           \
	({                                                                                         \
		__u64 value_ = 0;                                                                  \
		bpf_probe_read_kernel(&value_, sizeof(value_), &(place));                          \
		value_;                                                                            \
	})

#endif
