/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arch.h - what differs between CPU architectures: one row for each.
 *
 * To add one, add a row to `arches`, its id, and the names below. argdump's compiler uses only the table, so it can
 * compile for any architecture on any other, as the tests do. The ARCH_ names describe this machine.
 */
#ifndef CORETAP_KERNEL_ARCH_H
#define CORETAP_KERNEL_ARCH_H

#include <stdbool.h>
#include <stdint.h>

enum arch_id { ARCH_X86_64, ARCH_ARM64, ARCH_RISCV64, ARCH_PPC64LE, ARCH_COUNT };

#ifdef __aarch64__
#define ARCH_NATIVE ARCH_ARM64
#define ARCH_IP	    "pc"
#define ARCH_LIBRARIES                                                                             \
	"aarch64-linux-gnu"	       /* Debian's folder for the libraries of this architecture */
#define ARCH_MACHINE	     "aarch64" /* as uname -m and the file name of musl's library spell it */
#define ARCH_O_LARGEFILE     0400000   /* the kernel's value; the C library defines it as 0 */
#define ARCH_AUDIT	     AUDIT_ARCH_AARCH64 /* for seccomp, linux/audit.h */
#define ARCH_AUDIT_32	     AUDIT_ARCH_ARM	/* of its 32-bit programs */
#define ARCH_SYSCALLS	     "__arm64_sys_"
#define ARCH_COMPAT_SYSCALLS "__arm64_compat_sys_aarch32_", "__arm64_compat_sys_"
#elif defined(__x86_64__)
#define ARCH_NATIVE	 ARCH_X86_64
#define ARCH_IP		 "ip"
#define ARCH_LIBRARIES	 "x86_64-linux-gnu"
#define ARCH_MACHINE	 "x86_64"
#define ARCH_O_LARGEFILE 0100000
#define ARCH_AUDIT	 AUDIT_ARCH_X86_64
#define ARCH_AUDIT_32	 AUDIT_ARCH_I386
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
#define ARCH_AUDIT_32	     AUDIT_ARCH_RISCV32
#define ARCH_SYSCALLS	     "__riscv_sys_"
#define ARCH_COMPAT_SYSCALLS "__riscv_compat_sys_"
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define ARCH_NATIVE	     ARCH_PPC64LE
#define ARCH_IP		     "nip"
#define ARCH_LIBRARIES	     "powerpc64le-linux-gnu"
#define ARCH_MACHINE	     "ppc64le"
#define ARCH_O_LARGEFILE     0200000
#define ARCH_AUDIT	     AUDIT_ARCH_PPC64LE
#define ARCH_AUDIT_32	     AUDIT_ARCH_PPC
#define ARCH_SYSCALLS	     "sys_"
#define ARCH_COMPAT_SYSCALLS "compat_sys_"
#else
#error "this architecture has no row in kernel/arch.c yet; docs/dev/processors.md says what one needs"
#endif

/* Prefixes of the functions that enter a system call, in the order to try: native programs; then 32-bit ones, first
 * those with parameters of their own; last the prefix of the function body, which BTF has where the others are only
 * aliases. */
#define ARCH_SYSCALL_ENTRIES                                                                       \
	{                                                                                          \
		ARCH_SYSCALLS, ARCH_COMPAT_SYSCALLS, "__do_sys_"                                   \
	}

enum {
	ARCH_ARGUMENTS_MAX = 8,
	ARCH_SYSCALL_ARGUMENTS = 6,
	ARCH_REGISTERS_MAX = 44,
	ARCH_DWARF_MAX = 32,
	ARCH_NO_REGISTER = 0xff,
};

/* The bits of a register that a built-in value stands for. */
struct arch_mode {
	uint64_t mask, value;
};

/* Stack frames of programs; registers by their DWARF numbers. */
struct arch_frames {
	uint8_t sp, fp; /* fp: ARCH_NO_REGISTER if frames are not chained by one */
	/* the register with the return address in a function that has made no call; used only with signal_registers */
	uint8_t link;
	/* Offset from the stack pointer to the registers that the kernel saved for a signal handler, ordered as in
	 * struct pt_regs. 0: the vdso or the C library describes the frame with CFI. */
	uint16_t signal_registers;
	/* offset from the frame pointer to the caller's frame pointer; the return address follows it */
	int8_t record;
};

/* Registers are numbered as in struct pt_regs (asm/ptrace.h), which is ABI. */
struct arch {
	const char *registers[ARCH_REGISTERS_MAX + 1];
	const char *registers_text; /* the same for messages */
	uint8_t sp, ip;
	uint8_t sample_registers; /* how many registers a perf sample has: bpf_user_pt_regs_t */
	uint8_t result;		  /* the register with a function's result */

	/* Function calls: System V ABI for x86-64, section 3.2.3; AAPCS64, section 6.8.2; RISC-V ELF psABI, section
	 * 2.1; 64-Bit ELF V2 ABI for Power, section 2.2. */
	uint8_t arguments[ARCH_ARGUMENTS_MAX];
	uint8_t argument_count;
	uint8_t return_size; /* bytes that a call pushes: the return address */
	uint8_t return_link; /* if return_size is 0: the register with the return address */
	uint8_t stack_arguments; /* offset from the stack pointer to the arguments on the stack, at a function's entry */
	bool copies_structs; /* large structs are passed by the address of a copy, not on the stack */
	bool pairs_are_even; /* an __int128 starts at an even register, or on the stack at a multiple of 16 bytes */
	bool stack_is_for_all; /* once a parameter is on the stack, all later ones are */
	bool splits; /* an argument of two words may be split between the last register and the stack */

	/* Arguments of system calls, natively and from 32-bit programs. */
	uint8_t syscall[ARCH_SYSCALL_ARGUMENTS], syscall32[ARCH_SYSCALL_ARGUMENTS];
	bool even_pairs32; /* 32-bit programs pass a 64-bit number in an even register and the next one */

	/* Bit masks of the registers that ftrace (kprobe.multi) saves at the entry and at the return. Some kernels,
	 * 6.16 for example, save no stack pointer at a return: it holds stale memory, and nothing tells which kernels
	 * do so. */
	uint64_t ftrace_entry, ftrace_return;
	/* A program of several functions learns by its cookie which one it runs for. Else the kernel looks for it by the
	 * address of the instruction that ftrace patches, which is not the function's (bpf_kprobe_multi_cookie). */
	bool multi_has_cookies;
	/* A function that exists only in kernels whose trampolines read arguments from the stack. NULL: unknown. */
	const char *trampoline_stack;

	/* The JIT checks the address of a typed load: outside the kernel it yields 0 without a fault. True in all
	 * kernels that have bpf_get_func_arg. */
	bool jit_tests_loads;
	bool helpers_test_loads; /* bpf_probe_read_kernel refuses addresses outside the kernel, in all kernels */
	bool loads_unaligned; /* the verifier allows unaligned loads from maps, in all kernels */
	bool orders_memory;   /* atomic additions keep the order of stores even without BPF_FETCH */

	/* Maps DWARF register numbers to ours, including those that frames depend on: System V ABI for x86-64, figure
	 * 3.36; DWARF for the Arm 64-bit Architecture; RISC-V ELF psABI, chapter 4. */
	uint8_t dwarf[ARCH_DWARF_MAX];
	struct arch_frames frames;
	/* bits of a return address that are part of the address; others may be a signature */
	uint64_t address_mask;
	/* The register whose bits tell which mode an exception or system call came from. */
	uint8_t mode;
	struct arch_mode user_mode, mode32;
	/* Bytes of a task's kernel stack, which ends with its struct pt_regs; used before 5.15 */
	uint32_t thread_size;

	/* Expressions of argdump's language for members of $ctx; NULL: unknown. */
	const char *irqs_off;
	/* an 8-byte value; NULL: a per-CPU variable whose size is in BTF */
	const char *preempt_count;
};

extern const struct arch arches[ARCH_COUNT];

/* Offset of a register in struct pt_regs, in bytes. */
static inline int arch_offset(unsigned number)
{
	return 8 * number;
}

/* Returns the number of a register, or -1 if the architecture has no register of that name. */
int arch_register(const struct arch *arch, const char *name);
/* Returns the number of the argument, from 1, that a register has on the first architecture with that register, or 0. */
unsigned arch_argument(const char *name);

#endif
