/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * registers.h - the registers that pass arguments, as offsets in struct pt_regs (which is ABI): to
 * functions, to the kernel, and to the kernel from 32-bit code.
 */
#ifndef CORETAP_ARGDUMP_REGISTERS_H
#define CORETAP_ARGDUMP_REGISTERS_H

enum { ARGDUMP_REGISTERS = 6 };

#ifdef __aarch64__
#define REGISTERS_FUNCTION(X)  X(0), X(8), X(16), X(24), X(32), X(40)
#define REGISTERS_SYSCALL(X)   REGISTERS_FUNCTION(X)
#define REGISTERS_SYSCALL32(X) REGISTERS_FUNCTION(X)
#else
#define REGISTERS_FUNCTION(X)  X(112), X(104), X(96), X(88), X(72), X(64) /* di si dx cx r8 r9 */
#define REGISTERS_SYSCALL(X)   X(112), X(104), X(96), X(56), X(72), X(64) /* di si dx r10 r8 r9 */
#define REGISTERS_SYSCALL32(X) X(40), X(88), X(96), X(104), X(112), X(32) /* bx cx dx si di bp */
#endif

#endif
