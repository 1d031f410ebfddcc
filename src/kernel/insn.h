/* SPDX-License-Identifier: GPL-2.0-only */
/* insn.h - initialisers of BPF instructions, for small programs written by hand. */
#ifndef CORETAP_KERNEL_INSN_H
#define CORETAP_KERNEL_INSN_H

#include <linux/bpf.h>

#define INSN(code_, dst, src, off_, imm_)                                                          \
	((struct bpf_insn){ .code = (code_),                                                       \
			    .dst_reg = (dst),                                                      \
			    .src_reg = (src),                                                      \
			    .off = (off_),                                                         \
			    .imm = (imm_) })
/* dst = src; dst = n; dst += n */
#define INSN_MOV(dst, src) INSN(BPF_ALU64 | BPF_MOV | BPF_X, dst, src, 0, 0)
#define INSN_SET(dst, n)   INSN(BPF_ALU64 | BPF_MOV | BPF_K, dst, 0, 0, n)
#define INSN_ADD(dst, n)   INSN(BPF_ALU64 | BPF_ADD | BPF_K, dst, 0, 0, n)
/* dst = *(u64 *)(src + off); dst = *(u32 *)(src + off) */
#define INSN_LOAD(dst, src, off)   INSN(BPF_LDX | BPF_MEM | BPF_DW, dst, src, off, 0)
#define INSN_LOAD32(dst, src, off) INSN(BPF_LDX | BPF_MEM | BPF_W, dst, src, off, 0)
/* Two instructions that load a map or its value: dst = the address that `kind` (BPF_PSEUDO_…) defines for n. */
#define INSN_ADDRESS(dst, kind, n)                                                                 \
	INSN(BPF_LD | BPF_IMM | BPF_DW, dst, kind, 0, n), INSN(0, 0, 0, 0, 0)
/* *(u32 *)(dst + off) = src; *(u32 *)(dst + off) = n */
#define INSN_STORE32(dst, src, off) INSN(BPF_STX | BPF_MEM | BPF_W, dst, src, off, 0)
#define INSN_PUT32(dst, off, n)	    INSN(BPF_ST | BPF_MEM | BPF_W, dst, 0, off, n)
/* dst += src; dst <<= n */
#define INSN_PLUS(dst, src) INSN(BPF_ALU64 | BPF_ADD | BPF_X, dst, src, 0, 0)
#define INSN_SHIFT(dst, n)  INSN(BPF_ALU64 | BPF_LSH | BPF_K, dst, 0, 0, n)
/* Skips the next `skipped` instructions if reg equals n. */
#define INSN_SKIP_IF(reg, n, skipped) INSN(BPF_JMP | BPF_JEQ | BPF_K, reg, 0, skipped, n)
#define INSN_CALL(helper)	      INSN(BPF_JMP | BPF_CALL, 0, 0, 0, helper)
#define INSN_KFUNC(btf_id)	      INSN(BPF_JMP | BPF_CALL, 0, BPF_PSEUDO_KFUNC_CALL, 0, btf_id)
#define INSN_EXIT		      INSN(BPF_JMP | BPF_EXIT, 0, 0, 0, 0)
#define INSN_COUNT(insns)	      (sizeof(insns) / sizeof((insns)[0]))

#endif
