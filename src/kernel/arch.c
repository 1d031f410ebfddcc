/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * arch.c - the table of architectures (arch.h).
 */
#include "kernel/arch.h"

#include <string.h>

#define BIT(n_) (1ull << (n_))

enum x86_64 {
	BP = 4,
	BX = 5,
	R10 = 7,
	R9 = 8,
	R8 = 9,
	AX = 10,
	CX = 11,
	DX = 12,
	SI = 13,
	DI = 14,
	IP = 16,
	CS = 17,
	SP = 19,
};

/* x0 to x30 are 0 to 30 */
enum arm64 {
	X29 = 29,
	X30 = 30,
	ARM64_SP = 31,
	PC = 32,
	PSTATE = 33,
};

enum riscv64 {
	EPC,
	RA,
	RISCV_SP,
	S0 = 8,
	A0 = 10,
	ORIG_A0 = 35,
};

/* r0 to r31 are 0 to 31 */
enum ppc64le {
	NIP = 32,
	MSR = 33,
	ORIG_GPR3 = 34,
	LINK = 36,
};

const struct arch arches[ARCH_COUNT] = {
	[ARCH_X86_64] = {
		.registers = { "r15", "r14", "r13", "r12", "bp", "bx", "r11", "r10", "r9", "r8", "ax",
			       "cx", "dx", "si", "di", "orig_ax", "ip", "cs", "flags", "sp", "ss" },
		.registers_text = "di si dx cx r8 r9 ax bx bp r10 … r15 sp ip flags",
		.sp = SP,
		.ip = IP,
		.sample_registers = 21,
		.result = AX,
		.arguments = { DI, SI, DX, CX, R8, R9 },
		.argument_count = 6,
		.return_size = 8,
		.stack_arguments = 8,
		.syscall = { DI, SI, DX, R10, R8, R9 },
		.syscall32 = { BX, CX, DX, SI, DI, BP },
		.ftrace_entry = BIT(BP) | BIT(R9) | BIT(R8) | BIT(AX) | BIT(CX) | BIT(DX) | BIT(SI) |
				BIT(DI) | BIT(IP) | BIT(SP),
		.ftrace_return = BIT(BP) | BIT(AX) | BIT(DX) | BIT(IP),
		.multi_has_cookies = true,
		.trampoline_stack = "save_args",
		.jit_tests_loads = true,
		.helpers_test_loads = true,
		.loads_unaligned = true,
		.orders_memory = true,
		.dwarf = { AX, DX, CX, BX, SI, DI, BP, SP, R8, R9, R10, 6, 3, 2, 1, 0, IP,
			   ARCH_NO_REGISTER },
		.frames.sp = 7,
		.frames.fp = 6,
		.address_mask = ~0ull,
		.mode = CS,
		.user_mode = { 3, 3 },
		.mode32 = { 0xffff, 0x23 }, /* __USER32_CS */
		.thread_size = 16 << 10,
		.irqs_off = "$reg(flags) >> 9 & 1 ^ 1",
	},
	[ARCH_ARM64] = {
		.registers = { "x0",  "x1",  "x2",  "x3",  "x4",  "x5",	 "x6",	"x7",  "x8",
			       "x9",  "x10", "x11", "x12", "x13", "x14", "x15", "x16", "x17",
			       "x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26",
			       "x27", "x28", "x29", "x30", "sp",  "pc",	 "pstate" },
		.registers_text = "x0 … x30 sp pc pstate",
		.sp = ARM64_SP,
		.ip = PC,
		.sample_registers = 34,
		.result = 0,
		.arguments = { 0, 1, 2, 3, 4, 5, 6, 7 },
		.loads_unaligned = true,
		.argument_count = 8,
		.return_link = X30,
		.copies_structs = true,
		.pairs_are_even = true,
		.stack_is_for_all = true,
		.syscall = { 0, 1, 2, 3, 4, 5 },
		.syscall32 = { 0, 1, 2, 3, 4, 5 },
		.even_pairs32 = true,
		.ftrace_entry = (BIT(9) - 1) | BIT(X29) | BIT(X30) | BIT(ARM64_SP) | BIT(PC),
		.ftrace_return = (BIT(8) - 1) | BIT(X29) | BIT(PC),
		.multi_has_cookies = true,
		.dwarf = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
			   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, ARM64_SP },
		.frames.sp = 31,
		.frames.fp = X29,
		.frames.link = 30,
		/* skips the siginfo, the head of the ucontext and its fault_address */
		.frames.signal_registers = 128 + 176 + 8,
		.address_mask = BIT(48) - 1,
		.mode = PSTATE,
		.user_mode = { 0xf, 0 },
		.mode32 = { 0x10, 0x10 },
		.thread_size = 16 << 10,
		.irqs_off = "$reg(pstate) >> 7 & 1",
		.preempt_count = "$task->thread_info.preempt_count",
	},
	[ARCH_RISCV64] = {
		.registers = { "epc", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0",
			       "s1",  "a0", "a1", "a2", "a3",  "a4",  "a5", "a6", "a7",
			       "s2",  "s3", "s4", "s5", "s6",  "s7",  "s8", "s9", "s10",
			       "s11", "t3", "t4", "t5", "t6", "status", "badaddr", "cause", "orig_a0" },
		.registers_text = "a0 … a7 s0 … s11 t0 … t6 ra sp gp tp epc status",
		.sp = RISCV_SP,
		.ip = EPC,
		.sample_registers = 32,
		.result = A0,
		.arguments = { A0, 11, 12, 13, 14, 15, 16, 17 },
		.argument_count = 8,
		.return_link = RA,
		.copies_structs = true,
		.stack_is_for_all = true,
		.splits = true,
		.syscall = { ORIG_A0, 11, 12, 13, 14, 15 },
		.syscall32 = { ORIG_A0, 11, 12, 13, 14, 15 },
		.ftrace_entry = BIT(EPC) | BIT(RA) | BIT(RISCV_SP) | BIT(S0) | 0xffull << A0,
		.ftrace_return = BIT(S0) | BIT(A0) | BIT(11),
		.multi_has_cookies = true,
		/* 0 is the zero register, for which CFI has no rules */
		.dwarf = { EPC, 1,	 2,  3,	 4,  5,	 6,  7,	 8,  9,	 10, 11, 12, 13, 14, 15,
			   16,		     17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 },
		.frames.sp = RISCV_SP,
		.frames.fp = S0,
		.frames.record = -16,
		.address_mask = ~0ull,
		.mode = EPC, /* perf samples have no further registers */
		.user_mode = { 1ull << 63, 0 },
		.mode32 = { 0, 1 }, /* unknown */
		.thread_size = 16 << 10,
		.preempt_count = "$task->thread_info.preempt_count",
	},
	[ARCH_PPC64LE] = {
		.registers = { "r0",  "r1",  "r2",  "r3",	"r4",	"r5",   "r6",   "r7",  "r8",
			       "r9",  "r10", "r11", "r12",	"r13",	"r14",  "r15",  "r16", "r17",
			       "r18", "r19", "r20", "r21",	"r22",	"r23",  "r24",  "r25", "r26",
			       "r27", "r28", "r29", "r30",	"r31",	"nip",  "msr",  "orig_gpr3", "ctr",
			       "link", "xer", "ccr", "softe", "trap", "dar", "dsisr", "result" },
		.registers_text = "r0 … r31 nip msr ctr link xer ccr",
		.sp = 1,
		.ip = NIP,
		.sample_registers = 44,
		.result = 3,
		.arguments = { 3, 4, 5, 6, 7, 8, 9, 10 },
		.argument_count = 8,
		.return_link = LINK,
		/* behind the caller's back chain, CR, LR and TOC, and room for the arguments in registers */
		.stack_arguments = 32 + 64,
		.splits = true,
		.syscall = { ORIG_GPR3, 4, 5, 6, 7, 8 },
		.syscall32 = { ORIG_GPR3, 4, 5, 6, 7, 8 },
		.ftrace_entry = BIT(1) | 0xffull << 3 | BIT(NIP) | BIT(LINK),
		.ftrace_return = BIT(3),
		.helpers_test_loads = true,
		.loads_unaligned = true,
		/* the link register is 65, beyond these: callers are not found by CFI */
		.dwarf = { 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
			   16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 },
		.frames.sp = 1,
		.frames.fp = ARCH_NO_REGISTER,
		.address_mask = ~0ull,
		.mode = MSR,
		.user_mode = { BIT(14), BIT(14) }, /* MSR_PR */
		.mode32 = { BIT(63), 0 },	    /* MSR_SF */
		.thread_size = 16 << 10,
		.preempt_count = "$task->thread_info.preempt_count",
	},
};

int arch_register(const struct arch *arch, const char *name)
{
	for (int i = 0; arch->registers[i]; i++) {
		if (!strcmp(arch->registers[i], name))
			return i;
	}
	return -1;
}

unsigned arch_argument(const char *name)
{
	for (const struct arch *arch = arches; arch < arches + ARCH_COUNT; arch++) {
		int number = arch_register(arch, name);

		for (unsigned i = 0; number >= 0 && i < arch->argument_count; i++) {
			if (arch->arguments[i] == number)
				return i + 1;
		}
	}
	return 0;
}
