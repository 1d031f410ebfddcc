/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arch.h - what differs between CPU architectures: a row per architecture.
 *
 * To add one: a row in `arches`, its id, and the names below. argdump's compiler compiles for any of them on any
 * other, as tests do, so it uses only the table. The names are for this machine.
 */
#ifndef CORETAP_KERNEL_ARCH_H
#define CORETAP_KERNEL_ARCH_H

#include <stdbool.h>
#include <stdint.h>

enum arch_id { ARCH_X86_64, ARCH_ARM64, ARCH_RISCV64, ARCH_COUNT };

#ifdef __aarch64__
#define ARCH_NATIVE	     ARCH_ARM64
#define ARCH_IP		     "pc"
#define ARCH_LIBRARIES	     "aarch64-linux-gnu" /* Debian's folder for them */
#define ARCH_MACHINE	     "aarch64"		 /* as uname -m and musl's library have it */
#define ARCH_O_LARGEFILE     0400000		 /* the kernel's; the C library has 0 */
#define ARCH_AUDIT	     AUDIT_ARCH_AARCH64	 /* for seccomp, linux/audit.h */
#define ARCH_SYSCALLS	     "__arm64_sys_"
#define ARCH_COMPAT_SYSCALLS "__arm64_compat_sys_aarch32_", "__arm64_compat_sys_"
#elif defined(__x86_64__)
#define ARCH_NATIVE	 ARCH_X86_64
#define ARCH_IP		 "ip"
#define ARCH_LIBRARIES	 "x86_64-linux-gnu"
#define ARCH_MACHINE	 "x86_64"
#define ARCH_O_LARGEFILE 0100000
#define ARCH_AUDIT	 AUDIT_ARCH_X86_64
#define ARCH_SYSCALLS	 "__x64_sys_"
#define ARCH_COMPAT_SYSCALLS                                                                       \
	"__ia32_compat_sys_ia32_", "__ia32_sys_ia32_", "__ia32_compat_sys_", "__ia32_sys_"
#elif defined(__riscv) && __riscv_xlen == 64
#define ARCH_NATIVE	     ARCH_RISCV64
#define ARCH_IP		     "epc"
#define ARCH_LIBRARIES	     "riscv64-linux-gnu"
#define ARCH_MACHINE	     "riscv64"
#define ARCH_O_LARGEFILE     0100000
#define ARCH_AUDIT	     AUDIT_ARCH_RISCV64
#define ARCH_SYSCALLS	     "__riscv_sys_"
#define ARCH_COMPAT_SYSCALLS "__riscv_compat_sys_"
#else
#error "this architecture has no row in kernel/arch.c yet; docs/dev/processors.md says what one needs"
#endif

/* Prefixes of the functions that enter a system call. First of native programs; then of 32-bit ones, in the order to
 * try, those with parameters of their own first; last the prefix of the body, the only name in the types where the
 * others are aliases. */
#define ARCH_SYSCALL_ENTRIES                                                                       \
	{                                                                                          \
		ARCH_SYSCALLS, ARCH_COMPAT_SYSCALLS, "__do_sys_"                                   \
	}

enum {
	ARCH_ARGUMENTS_MAX = 8,
	ARCH_SYSCALL_ARGUMENTS = 6,
	ARCH_REGISTERS_MAX = 36,
	ARCH_DWARF_MAX = 32,
	ARCH_NO_REGISTER = 0xff,
};

/* The bits of a register that a name means. */
struct arch_mode {
	uint64_t mask, value;
};

/* Registers are numbered as in struct pt_regs (asm/ptrace.h), which is ABI. */
struct arch {
	const char *registers[ARCH_REGISTERS_MAX + 1];
	const char *registers_text; /* the same for people */
	uint8_t sp, ip;
	uint8_t sample_registers; /* how many a sample of a perf event has: bpf_user_pt_regs_t */
	uint8_t result;		  /* of a function */

	/* Calls of functions: System V for x86-64, section 3.2.3; AAPCS64, section 6.8.2; RISC-V ELF psABI,
	 * section 2.1. */
	uint8_t arguments[ARCH_ARGUMENTS_MAX];
	uint8_t argument_count;
	uint8_t return_size; /* bytes that a call pushes: the return address … */
	uint8_t return_link; /* … or, if it is 0, the register that has it */
	bool copies_structs; /* large structs are passed by the address of a copy, not on the stack */
	bool pairs_are_even;   /* __int128 starts at an even register or a multiple of 16 bytes */
	bool stack_is_for_all; /* after the first parameter on the stack, no other is in a register */
	bool splits; /* an argument of two words may begin in the last register and end on the stack */

	/* Calls of the kernel, natively and from 32-bit programs. */
	uint8_t syscall[ARCH_SYSCALL_ARGUMENTS], syscall32[ARCH_SYSCALL_ARGUMENTS];
	bool even_pairs32; /* 32-bit programs give a number of 64 bits in a register with an even number and the next one */

	/* Registers that ftrace (kprobe.multi) saves at the entry and at the return, a bit each. At a return some
	 * kernels leave the old bytes of memory in place of the stack pointer, and nothing shows which kernels: 6.16
	 * does. */
	uint64_t ftrace_entry, ftrace_return;
	/* A function that only kernels have whose trampolines read arguments from the stack. NULL: unknown. */
	const char *trampoline_stack;

	/* The JIT tests the address of a typed load, which gives 0 without a fault if it is outside the
	 * kernel: in all kernels that have bpf_get_func_arg. */
	bool jit_tests_loads;
	bool helpers_test_loads; /* bpf_probe_read_kernel refuses such addresses, in all kernels */
	bool loads_unaligned; /* the verifier allows loads from maps at any address, in all kernels */
	bool orders_memory;   /* atomic additions keep the order of stores even without BPF_FETCH */

	/* The number here of each register of DWARF, and those that frames depend on by their numbers
	 * there: System V ABI for x86-64, figure 3.36; DWARF for the Arm 64-bit Architecture; RISC-V ELF psABI,
	 * chapter 4. */
	uint8_t dwarf[ARCH_DWARF_MAX];
	uint8_t dwarf_sp, dwarf_fp;
	uint8_t dwarf_link; /* the return address in a function that has called none; only with signal_registers */
	/* Offset from the stack pointer to the registers that the kernel saved for a signal handler, as in struct
	 * pt_regs. 0: the vdso or the C library describes it. */
	uint16_t signal_registers;
	int8_t frame_record; /* where, from the frame pointer on, the caller's one is, and the return address */
	uint64_t address_mask; /* of a return address, which may be signed */
	/* The register with the address that an exception or system call came from */
	uint8_t mode;
	struct arch_mode user_mode, mode32;
	/* Bytes of a task's kernel stack, which ends with its struct pt_regs; for kernels before 5.15 */
	uint32_t thread_size;

	/* For $ctx, as expressions of argdump's language; NULL: not known. */
	const char *irqs_off;
	/* 8 bytes; NULL: a per-CPU variable, whose size is in BTF */
	const char *preempt_count;
};

extern const struct arch arches[ARCH_COUNT];

/* In bytes, in struct pt_regs. */
static inline int arch_offset(unsigned number)
{
	return 8 * number;
}

/* The number of a register; -1: there is none of that name. */
int arch_register(const struct arch *arch, const char *name);
/* Returns the number of the argument, from 1, that a register has on the first architecture with that register, or 0. */
unsigned arch_argument(const char *name);

#endif
